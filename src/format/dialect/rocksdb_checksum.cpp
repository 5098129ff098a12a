#include "format/dialect/rocksdb_checksum.hpp"

#include <bit>
#include <string_view>

#include "base/crc32c.hpp"
#include "format/dialect/table_block.hpp"
#include "hash/xxh.hpp"

namespace bloomery::format {
namespace {

std::uint32_t plain(std::uint8_t how, std::span<const std::byte> bytes) noexcept {
  switch (how) {
    case rocksdb_checksum::crc32c:
      return std::rotr(base::crc32c(bytes), 15) + 0xa282ead8;
    case rocksdb_checksum::xxhash:
      return hash::xxh32(text_of(bytes), 0);
    case rocksdb_checksum::xxhash64:
      return static_cast<std::uint32_t>(hash::xxh64(text_of(bytes), 0));
    case rocksdb_checksum::xxh3: {
      if (bytes.empty()) return 0;
      const auto front = bytes.first(bytes.size() - 1);
      return static_cast<std::uint32_t>(hash::xxh3(text_of(front), 0)) ^
             static_cast<std::uint32_t>(bytes.back()) * 0x6b9083d9;
    }
    default:
      return 0;
  }
}

}  // namespace

const char* rocksdb_checksum::name() const noexcept {
  constexpr const char* names[] = {"none", "crc32c", "xxhash", "xxhash64", "xxh3"};
  return names[how];
}

std::uint32_t rocksdb_checksum::of(std::span<const std::byte> bytes,
                                   std::uint64_t at) const noexcept {
  const auto place =
      static_cast<std::uint32_t>(at) + static_cast<std::uint32_t>(at >> 32);
  return plain(how, bytes) + (context == 0 ? 0 : context ^ place);
}

}  // namespace bloomery::format
