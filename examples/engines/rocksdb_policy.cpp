// A RocksDB database with our filters inside: bits by level under one budget.
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include <bloomery_rocksdb/filter_policy.hpp>

using namespace bloomery_rocksdb;

int main() {
  const auto folder = std::filesystem::temp_directory_path() / "bloomery_rocksdb_policy";
  // A tree of a billion keys in levels 1 to 4, 10 bits per key on average.
  const auto plan = plan_levels(
      leveled_tree(1e9, 4),
      {.bits_per_key = 10, .upper = filter_form::block, .lower = filter_form::ribbon});
  if (!plan) return std::cerr << plan.error().what << '\n', 1;
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy = new_filter_policy({.levels = plan->levels, .first_level = 1});
  rocksdb::Options options;
  options.create_if_missing = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status s = rocksdb::DB::Open(options, folder.string(), &opened);
  if (!s.ok()) return std::cerr << s.ToString() << '\n', 1;
  const std::unique_ptr<rocksdb::DB> db(opened);
  std::string value;
  db->Put({}, "alice", "1");
  db->Flush({});
  std::cout << db->Get({}, "alice", &value).ToString() << '\n';
  std::cout << db->Get({}, "bob", &value).ToString() << '\n';
}
