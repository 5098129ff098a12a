#include "format/container/writer.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "base/byte_writer.hpp"
#include "base/crc32c.hpp"
#include "format/file.hpp"

namespace bloomery::format {
namespace {

constexpr std::size_t chunk = container_chunk;

// The last chunk reaches into the padding.
void write_checksums(base::byte_writer& out, std::span<const std::byte> payload,
                     std::span<const std::byte> padding) noexcept {
  constexpr std::size_t group = 64;
  std::uint32_t some[group];
  const std::size_t whole = payload.size() / chunk;
  for (std::size_t i = 0; i < whole; i += group) {
    const std::size_t n = std::min(group, whole - i);
    base::crc32c_chunks(payload.subspan(i * chunk, n * chunk), chunk, {some, n});
    for (std::size_t j = 0; j < n; ++j) out.write(some[j]);
  }
  if (const auto rest = payload.subspan(whole * chunk); !rest.empty())
    out.write(base::crc32c(padding, base::crc32c(rest)));
}

}  // namespace

result<void> container_parts::make(container_facts f, std::span<const std::byte> payload,
                                   const write_notes& from_builder,
                                   std::span<const std::byte> notes) noexcept {
  f.member = f.kind;
  f.asked_fpr = from_builder.asked_fpr;
  f.keys = from_builder.keys;
  f.sentinels = static_cast<unsigned>(
      std::min<std::size_t>(most_sentinels, from_builder.sentinels.size()));
  f.payload_bytes = payload.size();
  f.payload_at = payload_place(f);
  f.notes_bytes = static_cast<std::uint32_t>(notes.size());
  f.ones = base::count_ones(payload, 8 * std::uint64_t{payload.size()});
  auto tail = pages::make(static_cast<std::size_t>(f.tail_bytes()));
  if (!tail) return tail.error();
  const auto gap = std::span(zeros).first(static_cast<std::size_t>(f.payload_at) -
                                          container_header_size);
  const auto padding = std::span(zeros).first(
      static_cast<std::size_t>(f.padded_bytes() - f.payload_bytes));
  base::byte_writer out(tail->bytes());
  for (const key k : from_builder.sentinels.first(f.sentinels)) out.write(k.bits());
  write_checksums(out, payload, padding);
  out.write(notes);
  const auto covered = tail->bytes().first(tail->size() - 4);
  out.write(base::crc32c(covered, base::crc32c(gap)));
  facts_ = f;
  head_ = encode_header(f);
  tail_ = *std::move(tail);
  parts_ = {head_, gap, payload, padding, tail_.bytes()};
  return {};
}

result<pages> container_parts::joined() const noexcept {
  auto all = pages::make(static_cast<std::size_t>(size()));
  if (!all) return all;
  base::byte_writer out(all->bytes());
  for (const auto part : parts_) out.write(part);
  return all;
}

result<void> container_parts::save(const char* path,
                                   const write_notes& from_builder) const noexcept {
  return write_atomically(path, parts_, from_builder.progress);
}

}  // namespace bloomery::format
