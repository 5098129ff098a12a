// The properties of a RocksDB table that its filters need: a block of entries, sorted by
// names that share their beginnings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace bloomery::format {

struct rocksdb_properties {
  std::string_view policy;            // the class that made the filters
  std::string_view comparator;        // empty: not recorded
  std::string_view prefix_extractor;  // empty: none
  std::uint64_t entries = 0;          // of the table; 0: not recorded
  std::uint64_t filter_entries = 0;   // in its filters, prefixes too; 0: not recorded
  bool whole_keys = true;             // are in the filters
  bool prefixes = false;
  bool keys_have_sequence = true;  // 8 bytes behind each key of an index
  bool sizes_are_deltas = false;   // in an index
  // 8 bytes that are written into the table when it is added to a database; their
  // checksum is that of zeros.
  std::span<const std::byte> global_sequence;

  // None: not a block of entries.
  static std::optional<rocksdb_properties> read(
      std::span<const std::byte> block) noexcept;
};

}  // namespace bloomery::format
