// A user's database with our policy: use FOLDER
#include <leveldb/db.h>

#include <memory>
#include <string>

#include <bloomery_leveldb/filter_policy.hpp>
#include <bloomery_leveldb/table_filter.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto policy = bloomery_leveldb::new_filter_policy({.bits_per_key = 10});
  leveldb::Options options;
  options.create_if_missing = true;
  options.filter_policy = policy.get();
  leveldb::DB* opened = nullptr;
  if (!leveldb::DB::Open(options, argv[1], &opened).ok()) return 1;
  const std::unique_ptr<leveldb::DB> db(opened);
  if (!db->Put({}, "alice", "1").ok()) return 1;
  db->CompactRange(nullptr, nullptr);
  std::string value;
  const bool found = db->Get({}, "alice", &value).ok() && value == "1";
  return found && db->Get({}, "bob", &value).IsNotFound() ? 0 : 1;
}
