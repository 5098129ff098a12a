#include "format/container/writer.hpp"

#include <algorithm>
#include <array>

#include "base/bits.hpp"
#include "base/byte_writer.hpp"
#include "base/crc32c.hpp"
#include "format/file.hpp"

namespace bloomery::format {

container_facts with_lengths(container_facts f, std::uint64_t payload_bytes,
                             std::size_t notes_bytes,
                             const write_notes& from_builder) noexcept {
  f.member = f.kind;
  f.asked_fpr = from_builder.asked_fpr;
  f.keys = from_builder.keys;
  f.sentinels = static_cast<unsigned>(from_builder.sentinels.size());
  f.payload_bytes = payload_bytes;
  f.payload_at = payload_place(f);
  f.notes_bytes = static_cast<std::uint32_t>(notes_bytes);
  return f;
}

std::span<const std::byte> gap_of(const container_facts& f) noexcept {
  return std::span(zeros).first(static_cast<std::size_t>(f.payload_at) -
                                container_header_size);
}

std::span<const std::byte> padding_of(const container_facts& f) noexcept {
  return std::span(zeros).first(
      static_cast<std::size_t>(f.padded_bytes() - f.payload_bytes));
}

result<void> container_tail::begin(const container_facts& f,
                                   std::span<const key> sentinels) noexcept {
  auto made = pages::make(static_cast<std::size_t>(f.tail_bytes()));
  if (!made) return made.error();
  bytes_ = *std::move(made);
  gap_ = gap_of(f);
  padding_ = padding_of(f);
  std::array<std::uint64_t, max_sentinels> ascending{};
  for (std::size_t n = 0; n < f.sentinels; ++n) {
    std::size_t at = n;
    for (; at != 0 && ascending[at - 1] > sentinels[n].bits(); --at)
      ascending[at] = ascending[at - 1];
    ascending[at] = sentinels[n].bits();
  }
  base::byte_writer out(bytes_.bytes());
  for (std::size_t i = 0; i < f.sentinels; ++i) out.write(ascending[i]);
  at_ = 8 * std::size_t{f.sentinels};
  return {};
}

void container_tail::add(std::span<const std::byte> payload) noexcept {
  constexpr std::size_t chunk = container_chunk, group = 64;
  std::uint32_t some[group];
  const std::size_t whole = payload.size() / chunk;
  base::byte_writer out(bytes_.bytes().subspan(at_));
  for (std::size_t i = 0; i < whole; i += group) {
    const std::size_t n = std::min(group, whole - i);
    base::crc32c_chunks(payload.subspan(i * chunk, n * chunk), chunk, {some, n});
    for (std::size_t j = 0; j < n; ++j) out.write(some[j]);
  }
  at_ += 4 * whole;
  // The last chunk reaches into the padding.
  if (const auto rest = payload.subspan(whole * chunk); !rest.empty()) {
    out.write(base::crc32c(padding_, base::crc32c(rest)));
    at_ += 4;
  }
}

void container_tail::end(std::span<const std::byte> notes) noexcept {
  base::byte_writer out(bytes_.bytes().subspan(at_));
  out.write(notes);
  const auto covered = bytes_.bytes().first(bytes_.size() - 4);
  out.write(base::crc32c(covered, base::crc32c(gap_)));
}

result<void> container_parts::make(container_facts f, std::span<const std::byte> payload,
                                   const write_notes& from_builder,
                                   std::span<const std::byte> notes) noexcept {
  facts_ = with_lengths(f, payload.size(), notes.size(), from_builder);
  facts_.ones = base::count_ones(payload, 8 * std::uint64_t{payload.size()});
  if (auto begun = tail_.begin(facts_, from_builder.sentinels); !begun) return begun;
  tail_.add(payload);
  tail_.end(notes);
  head_ = encode_header(facts_);
  parts_ = {head_, gap_of(facts_), payload, padding_of(facts_), tail_.bytes()};
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
  return write_atomically(path, parts_, from_builder.progress, from_builder.replaces);
}

}  // namespace bloomery::format
