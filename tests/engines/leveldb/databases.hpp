// Databases of tests: small tables, keys by formula.
#pragma once

#include <leveldb/cache.h>
#include <leveldb/db.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace bloomery_leveldb::testing {

inline leveldb::Options small_tables(const leveldb::FilterPolicy* p) {
  leveldb::Options o;
  o.create_if_missing = true;
  o.filter_policy = p;
  o.write_buffer_size = 64 << 10;  // LevelDB's least
  o.max_file_size = 1 << 20;       // the same
  o.block_size = 1024;
  return o;
}

inline void must(const leveldb::Status& s) {
  if (!s.ok()) throw std::runtime_error(s.ToString());
}

inline std::unique_ptr<leveldb::DB> open(const leveldb::Options& o,
                                         const std::string& at) {
  leveldb::DB* db = nullptr;
  must(leveldb::DB::Open(o, at, &db));
  return std::unique_ptr<leveldb::DB>(db);
}

inline std::string key_of(std::uint64_t i) {
  char text[24];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(i * 0x9e3779b97f4a7c15));
  return {text, 16};
}
inline std::string value_of(std::uint64_t i) {
  std::string value;
  for (std::uint64_t part = 0; part < 6; ++part) value += key_of(7 * i + part);
  return value;
}

// Keys [first, end), into tables.
inline void load(leveldb::DB& db, std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t i = first; i < end; ++i) must(db.Put({}, key_of(i), value_of(i)));
  db.CompactRange(nullptr, nullptr);
}

// Keys [0, present) are found, as many others are not.
inline void expect_keys(leveldb::DB& db, std::uint64_t present,
                        const leveldb::ReadOptions& o = {}) {
  std::string value;
  for (std::uint64_t i = 0; i < 2 * present; ++i) {
    const leveldb::Status s = db.Get(o, key_of(i), &value);
    if (i < present) {
      ASSERT_TRUE(s.ok()) << i << " " << s.ToString();
      ASSERT_EQ(value, value_of(i));
    } else {
      ASSERT_TRUE(s.IsNotFound()) << i << " " << s.ToString();
    }
  }
}

inline std::vector<std::filesystem::path> tables_of(const std::string& folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".ldb") found.push_back(file.path());
  return found;
}

}  // namespace bloomery_leveldb::testing
