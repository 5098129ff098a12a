// One LevelDB database per filter policy, the same keys in each: absent Gets and bytes of
// filters side by side.
//
//   demo_leveldb [KEYS]        200,000 without an argument; some seconds
#include <leveldb/cache.h>
#include <leveldb/db.h>
#include <leveldb/filter_policy.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <bloomery/foreign_filter.hpp>

#include "bloomery_leveldb/filter_policy.hpp"

namespace {

namespace fs = std::filesystem;

// Counts what another policy answers.
class counted final : public leveldb::FilterPolicy {
 public:
  explicit counted(std::unique_ptr<const leveldb::FilterPolicy> policy)
      : policy_(std::move(policy)) {}
  const char* Name() const override { return policy_->Name(); }
  void CreateFilter(const leveldb::Slice* keys, int n, std::string* to) const override {
    policy_->CreateFilter(keys, n, to);
  }
  bool KeyMayMatch(const leveldb::Slice& key, const leveldb::Slice& f) const override {
    const bool found = policy_->KeyMayMatch(key, f);
    ++asked;
    passed += found;
    return found;
  }
  mutable std::uint64_t asked = 0, passed = 0;

 private:
  std::unique_ptr<const leveldb::FilterPolicy> policy_;
};

// 16 bytes; the odd numbers are absent.
std::string key_of(std::uint64_t i) {
  char text[24];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(i * 0x9e3779b97f4a7c15));
  return {text, 16};
}

struct database {
  const char* name;
  std::unique_ptr<counted> policy;
  std::unique_ptr<leveldb::Cache> cache{leveldb::NewLRUCache(256u << 20)};
  std::unique_ptr<leveldb::DB> db{};
  double best_ns = std::numeric_limits<double>::infinity();
};

bool fill(database& d, const fs::path& at, std::uint64_t keys) {
  leveldb::Options o;
  o.create_if_missing = true;
  o.filter_policy = d.policy.get();
  o.block_cache = d.cache.get();
  leveldb::DB* db = nullptr;
  if (!leveldb::DB::Open(o, at.string(), &db).ok()) return false;
  d.db.reset(db);
  const std::string value(100, 'v');
  for (std::uint64_t i = 0; i < keys; ++i)
    if (!db->Put({}, key_of(2 * i), value).ok()) return false;
  db->CompactRange(nullptr, nullptr);
  return true;
}

double absent_ns(leveldb::DB& db, std::uint64_t keys, std::uint64_t gets) {
  std::vector<std::string> absent;
  for (std::uint64_t i = 0; i < gets; ++i)
    absent.push_back(key_of(2 * (i * 7919 % keys) + 1));
  std::string value;
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& k : absent) (void)db.Get({}, k, &value);
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() -
                                                  start)
             .count() /
         static_cast<double>(gets);
}

std::uint64_t filter_bytes(const fs::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& file : fs::directory_iterator(folder)) {
    if (file.path().extension() != ".ldb") continue;
    const auto f = bloomery::foreign_filter::load("leveldb", file.path());
    if (!f) continue;  // a table without filters
    for (std::uint64_t i = 0; i < f->parts(); ++i) bytes += f->part(i).length + 1;
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t keys = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200'000;
  const fs::path folder =
      fs::temp_directory_path() / ("bloomery-demo-" + std::to_string(keys));
  fs::remove_all(folder);
  fs::create_directories(folder);
  database all[] = {
      {"no filter", nullptr},
      {"built-in Bloom, 10 bits",
       std::make_unique<counted>(std::unique_ptr<const leveldb::FilterPolicy>(
           leveldb::NewBloomFilterPolicy(10)))},
      {"ours, 10 bits", std::make_unique<counted>(bloomery_leveldb::new_filter_policy())},
      {"ours, 8 bits", std::make_unique<counted>(
                           bloomery_leveldb::new_filter_policy({.bits_per_key = 8}))}};
  std::printf("LevelDB, %llu keys of 16 bytes, values of 100\n",
              static_cast<unsigned long long>(keys));
  for (database& d : all)
    if (!fill(d, folder / d.name, keys)) return 1;
  for (int round = 0; round < 5; ++round)
    for (database& d : all)
      d.best_ns = std::min(d.best_ns, absent_ns(*d.db, keys, 50'000));
  std::printf("%-24s %14s %14s %12s %14s\n", "policy", "absent Get ns", "filter bytes",
              "bits per key", "wasted reads");
  for (database& d : all) {
    const auto bytes = static_cast<double>(filter_bytes(folder / d.name));
    std::printf("%-24s %14.0f %14.0f %12.2f ", d.name, d.best_ns, bytes,
                8 * bytes / static_cast<double>(keys));
    if (d.policy)
      std::printf("%12.3f %%\n", 100.0 * static_cast<double>(d.policy->passed) /
                                     static_cast<double>(d.policy->asked));
    else
      std::puts("         all");
    d.db.reset();
  }
  fs::remove_all(folder);
  return 0;
}
