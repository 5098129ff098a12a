#include "format/container/reader.hpp"

#include <algorithm>
#include <cstring>

#include "base/bits.hpp"
#include "base/byte_reader.hpp"
#include "base/crc32c.hpp"
#include "format/container/header.hpp"
#include "format/container/notes.hpp"

namespace bloomery::format {
namespace {

// Read and checked in one go, while it is in the cache.
constexpr std::size_t piece = std::size_t{256} << 10;
constexpr std::size_t chunk = container_chunk;
constexpr std::size_t chunks_a_piece = piece / chunk;

// Compares the chunks of one piece, the first of which is number `first`.
void compare(const opened_container& c, std::uint64_t first,
             std::span<const std::byte> bytes, chunk_damage& d) noexcept {
  std::uint32_t found[chunks_a_piece];
  const std::size_t n = (bytes.size() + chunk - 1) / chunk;
  base::crc32c_chunks(bytes, chunk, {found, n});
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t number = first + i;
    if (found[i] == c.checksum(number)) continue;
    if (d.count++ == 0) d.first_at = c.facts.payload_at + number * chunk;
    std::byte* word = d.bits.data() + number / 64 * 8;
    const std::uint64_t bits = base::load_u64(word) | std::uint64_t{1} << (number % 64);
    std::memcpy(word, &bits, sizeof bits);
  }
}

result<chunk_damage> no_damage(const container_facts& f) noexcept {
  auto bits = pages::make(static_cast<std::size_t>((f.chunks() + 63) / 64 * 8));
  if (!bits) return bits.error();
  return chunk_damage{*std::move(bits)};
}

// `place(at, size)` is where the piece at `at` goes; `seen(at, piece)` looks at it.
template <class Place, class Seen>
result<chunk_damage> read_pieces(const container_source& from, const opened_container& c,
                                 Place place, Seen seen) noexcept {
  auto d = no_damage(c.facts);
  if (!d) return d;
  const std::uint64_t all = c.facts.padded_bytes();
  for (std::uint64_t at = 0; at < all; at += piece) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(piece, all - at));
    const std::span<std::byte> here = place(at, size);
    if (auto ok = from.read_at(c.facts.payload_at + at, here); !ok) return ok.error();
    compare(c, at / chunk, here, *d);
    if (at + size == all && !d->is_damaged(c.facts.chunks() - 1) &&
        !all_zero(here.last(static_cast<std::size_t>(all - c.facts.payload_bytes))))
      return error{errc::corrupt, "padding after the payload is not zero",
                   c.facts.payload_at + c.facts.payload_bytes};
    seen(at, here);
  }
  return d;
}

}  // namespace

result<void> container_source::read_at(std::uint64_t at,
                                       std::span<std::byte> out) const noexcept {
  if (file_ == nullptr) {
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + at, out.size());
    return {};
  }
  const auto got = file_->read_at(at, out);
  if (!got) return got.error();
  if (*got != out.size())
    return error{errc::corrupt, "the file shrank while it was read", at + *got};
  return {};
}

std::uint32_t opened_container::checksum(std::uint64_t i) const noexcept {
  return base::byte_reader(checksums().subspan(static_cast<std::size_t>(4 * i), 4))
      .read<std::uint32_t>();
}

sentinel_keys opened_container::all_sentinels() const noexcept {
  sentinel_keys found;
  base::byte_reader in(sentinels());
  for (; found.count < facts.sentinels; ++found.count)
    found.keys[found.count] = key::from_bits(in.read<std::uint64_t>());
  return found;
}

result<opened_container> open_container(const container_source& from,
                                        const read_options& o) noexcept {
  header_bytes head;
  const auto front = std::span(head).first(
      static_cast<std::size_t>(std::min<std::uint64_t>(head.size(), from.size())));
  if (auto ok = from.read_at(0, front); !ok) return ok.error();
  const auto f = inspect(front, from.size());
  if (!f) return f.error();
  if (f->payload_bytes > o.max_bytes)
    return error{errc::too_large, "larger than the limit for filters", 80,
                 static_cast<double>(f->payload_bytes), static_cast<double>(o.max_bytes)};
  std::byte gap[page_payload_at];
  const auto padding =
      std::span(gap).first(static_cast<std::size_t>(f->payload_at) - head.size());
  if (auto ok = from.read_at(head.size(), padding); !ok) return ok.error();
  if (!all_zero(padding))
    return error{errc::corrupt, "padding after the header is not zero", head.size()};
  auto tail = pages::make(static_cast<std::size_t>(f->tail_bytes()));
  if (!tail) return tail.error();
  if (auto ok = from.read_at(f->tail_at(), tail->bytes()); !ok) return ok.error();
  const auto covered = tail->bytes().first(tail->size() - 4);
  if (base::byte_reader(tail->bytes().last(4)).read<std::uint32_t>() !=
      base::crc32c(covered, base::crc32c(padding)))
    return error{errc::corrupt, "the table of checksums is damaged", f->tail_at()};
  opened_container c{*f, *std::move(tail)};
  const bool wrapped = f->kind == container_kind::foreign;
  const std::uint64_t notes_at = f->tail_at() + f->tail_bytes() - 4 - f->notes_bytes;
  if (auto ok = check_notes(c.notes(), wrapped ? dialect_tag : source_tag, notes_at); !ok)
    return ok.error();
  const source_record keys = read_source(c.notes(), notes_at);
  c.facts.source = keys.source;
  c.facts.source_at = keys.at;
  return c;
}

result<chunk_damage> read_payload(const container_source& from, const opened_container& c,
                                  std::span<std::byte> out) noexcept {
  return read_pieces(
      from, c,
      [&](std::uint64_t at, std::size_t size) noexcept {
        return out.subspan(static_cast<std::size_t>(at), size);
      },
      [](std::uint64_t, std::span<std::byte>) noexcept {});
}

result<chunk_damage> check_payload(const container_source& from,
                                   const opened_container& c, std::uint64_t& ones,
                                   progress_call progress) noexcept {
  auto buffer = pages::make(piece);
  if (!buffer) return buffer.error();
  ones = 0;
  return read_pieces(
      from, c,
      [&](std::uint64_t, std::size_t size) noexcept {
        return buffer->bytes().first(size);
      },
      [&](std::uint64_t at, std::span<std::byte> here) noexcept {
        ones += base::count_ones(here, 8 * here.size());
        if (progress.call != nullptr)
          progress.call(progress.context, at + here.size(), c.facts.padded_bytes());
      });
}

void fill_damaged(const container_facts& f, std::span<const std::uint64_t> damaged,
                  std::span<std::byte> payload) noexcept {
  for (std::uint64_t i = 0; i < f.chunks(); ++i) {
    if ((damaged[i / 64] >> (i % 64) & 1) == 0) continue;
    const auto at = static_cast<std::size_t>(i * chunk);
    if (at >= f.payload_bytes) continue;
    std::memset(
        payload.data() + at, 0xff,
        std::min<std::size_t>(chunk, static_cast<std::size_t>(f.payload_bytes) - at));
  }
}

}  // namespace bloomery::format
