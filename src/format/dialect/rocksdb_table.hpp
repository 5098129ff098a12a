// A whole block-based table of RocksDB, found by its footer, the last 53 bytes:
//
//   0  u8   checksum (rocksdb_checksum.hpp)
//   1  ..   places of the metaindex block and of the index block, as varints;
//           since format 6: 3e 00 7a 00, u32 checksum of the footer, u32 context of the
//           checksums, u32 size of the metaindex block, which is the last one, zeros
//  41  u32  format, 1 to 7
//  45  u64  0x88e241b785f4cff7
//
// Format 0 has LevelDB's footer and checksums.  The metaindex has the filter block under
// the name of its policy, "fullfilter.NAME" or "partitionedfilter.NAME", and the
// properties under "rocksdb.properties".  RocksDB never compresses these blocks, nor the
// filters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "format/dialect/dialect.hpp"
#include "format/dialect/rocksdb_checksum.hpp"
#include "format/dialect/rocksdb_properties.hpp"
#include "format/dialect/table_block.hpp"

namespace bloomery::format {

struct rocksdb_table {
  std::uint32_t format = 0;
  rocksdb_checksum sums;
  std::uint64_t footer = 0;  // where it begins
  block_place filters;       // the filter, or the index of its partitions
  bool is_partitioned = false;
  std::uint64_t policy_at = 0, policy_size = 0;  // its name, in the metaindex
  block_place properties;
  rocksdb_properties facts;

  // By the magic, or by names that only RocksDB has in a table of LevelDB's form.
  static bool is_one(std::span<const std::byte> bytes) noexcept;

  // Checksums of the metaindex, the properties and the filter block are checked.
  // Errors: corrupt; unsupported (no filters, another kind or format of table, a
  // compressed block); out_of_memory.
  static result<rocksdb_table> read(std::span<const std::byte> bytes) noexcept;

  // That a block ends before the footer, matches its checksum and is not compressed.
  // Errors: corrupt, unsupported.
  result<void> check(std::span<const std::byte> bytes, block_place p,
                     std::uint64_t blame) const noexcept;
};

}  // namespace bloomery::format
