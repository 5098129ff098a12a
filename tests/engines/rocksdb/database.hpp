// A RocksDB database in a folder, with a filter policy and small tables.
#pragma once

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include <bloomery_rocksdb/budget_policy.hpp>
#include <bloomery_rocksdb/filter_policy.hpp>

namespace bloomery::testing {

using policy_ptr = std::shared_ptr<const rocksdb::FilterPolicy>;

inline policy_ptr built_in_bloom(double bits_per_key = 10) {
  return policy_ptr(rocksdb::NewBloomFilterPolicy(bits_per_key));
}
// Ours, the same in all levels.
inline policy_ptr own_policy(
    bloomery_rocksdb::filter_form form, double bits_per_key = 10,
    bloomery_rocksdb::policy_name name = bloomery_rocksdb::policy_name::built_in) {
  return bloomery_rocksdb::new_filter_policy(
      {.levels = {{form, bits_per_key}}, .name = name});
}

struct database_setup {
  policy_ptr policy;
  bool partitioned = false;
  std::size_t prefix = 0;  // bytes; 0: no prefix extractor
  bool whole_keys = true;  // beside prefixes
  std::size_t memtable = 64 << 10;
  std::size_t cache = 1 << 20;
  rocksdb::ChecksumType checksum = rocksdb::kCRC32c;
  bool detect_corruption = false;
  bool compacts = true;
  bool in_memory = false;     // a file system of RocksDB's that syncs nothing
  bool cache_filters = true;  // in the block cache, not with the table
};

inline void must(const rocksdb::Status& s) {
  if (!s.ok()) throw std::runtime_error(s.ToString());
}

class database {
 public:
  database(std::string path, const database_setup& setup)
      : path_(std::move(path)), options_(options_of(setup)) {
    if (setup.in_memory) {
      memory_.reset(rocksdb::NewMemEnv(rocksdb::Env::Default()));
      options_.env = memory_.get();
    }
    open();
  }
  rocksdb::DB* operator->() const { return db_.get(); }
  rocksdb::DB& operator*() const { return *db_; }
  const rocksdb::Options& options() const { return options_; }
  const std::string& path() const { return path_; }

  void close() { db_.reset(); }
  void open() { must(try_open()); }
  rocksdb::Status try_open() {
    rocksdb::DB* db = nullptr;
    const rocksdb::Status s = rocksdb::DB::Open(options_, path_, &db);
    db_.reset(db);
    return s;
  }
  void reopen() {
    close();
    open();
  }
  std::uint64_t ticker(rocksdb::Tickers t) const {
    return options_.statistics->getTickerCount(t);
  }
  std::uint64_t useful() const { return ticker(rocksdb::BLOOM_FILTER_USEFUL); }
  std::uint64_t positive() const { return ticker(rocksdb::BLOOM_FILTER_FULL_POSITIVE); }
  std::uint64_t true_positive() const {
    return ticker(rocksdb::BLOOM_FILTER_FULL_TRUE_POSITIVE);
  }
  // The filters of all tables together.
  std::uint64_t filter_bytes() const {
    rocksdb::TablePropertiesCollection tables;
    must(db_->GetPropertiesOfAllTables(&tables));
    std::uint64_t bytes = 0;
    for (const auto& [name, properties] : tables) bytes += properties->filter_size;
    return bytes;
  }
  void compact() const {
    rocksdb::CompactRangeOptions o;
    o.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
    must(db_->CompactRange(o, nullptr, nullptr));
  }

 private:
  static rocksdb::Options options_of(const database_setup& setup) {
    rocksdb::BlockBasedTableOptions table;
    table.filter_policy = setup.policy;
    table.checksum = setup.checksum;
    table.block_cache = rocksdb::NewLRUCache(setup.cache);
    table.cache_index_and_filter_blocks = setup.cache_filters;
    table.whole_key_filtering = setup.whole_keys;
    table.detect_filter_construct_corruption = setup.detect_corruption;
    if (setup.partitioned) {
      table.partition_filters = true;
      table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
      table.metadata_block_size = 512;
    }
    rocksdb::Options o;
    o.create_if_missing = true;
    o.write_buffer_size = setup.memtable;
    o.target_file_size_base = 4 * setup.memtable;
    o.max_bytes_for_level_base = 16 * setup.memtable;
    o.compression = rocksdb::kNoCompression;
    o.disable_auto_compactions = !setup.compacts;
    o.statistics = rocksdb::CreateDBStatistics();
    if (setup.prefix != 0)
      o.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(setup.prefix));
    o.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    return o;
  }

  std::string path_;
  std::unique_ptr<rocksdb::Env> memory_;
  rocksdb::Options options_;
  std::unique_ptr<rocksdb::DB> db_;
};

}  // namespace bloomery::testing
