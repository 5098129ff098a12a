// A RocksDB database with a filter policy, in a folder of its own, for measurements.
#pragma once

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/statistics.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace demo {

using policy_ptr = std::shared_ptr<const rocksdb::FilterPolicy>;

// 16 characters: of the even numbers are there, of the odd ones absent.
std::string key_of(std::uint64_t i);

// A fixed order that has nothing to do with that of the keys.
std::vector<std::string> some_keys(std::uint64_t keys, std::uint64_t count, bool present);

class store {
 public:
  // Tables of up to `table_keys` keys, uncompressed, filters in the block cache.
  store(std::filesystem::path folder, policy_ptr policy);
  ~store();
  store(store&&) = default;

  // The keys 2 * i for i in [from, to), with values of 100 bytes, in tables of the last
  // level that are written in one go.
  void ingest(std::uint64_t keys, std::uint64_t tables);
  // Writes these keys, and compacts them to this level.
  void put_into_level(std::span<const std::string> keys, int level);

  rocksdb::DB& db() { return *db_; }
  void count(bool on);  // tickers; off while times are measured
  std::uint64_t ticker(rocksdb::Tickers t) const;
  void empty_cache() { cache_->EraseUnRefEntries(); }
  std::uint64_t filter_bytes();

 private:
  std::filesystem::path folder_;
  std::shared_ptr<rocksdb::Cache> cache_;
  rocksdb::Options options_;
  std::unique_ptr<rocksdb::DB> db_;
};

}  // namespace demo
