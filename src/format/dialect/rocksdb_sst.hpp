// The filters of a whole table of RocksDB (rocksdb_table.hpp): one for all keys, or
// partitions of one, each for the keys up to that of its entry in an index.
#pragma once

#include <string_view>

#include "format/dialect/dialect.hpp"

namespace bloomery::format {

// Whether l is of this variant.
bool is_sst(const layout& l) noexcept;

// Errors: those of rocksdb_table::read; corrupt (the partitions, a filter that is none).
result<layout> inspect_sst(std::span<const std::byte> bytes, std::uint64_t part) noexcept;

bool sst_may_contain(const layout& l, const image& from, std::string_view key) noexcept;

census sst_count(const layout& l, const image& from) noexcept;

double sst_rate(const layout& l, const image& from) noexcept;

foreign_filter::part_facts sst_part(const layout& l, const image& from,
                                    std::uint64_t i) noexcept;

foreign_filter::table_facts sst_facts(const layout& l, const image& from) noexcept;

}  // namespace bloomery::format
