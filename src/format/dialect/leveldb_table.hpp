// A whole table of LevelDB, found by its footer, the last 48 bytes:
//
//    0  ..   places of the metaindex block and of the index block (table_block.hpp)
//   40  u64  0xdb4775248b80fb57
//
// The metaindex has the filter block under the name of its policy, "filter.NAME".  The
// index has, for each data block, a key that none of the block's exceeds, and its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "format/dialect/dialect.hpp"
#include "format/dialect/table_block.hpp"

namespace bloomery::format {

struct leveldb_table {
  static constexpr std::size_t footer_size = 48;

  block_place filters, index;
  std::uint8_t index_compression = as_is;
  std::uint64_t footer = 0;                      // where it begins
  std::uint64_t policy_at = 0, policy_size = 0;  // its name, in the metaindex

  static bool is_one(std::span<const std::byte> bytes) noexcept;
  // Checksums of both index blocks and of the filter block are checked.
  // Errors: corrupt; unsupported (no filters, a compressed block).
  static result<leveldb_table> read(std::span<const std::byte> bytes) noexcept;
};

// Where the data block begins that may hold the key.
struct data_block {
  enum { none, found, unknown } where = unknown;
  std::uint64_t at = 0;
};
// Unknown: the keys of the index do not ascend by bytes, as under another comparator
// than LevelDB's own, or it cannot be read.
data_block find_data_block(std::span<const std::byte> index, std::uint8_t compression,
                           std::string_view key) noexcept;

}  // namespace bloomery::format
