// The header of a Parquet filter, a structure of Thrift's compact protocol:
//
//   15 <zigzag varint of the bitset's bytes>  1c 1c 00 00  1c 1c 00 00  1c 1c 00 00  00
//
// that is, 1: i32; 2, 3, 4: unions whose member 1, an empty structure, stands for the
// split-block algorithm, XXH64 and no compression.
#include <algorithm>
#include <cstring>

#include "format/dialect/check.hpp"
#include "format/dialect/excerpt.hpp"
#include "format/dialect/parquet.hpp"
#include "format/dialect/thrift_compact.hpp"

namespace bloomery::format::parquet {
namespace {

// The header has 15 to 19 bytes; what may come to be added to it has room.
constexpr std::uint64_t max_header = 128;

constexpr std::byte header_tail[] = {
    std::byte{0x1c}, std::byte{0x1c}, std::byte{0}, std::byte{0},    std::byte{0x1c},
    std::byte{0x1c}, std::byte{0},    std::byte{0}, std::byte{0x1c}, std::byte{0x1c},
    std::byte{0},    std::byte{0},    std::byte{0}};

struct header_bytes {
  std::byte at[19];
  std::size_t size = 0;
};

header_bytes header_for(std::uint64_t bytes) noexcept {
  header_bytes h;
  h.at[h.size++] = std::byte{0x15};
  std::uint64_t v = 2 * bytes;  // zigzag
  for (; v >= 0x80; v >>= 7) h.at[h.size++] = static_cast<std::byte>((v & 0x7f) | 0x80);
  h.at[h.size++] = static_cast<std::byte>(v);
  for (const std::byte b : header_tail) h.at[h.size++] = b;
  return h;
}

// Whether a union, a structure of depth 2, has member 1 once, and nothing else.
bool is_first(thrift_reader& in) noexcept {
  unsigned members = 0;
  bool first = true;
  for (thrift_reader::field f; in.next(f); in.skip(f.type, 2)) {
    first &= f.number == 1;
    ++members;
  }
  return first && members == 1;
}

}  // namespace

result<pages> with_header(std::span<const std::byte> bits) noexcept {
  const header_bytes h = header_for(bits.size());
  auto image = copied(bits, h.size);
  if (image) std::memcpy(image->data(), h.at, h.size);
  return image;
}

result<pages> empty_filter(std::uint64_t bytes) noexcept {
  const header_bytes h = header_for(bytes);
  auto image = pages::make(h.size + bytes);
  if (image) std::memcpy(image->data(), h.at, h.size);
  return image;
}

result<place> read_filter(std::span<const std::byte> image, std::uint64_t at,
                          std::uint64_t end) noexcept {
  const auto header = image.subspan(at, std::min(end - at, max_header));
  thrift_reader in(header);
  std::int64_t bytes = 0;
  std::uint64_t bytes_at = at;
  unsigned seen = 0;
  bool known[] = {false, false, false};
  for (thrift_reader::field f; in.next(f);) {
    if (f.number == 1 && f.type == thrift_reader::i32) {
      bytes_at = at + in.offset();
      bytes = in.read_integer();
      seen |= 1;
    } else if (f.number >= 2 && f.number <= 4 && f.type == thrift_reader::structure) {
      known[f.number - 2] = is_first(in);
      seen |= 1u << (f.number - 1);
    } else {
      in.skip(f.type, 1);
    }
  }
  if (!in.ok())
    return damaged("no Thrift header; a bare bitset is the variant bitset", at);
  if (seen != 15) return damaged("the header lacks a field", at + in.offset());
  if (bytes <= 0 || static_cast<std::uint64_t>(bytes) % block_bytes != 0)
    return damaged("the size is not a multiple of 32 bytes", bytes_at);
  const place p{at, at + in.offset(), static_cast<std::uint64_t>(bytes)};
  if (p.bytes > end - p.bits_at)
    return error{errc::corrupt, "truncated: fewer bytes than the header promises", end,
                 static_cast<double>(p.bytes), static_cast<double>(end - p.bits_at)};
  if (!known[0]) return error{errc::unsupported, "not the split-block algorithm", at};
  if (!known[1]) return error{errc::unsupported, "a hash other than XXH64", at};
  if (!known[2]) return error{errc::unsupported, "a compressed bitset", at};
  return p;
}

}  // namespace bloomery::format::parquet
