// A filter policy for RocksDB that gives every level its own built-in filter: bits per
// key by level, Bloom above and Ribbon below.  RocksDB's public interface alone: any
// version from 7.0 on.
//
//   const auto plan = plan_levels(leveled_tree(1e9, 4), {.bits_per_key = 10});
//   table_options.filter_policy = new_budget_policy(plan->levels);
//
// Its filters are RocksDB's, under RocksDB's name: databases change to it and back
// without a rebuild.  A table keeps the filter of the level that it was written for, also
// where RocksDB later moves the file down as it is.
#pragma once

#include <memory>
#include <span>

#include <bloomery_rocksdb/level_filter.hpp>

namespace rocksdb {
class FilterPolicy;
}

namespace bloomery_rocksdb {

// levels[i] is for tables of level first_level + i; tables of other levels get the
// nearest. Tables whose level is not known (SstFileWriter) get the last one's.  Forms
// that are not built in count as none. REQUIRES: not empty
std::shared_ptr<const rocksdb::FilterPolicy> new_budget_policy(
    std::span<const level_filter> levels, int first_level = 0);

}  // namespace bloomery_rocksdb
