// A database beside a std::map: random operations on both, and every answer compared.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "database.hpp"

namespace bloomery::testing {

class machine {
 public:
  machine(database& db, std::uint64_t seed, std::size_t prefix)
      : db_(db), prefix_(prefix), random_(seed) {}
  ~machine() { release(); }

  // Wrong answers so far; the first is printed.
  std::uint64_t wrong() const { return wrong_; }
  std::uint64_t gets() const { return gets_; }
  std::uint64_t seeks() const { return seeks_; }

  void step() {
    const auto roll = random_() % 10'000;
    if (roll < 3'300)
      put();
    else if (roll < 4'200)
      erase();
    else if (roll < 7'900)
      get(some_key());
    else if (roll < 9'000)
      multi_get();
    else if (roll < 9'400)
      seek();
    else if (roll < 9'940)
      get_of_snapshot();
    else if (roll < 9'970)
      take_snapshot();
    else if (roll < 9'990)
      must(db_->Flush({}));
    else if (roll < 9'998)
      compact_some();
    else
      reopen();
  }

  // Every key of the map is found, by a filter that answers "possibly present" or in a
  // memtable: no other way leads to a value.
  void check_all(bool has_filters) {
    const auto before = db_.true_positive() + db_.ticker(rocksdb::MEMTABLE_HIT);
    for (const auto& [key, value] : now_) get(key);
    const auto after = db_.true_positive() + db_.ticker(rocksdb::MEMTABLE_HIT);
    if (has_filters) {
      EXPECT_EQ(after - before, now_.size());
    }
  }

 private:
  using contents = std::map<std::string, std::string>;

  std::string some_key() {
    // Some prefixes never occur.
    const auto prefix = random_() % 40, rest = random_() % 200;
    std::string key = "p";
    key += std::to_string(100 + prefix) + ":";
    return key + std::to_string(rest * rest);
  }
  void put() {
    const std::string key = some_key();
    std::string value = std::to_string(++writes_) + std::string(random_() % 60, 'v');
    must(db_->Put({}, key, value));
    now_[key] = std::move(value);
  }
  void erase() {
    const std::string key = some_key();
    must(random_() % 20 == 0 ? erase_range(key) : db_->Delete({}, key));
    now_.erase(key);
  }
  rocksdb::Status erase_range(const std::string& from) {
    const std::string to = from + "5";
    now_.erase(now_.lower_bound(from), now_.lower_bound(to));
    return db_->DeleteRange({}, db_->DefaultColumnFamily(), from, to);
  }

  void compare(const contents& model, const std::string& key, const rocksdb::Status& s,
               const std::string& value) {
    ++gets_;
    const auto at = model.find(key);
    const bool right = at == model.end() ? s.IsNotFound() : s.ok() && value == at->second;
    if (right) return;
    if (wrong_++ == 0)
      ADD_FAILURE() << key << ": " << s.ToString() << " '" << value << "', expected "
                    << (at == model.end() ? "none" : at->second);
  }
  void get(const std::string& key) {
    std::string value;
    const auto s = db_->Get({}, key, &value);
    compare(now_, key, s, value);
  }
  void multi_get() {
    std::array<std::string, 40> keys;
    std::array<rocksdb::Slice, 40> slices;
    std::array<rocksdb::PinnableSlice, 40> values;
    std::array<rocksdb::Status, 40> found;
    const std::size_t n = 1 + random_() % keys.size();
    for (std::size_t i = 0; i < n; ++i) slices[i] = keys[i] = some_key();
    db_->MultiGet({}, db_->DefaultColumnFamily(), n, slices.data(), values.data(),
                  found.data());
    for (std::size_t i = 0; i < n; ++i)
      compare(now_, keys[i], found[i], found[i].ok() ? values[i].ToString() : "");
  }
  // From a key to the end of its prefix, which filters of prefixes may skip.
  void seek() {
    ++seeks_;
    const std::string from = some_key();
    rocksdb::ReadOptions o;
    o.prefix_same_as_start = prefix_ != 0;
    o.total_order_seek = prefix_ == 0;
    const std::unique_ptr<rocksdb::Iterator> it(db_->NewIterator(o));
    auto at = now_.lower_bound(from);
    const auto has_prefix = [&](const std::string& key) {
      return prefix_ == 0 || key.compare(0, prefix_, from, 0, prefix_) == 0;
    };
    it->Seek(from);
    for (int i = 0; i < 50; ++i, it->Next(), ++at) {
      const bool is_end = at == now_.end() || !has_prefix(at->first);
      const bool right =
          is_end ? !it->Valid()
                 : it->Valid() && it->key() == at->first && it->value() == at->second;
      if (!right && wrong_++ == 0)
        ADD_FAILURE() << "an iterator from " << from << " went wrong";
      if (!right || is_end) break;
    }
    must(it->status());
  }

  void take_snapshot() {
    if (snapshots_.size() == 4) {
      db_->ReleaseSnapshot(snapshots_.front().first);
      snapshots_.erase(snapshots_.begin());
    }
    snapshots_.emplace_back(db_->GetSnapshot(), now_);
  }
  void get_of_snapshot() {
    if (snapshots_.empty()) return;
    const auto& [snapshot, then] = snapshots_[random_() % snapshots_.size()];
    rocksdb::ReadOptions o;
    o.snapshot = snapshot;
    const std::string key = some_key();
    std::string value;
    const auto s = db_->Get(o, key, &value);
    compare(then, key, s, value);
  }
  void compact_some() {
    const std::string from = some_key(), to = some_key();
    const rocksdb::Slice a = std::min(from, to), b = std::max(from, to);
    const bool all = random_() % 3 == 0;
    must(db_->CompactRange({}, all ? nullptr : &a, all ? nullptr : &b));
  }
  void reopen() {
    release();
    db_.reopen();
  }
  void release() {
    for (const auto& [snapshot, then] : snapshots_) db_->ReleaseSnapshot(snapshot);
    snapshots_.clear();
  }

  database& db_;
  std::size_t prefix_;
  std::mt19937_64 random_;
  contents now_;
  std::vector<std::pair<const rocksdb::Snapshot*, contents>> snapshots_;
  std::uint64_t writes_ = 0, gets_ = 0, seeks_ = 0, wrong_ = 0;
};

}  // namespace bloomery::testing
