// Which entry of a list of levels a table gets, and the built-in policy of an entry.
#pragma once

#include <rocksdb/filter_policy.h>

#include <algorithm>
#include <cstddef>
#include <memory>

#include "bloomery_rocksdb/level_filter.hpp"
#include "builtin_rates.hpp"

namespace bloomery_rocksdb {

// Tables of flushes are of level 0.  REQUIRES: entries > 0
inline std::size_t entry_for(const rocksdb::FilterBuildingContext& table, int first_level,
                             std::size_t entries) {
  const int last = static_cast<int>(entries) - 1;
  if (table.level_at_creation < 0) return entries - 1;
  return static_cast<std::size_t>(
      std::clamp(table.level_at_creation - first_level, 0, last));
}

// RocksDB's own; null if the form is none of RocksDB's, or too few bits for a filter.
inline std::shared_ptr<const rocksdb::FilterPolicy> built_in_for(const level_filter& f) {
  // Large tables: small ones of the same parameter take more bits than asked for.
  constexpr double keys_per_table = 500'000;
  std::shared_ptr<const rocksdb::FilterPolicy> policy;
  const double by_rate = f.fpr > 0 ? builtin_parameter_for_rate(f.fpr) : 0;
  if (f.form == filter_form::built_in_bloom) {
    const double bits = by_rate > 0 ? by_rate : f.bits_per_key;
    if (bits >= 0.5) policy.reset(rocksdb::NewBloomFilterPolicy(bits));
  } else if (f.form == filter_form::built_in_ribbon) {
    const double bits =
        by_rate > 0 ? by_rate : builtin_ribbon_parameter(f.bits_per_key, keys_per_table);
    if (bits >= 0.5) policy.reset(rocksdb::NewRibbonFilterPolicy(bits, -1));
  }
  return policy;
}

}  // namespace bloomery_rocksdb
