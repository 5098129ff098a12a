// A LevelDB database with our filter policy.
#include <leveldb/db.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include <bloomery_leveldb/filter_policy.hpp>

int main() {
  const auto folder = std::filesystem::temp_directory_path() / "bloomery_leveldb_policy";
  // Options do not own the policy: it must outlive the database.
  const auto policy = bloomery_leveldb::new_filter_policy({.bits_per_key = 10});
  leveldb::Options options;
  options.create_if_missing = true;
  options.filter_policy = policy.get();
  leveldb::DB* opened = nullptr;
  const leveldb::Status s = leveldb::DB::Open(options, folder.string(), &opened);
  if (!s.ok()) return std::cerr << s.ToString() << '\n', 1;
  const std::unique_ptr<leveldb::DB> db(opened);
  std::string value;
  db->Put({}, "alice", "1");
  std::cout << db->Get({}, "alice", &value).ToString() << '\n';
  std::cout << db->Get({}, "bob", &value).ToString() << '\n';
}
