#include <bloomery/live/window_filter.hpp>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>

#include "allocations.hpp"
#include "exact_filter.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

using exact = window_filter<exact_filter>;
using window = window_filter<concurrent<block_bloom>>;

constexpr auto last = std::numeric_limits<std::uint64_t>::max();

TEST(WindowFilter, FindsAKeyUntilItsTimeIsOverAndNoLonger) {
  for (const std::uint64_t w : {0u, 1u, 2u, 7u}) {
    SCOPED_TRACE(w);
    auto f = must(exact::make({.params = {}, .retention = w, .first_epoch = 10}));
    f.insert("alice");
    for (std::uint64_t e = 10; e <= 10 + w; ++e) {
      must(f.advance(e));
      EXPECT_TRUE(f.may_contain("alice")) << e;
    }
    must(f.advance(10 + w + 1));
    EXPECT_FALSE(f.may_contain("alice"));
  }
}

TEST(WindowFilter, TakesRangesAndBytes) {
  auto f = must(window_filter<concurrent<block_bloom>>::make(
      {.params = {.keys = 1000}, .retention = 1}));
  const std::vector<std::string> names{"alice", "bob"};
  f.insert(names);
  f.insert(std::vector<std::byte>(3));
  bool found[2];
  f.may_contain(names, found);
  EXPECT_TRUE(found[0] && found[1]);
  EXPECT_TRUE(f.may_contain(std::string_view("\0\0\0", 3)));
}

TEST(WindowFilter, LeapsOfEverySize) {
  constexpr std::uint64_t w = 3;
  for (std::uint64_t leap = 1; leap <= 12; ++leap) {
    SCOPED_TRACE(leap);
    auto f = must(exact::make({.params = {}, .retention = w, .first_epoch = 100}));
    const hasher ids = f.hasher().of(key_source::integers);
    for (std::uint64_t e = 100; e <= 103; ++e) {
      must(f.advance(e));
      f.insert(ids.hash_u64(e));
    }
    must(f.advance(103 + leap));
    EXPECT_EQ(f.epoch(), 103 + leap);
    for (std::uint64_t e = 100; e <= 103; ++e)
      EXPECT_EQ(f.may_contain(ids.hash_u64(e)), e + w >= 103 + leap) << e;
    // Every epoch of the window takes late keys, the skipped ones too.
    for (std::uint64_t age = 0; age <= w; ++age)
      must(f.insert_at(ids.hash_u64(1000 + age), 103 + leap - age));
    for (std::uint64_t on = 0; on <= w + 1; ++on) {
      must(f.advance(103 + leap + on));
      for (std::uint64_t age = 0; age <= w; ++age)
        EXPECT_EQ(f.may_contain(ids.hash_u64(1000 + age)), age + on <= w) << age << on;
    }
  }
}

TEST(WindowFilter, EpochsDoNotGoBack) {
  auto f = must(exact::make({.params = {}, .retention = 2, .first_epoch = 5}));
  f.insert("alice");
  const auto back = f.advance(4);
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().code, errc::invalid_argument);
  must(f.advance(5));  // the same again
  EXPECT_EQ(f.epoch(), 5u);
  EXPECT_TRUE(f.may_contain("alice"));
}

TEST(WindowFilter, TakesLateKeysIntoTheWindowOnly) {
  auto f = must(exact::make({.params = {}, .retention = 2, .first_epoch = 5}));
  must(f.insert_at("now", 5));
  must(f.insert_at("late", 3));
  const std::vector<key> more{f.hash("later")};
  must(f.insert_at(std::span<const key>(more), 4));
  const std::string_view last_of_all[] = {"latest"};
  must(f.insert_at(std::span<const std::string_view>(last_of_all), 4));
  for (const std::uint64_t wrong :
       {std::uint64_t{2}, std::uint64_t{0}, std::uint64_t{6}, last}) {
    const auto r = f.insert_at("wrong", wrong);
    ASSERT_FALSE(r) << wrong;
    EXPECT_EQ(r.error().code, errc::invalid_argument);
  }
  EXPECT_FALSE(f.may_contain("wrong"));
  EXPECT_TRUE(f.may_contain("now") && f.may_contain("late") && f.may_contain("later"));
  must(f.advance(6));
  EXPECT_FALSE(f.may_contain("late"));
  EXPECT_TRUE(f.may_contain("later") && f.may_contain("latest"));
  EXPECT_EQ(f.status().counts.inserted, 4u);
}

TEST(WindowFilter, TheFirstAndTheLastEpochThereIs) {
  auto f = must(exact::make({.params = {}, .retention = 3}));
  f.insert("alice");
  EXPECT_FALSE(f.insert_at("wrong", last)) << "an epoch before the first";
  must(f.advance(1));
  must(f.insert_at("bob", 0));
  must(f.advance(last));
  EXPECT_FALSE(f.may_contain("alice") || f.may_contain("bob"));
  must(f.insert_at("carol", last - 3));
  EXPECT_TRUE(f.may_contain("carol"));
}

TEST(WindowFilter, BatchesAnswerLikeSingleKeys) {
  auto f = must(window::make({.params = {.keys = 500}, .retention = 3}));
  std::vector<key> all;
  const auto names = numbered("user", 1000);
  const auto text = views(names);
  for (std::uint64_t e = 0; e < 5; ++e) {
    must(f.advance(e));
    const auto ks = keys(e, 300);
    f.insert(std::span<const key>(ks));
    all.insert(all.end(), ks.begin(), ks.end());
    f.insert(std::span<const std::string_view>(text).first(100));
  }
  const auto others = keys(77, 1100);
  all.insert(all.end(), others.begin(), others.end());

  const auto before = f.status().counts.lookups;
  const auto out = std::make_unique<bool[]>(all.size());
  f.may_contain(all, std::span(out.get(), all.size()));
  std::uint64_t maybes = 0;
  for (std::size_t i = 0; i < all.size(); ++i) maybes += out[i];
  EXPECT_EQ(f.status().counts.lookups.maybes - before.maybes, maybes);
  EXPECT_EQ(f.status().counts.lookups.negatives - before.negatives, all.size() - maybes);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(out[i], f.may_contain(all[i])) << i;
    ASSERT_TRUE(out[i] || i < 300 || i >= 1500) << i << " is in the window";
  }
  f.may_contain(std::span<const std::string_view>(text), std::span(out.get(), 1000));
  for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(out[i], f.may_contain(names[i])) << i;
}

TEST(WindowFilter, TheRateIsThatOfAllEpochsTogether) {
  auto f = must(window::make({.params = {.keys = 1000, .fpr = 0.02}, .retention = 2}));
  double no = 1;
  for (std::uint64_t e = 0; e < 3; ++e) {
    must(f.advance(e));
    f.insert(std::span<const key>(keys(e, 1000)));
    no *= 1 - must(f.snapshot(e)).realised_fpr();
  }
  EXPECT_NEAR(f.realised_fpr(), 1 - no, 1e-12);
  EXPECT_GT(f.realised_fpr(), 0.05);
}

TEST(WindowFilter, KilledAnswersPerhapsAndGoesOnInserting) {
  auto f = must(window::make({.params = {.keys = 100}}));
  f.kill();
  const std::string_view nobody[] = {"nobody"};
  bool out[1] = {};
  f.may_contain(std::span<const std::string_view>(nobody), out);
  EXPECT_TRUE(out[0] && f.may_contain("nobody") && f.status().killed);
  f.insert("alice");
  must(f.advance(1));
  f.revive();
  EXPECT_FALSE(f.may_contain("nobody"));
  EXPECT_TRUE(f.may_contain("alice"));
  EXPECT_EQ(f.status().counts.lookups.maybes, 1u) << "killed answers are none";
}

TEST(WindowFilter, CountsWhatWasConfirmed) {
  auto f = must(window::make({.params = {.keys = 100}}));
  f.confirm("alice", true);
  f.confirm(f.hash("bob"), false);
  EXPECT_EQ(f.status().counts.lookups.confirmed_present, 1u);
  EXPECT_EQ(f.status().counts.lookups.confirmed_absent, 1u);
}

// The same (epoch, key) events, shuffled, with epochs reached in other steps.
TEST(WindowFilter, ReplicasAgreeBitForBit) {
  struct event {
    std::uint64_t epoch;
    key k;
  };
  constexpr std::uint64_t w = 4, now = 9;
  std::vector<event> events;
  for (std::uint64_t e = now - w; e <= now; ++e)
    for (const key k : keys(e, 200)) events.push_back({e, k});

  auto a = must(window::make({.params = {.keys = 200}, .retention = w}));
  for (const auto& [e, k] : events) {  // as they happen
    must(a.advance(e));
    a.insert(k);
  }
  random from(3);
  for (int replica = 0; replica < 5; ++replica) {
    auto b = must(window::make({.params = {.keys = 200}, .retention = w}));
    for (std::size_t i = events.size(); i > 1; --i)
      std::swap(events[i - 1], events[static_cast<std::size_t>(from.below(i))]);
    std::uint64_t epoch = 0;
    for (const auto& [e, k] : events) {
      must(b.advance(epoch = std::max(epoch, e)));
      must(b.insert_at(k, e));
    }
    must(b.advance(now));
    for (std::uint64_t e = now - w; e <= now; ++e)
      EXPECT_TRUE(must(a.snapshot(e)) == must(b.snapshot(e))) << e;
  }
  EXPECT_FALSE(must(a.snapshot(now)) == must(a.snapshot(now - 1))) << "of other keys";
}

TEST(WindowFilter, AllocatesNothingOnceItIsMade) {
  auto f = must(window::make({.params = {.keys = 1000}, .retention = 5}));
  const auto ks = keys(1, 1000);
  const auto out = std::make_unique<bool[]>(ks.size());
  const allocation_watch watch;
  for (std::uint64_t e = 1; e < 100; e += 1 + e % 9) {
    must(f.advance(e));
    f.insert(std::span<const key>(ks));
    must(f.insert_at(ks[0], e - 1));
    f.may_contain(ks, std::span(out.get(), ks.size()));
    f.kill();
    f.revive();
  }
  EXPECT_EQ(watch.calls(), 0u);
}

TEST(WindowFilter, TooLongAWindowIsRefused) {
  for (const std::uint64_t w : {std::uint64_t{65'536}, last, last - 1}) {
    const auto f = window::make({.params = {.keys = 10}, .retention = w});
    ASSERT_FALSE(f);
    EXPECT_EQ(f.error().code, errc::too_large);
  }
  EXPECT_FALSE(window::make({.params = {.keys = 10, .fpr = 2}}));
}

}  // namespace
}  // namespace bloomery::testing
