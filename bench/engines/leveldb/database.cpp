#include "engines/leveldb/database.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <bloomery/foreign_filter.hpp>

#include "kit/mix.hpp"

namespace bloomery::bench {
namespace {

void must(const leveldb::Status& s) {
  if (!s.ok()) throw std::runtime_error(s.ToString());
}

// 100 bytes that Snappy halves, as those of LevelDB's db_bench.
std::string value_of(std::uint64_t i) {
  std::string value;
  for (std::uint64_t part = 0; part < 4; ++part)
    value += leveldb_key(splitmix64(4 * i + part)).substr(0, 13);
  value.resize(100, 'v');
  return value;
}

leveldb::Options options(const leveldb::FilterPolicy* p, leveldb::Cache* cache) {
  leveldb::Options o;
  o.create_if_missing = true;
  o.write_buffer_size = 16 << 20;
  o.filter_policy = p;
  o.block_cache = cache;
  return o;
}

// Counts what another policy answers.
class counting final : public leveldb::FilterPolicy {
 public:
  counting(const leveldb::FilterPolicy& p, answers& counts)
      : policy_(p), counts_(counts) {}
  const char* Name() const override { return policy_.Name(); }
  void CreateFilter(const leveldb::Slice* keys, int n, std::string* to) const override {
    policy_.CreateFilter(keys, n, to);
  }
  bool KeyMayMatch(const leveldb::Slice& key, const leveldb::Slice& f) const override {
    const bool found = policy_.KeyMayMatch(key, f);
    ++(found ? counts_.passed : counts_.refused);
    return found;
  }

 private:
  const leveldb::FilterPolicy& policy_;
  answers& counts_;
};

}  // namespace

std::string leveldb_key(std::uint64_t i) {
  char text[24];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(splitmix64(i)));
  return {text, 16};
}

database::database(const contender& c, const std::filesystem::path& folder,
                   std::uint64_t keys)
    : about_(&c), folder_((folder / c.name).string()) {
  leveldb::DB& db = open(8 << 20);
  for (std::uint64_t i = 0; i < keys; ++i) must(db.Put({}, leveldb_key(i), value_of(i)));
  for (int again = 0; again < 2; ++again) db.CompactRange(nullptr, nullptr);
  close();
}

leveldb::DB& database::open(std::size_t cache_bytes,
                            const leveldb::FilterPolicy* instead) {
  close();
  cache_.reset(leveldb::NewLRUCache(cache_bytes));
  leveldb::DB* db = nullptr;
  const auto* const policy = instead != nullptr ? instead : about_->policy.get();
  must(leveldb::DB::Open(options(policy, cache_.get()), folder_, &db));
  db_.reset(db);
  return *db_;
}

void database::close() {
  db_.reset();
  cache_.reset();
}

std::uint64_t database::filter_bytes() const {
  if (!about_->policy) return 0;
  std::uint64_t bytes = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder_)) {
    if (file.path().extension() != ".ldb") continue;
    const auto f = foreign_filter::load("leveldb", file.path());
    if (!f) throw std::runtime_error(file.path().string() + ": " + f.error().what);
    for (std::uint64_t i = 0; i < f->parts(); ++i) {
      const auto part = f->part(i).length;  // without the last byte
      bytes += part == 0 ? 0 : part + 1;
    }
  }
  return bytes;
}

answers answers_of(database& d, std::uint64_t lookups) {
  answers counts;
  if (!d.about().policy) return counts;
  const counting policy(*d.about().policy, counts);
  leveldb::DB& db = d.open(64 << 20, &policy);
  std::string value;
  for (std::uint64_t i = 0; i < lookups; ++i)
    if (db.Get({}, leveldb_key(absent_from + i), &value).ok())
      throw std::runtime_error("an absent key is found");
  d.close();
  return counts;
}

}  // namespace bloomery::bench
