// Blocks of a LevelDB table: where they lie, their checksum, and the sorted entries of
// those that are not data.
//
//   ..   bytes
//   u8   0 as they are, 1 Snappy
//   u32  CRC-32C of both, masked: rotated right by 15, plus 0xa282ead8
//
// An entry: varints of the bytes that its key shares with the key before, of those that
// follow, and of its value; then those bytes.  Entries end where u32 restarts begin,
// which their number, the last u32, counts.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/byte_reader.hpp"
#include "base/crc32c.hpp"
#include "format/dialect/check.hpp"

namespace bloomery::format {

inline std::string_view text_of(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::uint64_t read_varint(base::byte_reader& in) noexcept {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const auto byte = in.read<std::uint8_t>();
    value |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  in.take(in.left() + 1);  // longer than any: fails
  return 0;
}

struct block_place {
  std::uint64_t at = 0, size = 0;  // without the trailer
};
inline block_place read_place(base::byte_reader& in) noexcept {
  const std::uint64_t at = read_varint(in);
  return {at, read_varint(in)};
}

inline constexpr std::size_t block_trailer = 5;
enum block_compression : std::uint8_t { as_is = 0, snappy = 1 };

// Whether a block and its trailer end at `end` or before.
constexpr bool block_ends_before(block_place p, std::uint64_t end) noexcept {
  return p.at <= end && end - p.at >= block_trailer &&
         p.size <= end - p.at - block_trailer;
}

// How the block is compressed.  Errors: corrupt (it does not end before `end`, or does
// not match its checksum).
template <class Sum>  // std::uint32_t(the block and the byte behind it, where it begins)
result<std::uint8_t> check_block(std::span<const std::byte> file, block_place p,
                                 std::uint64_t end, std::uint64_t blame,
                                 Sum sum_of) noexcept {
  if (!block_ends_before(p, end))
    return damaged("a block that does not end before the footer", blame);
  base::byte_reader trailer(file.subspan(p.at + p.size, block_trailer));
  const auto how = trailer.read<std::uint8_t>();
  if (trailer.read<std::uint32_t>() != sum_of(file.subspan(p.at, p.size + 1), p.at))
    return damaged("a block does not match its checksum", p.at + p.size + 1);
  return how;
}
inline result<std::uint8_t> check_block(std::span<const std::byte> file, block_place p,
                                        std::uint64_t end, std::uint64_t blame) noexcept {
  return check_block(file, p, end, blame,
                     [](std::span<const std::byte> checked, std::uint64_t) noexcept {
                       return std::rotr(base::crc32c(checked), 15) + 0xa282ead8;
                     });
}

// The entries of a block: what is in front of the restarts.  Empty and not `whole` if
// they do not fit in.
struct block_entries {
  std::span<const std::byte> bytes;
  std::uint64_t restarts = 0;
  bool whole = false;
};
inline block_entries entries_of(std::span<const std::byte> block) noexcept {
  if (block.size() < 4) return {};
  base::byte_reader last(block.last(4));
  const std::uint64_t restarts = last.read<std::uint32_t>();
  if (restarts > (block.size() - 4) / 4) return {};
  return {block.first(static_cast<std::size_t>(block.size() - 4 - 4 * restarts)),
          restarts, true};
}

// Walks through the entries of a block that is not compressed, as far as the keys are
// whole: a key that shares bytes with another ends the walk.
class table_entries {
 public:
  explicit table_entries(std::span<const std::byte> block) noexcept : in_(cut(block)) {}

  bool next(std::string_view& key, std::span<const std::byte>& value) noexcept {
    if (in_.left() == 0) return false;
    const std::uint64_t shared = read_varint(in_), more = read_varint(in_),
                        size = read_varint(in_);
    const auto name = in_.take(static_cast<std::size_t>(more));
    value = in_.take(static_cast<std::size_t>(size));
    if (shared != 0 || !in_.ok()) return broken_ = true, false;
    key = {reinterpret_cast<const char*>(name.data()), name.size()};
    return true;
  }
  // Whether it ended before all entries were seen.
  bool broken() const noexcept { return broken_ || !whole_; }

 private:
  std::span<const std::byte> cut(std::span<const std::byte> block) noexcept {
    const block_entries found = entries_of(block);
    whole_ = found.whole;
    return found.bytes;
  }

  bool whole_ = false, broken_ = false;
  base::byte_reader in_;
};

}  // namespace bloomery::format
