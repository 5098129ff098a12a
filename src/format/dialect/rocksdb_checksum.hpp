// The checksum of the blocks of a RocksDB table, over a block and the byte behind it,
// which names its compression.
//
//   1 crc32c   masked as in LevelDB     3 xxhash64   the low half
//   2 xxhash   XXH32                    4 xxh3       the low half; without the last byte,
//                                                    which is multiplied and xor-ed
//
// Since format 6 a number that follows from the table and the place of the block is
// added, so that a block is not taken for another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::format {

struct rocksdb_checksum {
  enum : std::uint8_t { none, crc32c, xxhash, xxhash64, xxh3 };
  static constexpr std::uint8_t last = xxh3;

  std::uint8_t how = crc32c;
  std::uint32_t context = 0;  // of the table; 0 before format 6

  // REQUIRES: how <= last
  const char* name() const noexcept;
  // The checksum of bytes at `at` in the file; 0 without checksums.
  std::uint32_t of(std::span<const std::byte> bytes, std::uint64_t at) const noexcept;
};

}  // namespace bloomery::format
