// A database beside a std::map that says what is in it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "databases.hpp"
#include "policies.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery_leveldb::testing {

class model {
 public:
  static constexpr std::uint64_t keys = 3000;  // as many more are never written

  model(policy p, std::uint64_t seed) : policy_(std::move(p)), random_(seed) { reopen(); }
  ~model() { forget_snapshot(); }

  // Random operations; then every key is looked up, those of the database are counted,
  // and both again after it was opened once more.
  void run(std::uint64_t operations) {
    for (std::uint64_t i = 0; i < operations; ++i) {
      step();
      if (::testing::Test::HasFatalFailure()) return;
    }
    for (int round = 0; round < 2; ++round, reopen()) {
      for (std::uint64_t i = 0; i < 2 * keys; ++i) check(i);
      const std::unique_ptr<leveldb::Iterator> at(db_->NewIterator({}));
      std::size_t n = 0;
      for (at->SeekToFirst(); at->Valid(); at->Next()) ++n;
      must(at->status());
      EXPECT_EQ(n, holds_.size());
      if (::testing::Test::HasFatalFailure()) return;
    }
    // A key that was found was in memory, or a filter let it pass.
    EXPECT_EQ(found_in_memory + found_by_filter, found);
  }

  const counted& policy_counts() const { return policy_; }
  std::uint64_t found = 0, found_in_memory = 0, found_by_filter = 0, gets = 0;

 private:
  void step() {
    const std::uint64_t i = random_.below(keys), p = random_.below(10'000);
    if (p < 5000) {
      const std::string value(random_.below(100),
                              static_cast<char>('a' + random_.below(26)));
      must(db_->Put({}, key_of(i), value));
      holds_[i] = value;
    } else if (p < 6500) {
      must(db_->Delete({}, key_of(i)));
      holds_.erase(i);
    } else if (p < 9970) {
      check(random_.below(2 * keys));
    } else if (p < 9982) {
      forget_snapshot();
      snapshot_ = db_->GetSnapshot();
      held_ = holds_;
    } else if (p < 9992) {  // an empty range: only what is in memory is written
      const std::string behind = "zz";
      const leveldb::Slice at(behind);
      db_->CompactRange(&at, &at);
    } else if (p < 9997) {
      db_->CompactRange(nullptr, nullptr);
    } else {
      reopen();
    }
  }

  void check(std::uint64_t i) {
    ++gets;
    const std::uint64_t passed = policy_.passed, refused = policy_.refused;
    if (expect({}, i, holds_)) {
      ++found;
      found_by_filter += policy_.passed > passed;
      found_in_memory += policy_.passed == passed && policy_.refused == refused;
    }
    if (snapshot_ == nullptr) return;
    leveldb::ReadOptions then;
    then.snapshot = snapshot_;
    expect(then, i, held_);
  }

  bool expect(const leveldb::ReadOptions& o, std::uint64_t i,
              const std::map<std::uint64_t, std::string>& held) {
    std::string value;
    const leveldb::Status s = db_->Get(o, key_of(i), &value);
    const auto want = held.find(i);
    if (want == held.end())
      EXPECT_TRUE(s.IsNotFound()) << i << " " << s.ToString();
    else
      EXPECT_TRUE(s.ok() && value == want->second) << i << " " << s.ToString();
    return s.ok();
  }

  void reopen() {
    forget_snapshot();
    db_.reset();
    db_ = open(small_tables(&policy_), dir_ / "db");
  }
  void forget_snapshot() {
    if (snapshot_ != nullptr) db_->ReleaseSnapshot(snapshot_);
    snapshot_ = nullptr;
  }

  bloomery::testing::temp_dir dir_;
  counted policy_;
  bloomery::testing::random random_;
  std::unique_ptr<leveldb::DB> db_;
  std::map<std::uint64_t, std::string> holds_, held_;
  const leveldb::Snapshot* snapshot_ = nullptr;
};

}  // namespace bloomery_leveldb::testing
