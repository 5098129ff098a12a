// A filter policy for RocksDB with our filters inside: block, ribbon or fuse, the same in
// all levels or one per level.
//
//   table_options.filter_policy = bloomery_rocksdb::new_filter_policy();
//   table_options.filter_policy =
//       bloomery_rocksdb::new_filter_policy({.levels = plan->levels});
//
// RocksDB has no public interface for filters of others.  This derives from two classes
// inside RocksDB, declared anew in src/internal_classes.hpp for the versions that were
// verified; with any other it does not compile.
//
// The filters are bytes of spec/table_filter.md.  Under RocksDB's own name a database
// changes both ways without a rebuild: this policy reads RocksDB's filters, and RocksDB
// answers "possibly present" from ours.  Bytes of neither answer "possibly present"; so
// do ours if a single bit was changed, as each is checked when its block is loaded.
//
// Thread safety: as RocksDB's own policies.  No call throws; where there is no memory for
// a filter, the table gets one that matches every key.
#pragma once

#include <memory>
#include <vector>

#include <bloomery_rocksdb/level_filter.hpp>

namespace rocksdb {
class FilterPolicy;
}

namespace bloomery_rocksdb {

enum class policy_name {
  built_in,  // "rocksdb.BuiltinBloomFilter": old tables keep their filters
  own,       // "bloomery.Table1": filters of other policies are ignored
};

struct policy_options {
  // levels[i] is for tables of level first_level + i; tables of other levels get the
  // nearest, tables whose level is not known the last.  Not empty; built-in forms may be
  // mixed with ours under RocksDB's name, and count as none under our own.
  std::vector<level_filter> levels{level_filter{}};
  int first_level = 0;
  policy_name name = policy_name::built_in;
};

std::shared_ptr<const rocksdb::FilterPolicy> new_filter_policy(
    const policy_options& options = {});

}  // namespace bloomery_rocksdb
