// The quotient filter beside several writers: what erasing_test.cpp does not ask of all
// filters that erase.
//
// The multiset of fingerprints determines the bytes: whatever threads did, in whichever
// order, at the end the filter is the plain one of what their accounts say.
#include <bloomery/concurrent.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "cases.hpp"
#include "crew.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing::shared_quotient_test {
namespace {

using shared = concurrent<quotient>;

constexpr std::size_t writers = 4;

struct shape {
  const char* name;
  quotient_layout layout;
  std::size_t keys;    // that all threads share
  std::uint64_t most;  // copies that a thread has in at once
};

// In the last three, slots are displaced by more than 255: offsets are saturated.
const shape shapes[] = {
    {"sparse", {4096, 8, 80}, 2000, 2},
    {"95 % full", {4096, 8, 80}, 2600, 2},
    {"counters of many digits", {4096, 2, 96}, 120, 300},
    {"every fingerprint", {700, 2, 96}, 2500, 3},
    {"three slots for a quotient", {4096, 12, 224}, 8000, 2},
    {"one cluster", {256, 16, 160}, 6000, 2},
};

// All threads insert and erase the same keys.  Each erases only what it has inserted.
TEST(SharedQuotient, IsThePlainFilterOfWhatIsIn) {
  for (const shape& s : shapes) {
    SCOPED_TRACE(s.name);
    const std::size_t steps = (s.layout.quotients < 1000 ? 10'000 : 40'000) / fewer;
    auto f = must(shared::adopt(must(quotient::make(s.layout))));
    const auto ks = keys(3, s.keys);
    std::array<std::vector<std::uint64_t>, writers> in;
    std::array<std::size_t, writers> refused{};
    std::atomic<std::size_t> denied = 0, too_few = 0, not_erased = 0;
    with_threads(writers, [&](std::size_t t) {
      in[t].resize(ks.size());
      random r(t);
      for (std::size_t i = 0; i < steps; ++i) {
        const std::size_t j = r.below(ks.size());
        std::uint64_t& mine = in[t][j];
        if (mine != 0 && !f.may_contain(ks[j])) ++denied;
        if (f.count(ks[j]) < mine) ++too_few;
        if (r.below(s.most + 1) >= mine) {
          const auto done = f.try_insert(ks[j]);
          if (done)
            ++mine;
          else
            ++refused[t];
        } else {
          if (f.erase_present(ks[j]))
            --mine;
          else
            ++not_erased;
        }
      }
    });
    EXPECT_EQ(denied, 0u);
    EXPECT_EQ(too_few, 0u);
    EXPECT_EQ(not_erased, 0u);
    auto plain = must(quotient::make(s.layout));
    for (const auto& one : in)
      for (std::size_t j = 0; j < ks.size(); ++j)
        for (std::uint64_t c = 0; c < one[j]; ++c) must(plain.try_insert(ks[j]));
    for (const key k : ks) ASSERT_EQ(f.count(k), plain.count(k));
    EXPECT_EQ(f.fill(), plain.fill());
    EXPECT_EQ(f.estimated_keys(), plain.estimated_keys());
    EXPECT_EQ(f.realised_fpr(), plain.realised_fpr());
    EXPECT_TRUE(must(f.snapshot()) == plain);
    EXPECT_TRUE(std::move(f).release() == plain);
    count_cases("operations", writers * steps);
  }
}

// Every batched call, from several threads.
TEST(SharedQuotient, Batches) {
  const quotient_layout layout{8192, 10, 160};
  auto f = must(shared::adopt(must(quotient::make(layout))));
  std::array<std::vector<key>, writers> ks;
  std::atomic<std::size_t> denied = 0, wrong = 0;
  with_threads(writers, [&](std::size_t t) {
    ks[t] = keys(100 + t, 1900);
    const std::span<const key> mine(ks[t]);
    if (f.try_insert(mine) != mine.size()) ++wrong;
    const auto answers = std::make_unique<bool[]>(mine.size());
    const std::span<bool> out(answers.get(), mine.size());
    f.may_contain(mine, out);
    for (const bool yes : out) denied += !yes;
    const auto erased = f.erase_present(mine.first(900), out.first(900));
    if (!erased || *erased != 900) ++wrong;
  });
  EXPECT_EQ(denied, 0u);
  EXPECT_EQ(wrong, 0u);
  auto plain = must(quotient::make(layout));
  for (const auto& mine : ks)
    EXPECT_EQ(plain.try_insert(std::span(mine).subspan(900)), 1000u);
  EXPECT_TRUE(must(f.snapshot()) == plain);
}

// Keys that nobody touches are counted exactly, and absent ones denied, while their
// blocks change all the time, or the answer is counted as contended.
TEST(SharedQuotient, AnswersAreExactOrCounted) {
  const quotient_layout layout{1024, 9, 24};
  auto made = must(quotient::make(layout));
  const auto kept = keys(1, 500), moving = keys(2, 450), absent = keys(3, 500);
  for (const key k : kept) must(made.try_insert(k));
  std::vector<bool> is_absent(absent.size());
  {
    auto all = must(made.clone());
    for (const key k : moving) must(all.try_insert(k));
    for (std::size_t i = 0; i < absent.size(); ++i)
      is_absent[i] = all.count(absent[i]) == 0;
    for (const key k : kept) ASSERT_LE(all.count(k), 3u);
  }
  std::vector<std::uint64_t> least(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) least[i] = made.count(kept[i]);
  auto f = must(shared::adopt(std::move(made)));
  std::atomic<std::size_t> wrong = 0, unsure = 0;
  std::atomic<unsigned> at_work = 2;
  with_threads(writers, [&](std::size_t t) {
    random r(t);
    if (t < 2) {
      // Each has half of them.
      std::vector<bool> in(moving.size());
      for (std::size_t i = 0; i < 100'000 / fewer; ++i) {
        const std::size_t j = r.below(moving.size() / 2) * 2 + t;
        if (in[j])
          wrong += !f.erase_present(moving[j]);
        else
          wrong += !f.try_insert(moving[j]);
        in[j] = !in[j];
      }
      --at_work;
      return;
    }
    while (at_work != 0) {
      const std::size_t j = r.below(kept.size());
      const std::uint64_t n = f.count(kept[j]);
      if (n == shared::unknown_count)
        ++unsure;
      else
        wrong += n < least[j] || n > 3;
      wrong += !f.may_contain(kept[j]);
      if (is_absent[j] && f.may_contain(absent[j])) ++unsure;
    }
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_LE(unsure, f.contended_lookups());
  count_cases("contended lookups", f.contended_lookups());
}

// Full: refused, and nothing has changed.
TEST(SharedQuotient, FullFromSeveralThreads) {
  const quotient_layout layout{1000, 12, 16};
  auto f = must(shared::adopt(must(quotient::make(layout))));
  std::array<std::vector<key>, writers> in;
  std::array<std::size_t, writers> refused{};
  with_threads(writers, [&](std::size_t t) {
    for (const key k : keys(40 + t, 400)) {
      const auto done = f.try_insert(k);
      if (done)
        in[t].push_back(k);
      else if (done.error().code == errc::full)
        ++refused[t];
    }
  });
  auto plain = must(quotient::make(layout));
  std::size_t all = 0;
  for (std::size_t t = 0; t < writers; ++t) {
    EXPECT_EQ(in[t].size() + refused[t], 400u);
    all += in[t].size();
    for (const key k : in[t]) must(plain.try_insert(k));
  }
  EXPECT_TRUE(must(f.snapshot()) == plain);
  EXPECT_GT(all, 1000u * 95 / 100);
  EXPECT_LE(all, layout.slots());
}

// Beside writers that move long clusters: every copy is a filter, and has what stays.
TEST(SharedQuotient, SnapshotsAreOfOneMoment) {
  const quotient_layout layout{600, 14, 40};
  auto f = must(shared::adopt(must(quotient::make(layout))));
  const auto kept = keys(1, 900), moving = keys(2, 900);
  for (const key k : kept) must(f.try_insert(k));
  std::atomic<bool> done = false;
  std::atomic<std::size_t> broken = 0, taken = 0;
  with_threads(3, [&](std::size_t t) {
    if (t == 0) {
      while (!done) {
        const auto copy = must(f.snapshot());
        broken += !copy.is_well_formed();
        for (const key k : kept) broken += copy.count(k) == 0;
        // Every block is counted, also those that writers hold.
        const double n = f.estimated_keys();
        broken += n < static_cast<double>(kept.size()) ||
                  n > static_cast<double>(kept.size() + moving.size());
        broken += f.realised_fpr() > f.expected_fpr(kept.size() + moving.size()) * 1.01;
        ++taken;
      }
      return;
    }
    random r(t);
    std::vector<bool> in(moving.size());
    for (std::size_t i = 0; i < 40'000 / fewer; ++i) {
      const std::size_t j = r.below(moving.size() / 2) * 2 + t - 1;
      if (in[j])
        broken += !f.erase_present(moving[j]);
      else
        broken += !f.try_insert(moving[j]);
      in[j] = !in[j];
    }
    done = true;
  });
  EXPECT_EQ(broken, 0u);
  EXPECT_GT(taken, 0u);
  count_cases("snapshots", taken);
}

TEST(SharedQuotient, EmptyAndCleared) {
  auto f = must(shared::make({.keys = 100}));
  const auto& facts = f.unsynchronised();
  EXPECT_EQ(f.layout(), facts.layout());
  EXPECT_EQ(f.bits(), facts.bits());
  auto like = must(f.empty_like());
  must(f.try_insert("alice"));
  EXPECT_FALSE(f == like);
  f.clear();
  EXPECT_TRUE(f == like);
}

}  // namespace
}  // namespace bloomery::testing::shared_quotient_test
