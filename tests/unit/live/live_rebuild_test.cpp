// Rebuilds that end well.  live_faults_test.cpp has the others.
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/live/live_filter.hpp>
#include <bloomery/live/rekeyable_filter.hpp>

#include "live_samples.hpp"

namespace bloomery::testing {
namespace {

TEST(LiveRebuild, FillsFromTheSourceAndServes) {
  auto f = live_of(1000);
  const auto ks = keys(1, 20'000), sentinels = keys(1, 10);
  must(f.rebuild({.params = {.keys = ks.size()}, .sentinels = sentinels}, source_of(ks)));
  EXPECT_EQ(count_denied(f, ks), 0u);
  const auto s = f.status();
  EXPECT_EQ(s.generation, 2u);
  EXPECT_EQ(s.capacity, ks.size());
  EXPECT_EQ(s.rebuild.phase, rebuild_phase::idle);
  EXPECT_EQ(s.rebuild.delivered, ks.size());
  EXPECT_EQ(s.rebuild.expected, ks.size());
  EXPECT_GT(s.rebuild.took.count(), 0);
  EXPECT_EQ(s.rebuild.started, 1u);
  EXPECT_EQ(s.rebuild.succeeded, 1u);
  EXPECT_EQ(s.rebuild.rolled_back, 0u);
  EXPECT_FALSE(s.rebuild.last_error);
}

TEST(LiveRebuild, TakesBytesAsWell) {
  auto f = live_of(10);
  const auto names = numbered("user", 10'000);
  must(f.rebuild({.params = {.keys = names.size()}}, [&](auto& put) -> result<void> {
    for (const auto& n : names)
      if (!put(n)) break;
    return {};
  }));
  for (const auto& n : names) ASSERT_TRUE(f.may_contain(n)) << n;
  EXPECT_EQ(f.status().rebuild.delivered, names.size());
}

TEST(LiveRebuild, TakesRangesAndIntegers) {
  using shared = concurrent<block_bloom>::integers;
  auto f = must(live_filter<shared>::make(must(shared::make({.keys = 10}))));
  std::vector<int> ids;
  for (int i = 0; i < 5000; ++i) ids.push_back(3 * i);
  must(f.rebuild({.params = {.keys = ids.size() + 1}}, [&](auto& put) -> result<void> {
    put(ids);
    put(-7);
    return {};
  }));
  for (const int id : ids) ASSERT_TRUE(f.may_contain(id)) << id;
  EXPECT_TRUE(f.may_contain(std::int64_t{-7}));
  f.insert(std::vector<int>{1, 2});
  EXPECT_FALSE(f.insert_if_absent(2u));
  EXPECT_EQ(f.status().rebuild.delivered, ids.size() + 1);
}

TEST(LiveRebuild, WhatIsInsertedMeanwhileIsInBoth) {
  auto f = live_of(1000);
  bool asked = false;
  must(f.rebuild({.params = {.keys = 1000}, .min_keys = 0},
                 [&](std::span<key>) -> result<std::size_t> {
                   asked = true;
                   EXPECT_EQ(f.status().rebuild.phase, rebuild_phase::filling);
                   f.insert("alice");
                   const std::string_view more[] = {"bob"};
                   f.insert(std::span<const std::string_view>(more));
                   EXPECT_TRUE(f.insert_if_absent("carol"));
                   EXPECT_TRUE(f.may_contain("alice")) << "the old one lacks it";
                   return 0;
                 }));
  EXPECT_TRUE(asked);
  for (const auto* name : {"alice", "bob", "carol"}) EXPECT_TRUE(f.may_contain(name));
  EXPECT_FALSE(f.insert_if_absent("carol"));
}

// In the old one by chance, so "not new": it must be in the new one all the same.
TEST(LiveRebuild, AFalsePositiveOfTheOldIsWrittenToTheNew) {
  auto f = live_of(1);
  f.insert(std::span<const key>(keys(1, 2000)));
  ASSERT_TRUE(f.may_contain("alice")) << "not as full as it was meant to be";
  must(f.rebuild({.params = {.keys = 1000}, .min_keys = 0},
                 [&](std::span<key>) -> result<std::size_t> {
                   EXPECT_FALSE(f.insert_if_absent("alice"));
                   return 0;
                 }));
  EXPECT_TRUE(f.may_contain("alice"));
}

TEST(LiveRebuild, OneAtATime) {
  auto f = live_of(1000);
  must(f.rebuild({.params = {.keys = 10}, .min_keys = 0},
                 [&](std::span<key>) -> result<std::size_t> {
                   const auto second = f.rebuild({.params = {.keys = 10}}, source_of({}));
                   EXPECT_EQ(second.error().code, errc::invalid_argument);
                   EXPECT_EQ(f.clear().error().code, errc::invalid_argument);
                   const auto swapped = f.swap(must(scripted_filter::make({.keys = 1})));
                   EXPECT_EQ(swapped.error().code, errc::invalid_argument);
                   return 0;
                 }));
  EXPECT_EQ(f.status().rebuild.started, 1u);
  must(f.clear());
  must(f.rebuild({.params = {.keys = 10}, .min_keys = 0}, source_of({})));
}

TEST(LiveRebuild, RepeatedKeysAreNotTooMany) {
  auto f = live_of(10);
  const auto ks = keys(1, 1000);
  std::size_t rounds = 0;
  must(f.rebuild({.params = {.keys = ks.size()}},
                 [&](std::span<key> out) -> result<std::size_t> {
                   if (rounds++ == 100) return 0;
                   std::ranges::copy(ks, out.begin());
                   return ks.size();
                 }));
  EXPECT_EQ(count_denied(f, ks), 0u);
  EXPECT_EQ(f.status().rebuild.delivered, 100 * ks.size());
}

TEST(LiveRebuild, PausesBetweenBatchesAndTellsHowFarItIs) {
  auto f = live_of(10);
  const auto ks = keys(1, 10'000);
  std::vector<std::uint64_t> seen;
  const auto note = [](void* to, const rebuild_progress& now) {
    static_cast<std::vector<std::uint64_t>*>(to)->push_back(now.delivered);
    EXPECT_EQ(now.expected, 10'000u);
    return true;
  };
  must(f.rebuild({.params = {.keys = ks.size()}, .pause = {note, &seen}}, source_of(ks)));
  ASSERT_GE(seen.size(), 3u) << "batches of a few thousand";
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.back(), ks.size());
}

TEST(LiveRebuild, KeepsToTheSpeed) {
  using clock = std::chrono::steady_clock;
  auto f = live_of(10);
  const auto ks = keys(1, 100);
  std::size_t most = 0;
  auto from = source_of(ks);
  const auto start = clock::now();
  must(f.rebuild({.params = {.keys = ks.size()}, .max_keys_per_second = 1000},
                 [&](std::span<key> out) {
                   most = std::max(most, out.size());
                   return from(out);
                 }));
  // A lower bound only: 100 keys at 1000 a second cannot take less.
  EXPECT_GE(clock::now() - start, std::chrono::milliseconds(100));
  EXPECT_LE(most, 50u) << "too large a batch to be stopped soon";
}

TEST(LiveRebuild, KeepsTheHasher) {
  auto f = live_of(10);
  const auto r = f.rebuild({.params = {.keys = 10, .hasher = hasher::xxh3(1)}},
                           source_of(keys(1, 10)));
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().code, errc::incompatible);
}

TEST(RekeyableFilter, TakesAnotherHasherAndLosesNothing) {
  auto f = must(rekeyable_filter<scripted_filter>::make(
      must(scripted_filter::make({.keys = 1000}))));
  const auto names = numbered("user", 1000);
  for (const auto& n : names) f.insert(n);
  const std::string_view sentinel[] = {names[7]};
  must(f.rebuild(
      {.params = {.keys = 1000, .hasher = hasher::xxh3(99)}, .sentinels = sentinel},
      [&](auto& put) -> result<void> {
        f.insert("alice");
        EXPECT_TRUE(f.insert_if_absent("bob"));
        for (const auto& n : names) put(n);
        return {};
      }));
  for (const auto& n : names) ASSERT_TRUE(f.may_contain(n)) << n;
  EXPECT_TRUE(f.may_contain("alice"));
  EXPECT_FALSE(f.insert_if_absent("bob"));
  const auto some = views(names);
  const auto out = std::make_unique<bool[]>(some.size());
  f.may_contain(std::span<const std::string_view>(some),
                std::span(out.get(), some.size()));
  EXPECT_EQ(std::count(out.get(), out.get() + some.size(), true), 1000);
  EXPECT_EQ(f.status().rebuild.succeeded, 1u);

  f.kill();
  EXPECT_TRUE(f.may_contain("nobody"));
  f.revive();
  const auto old =
      must(f.swap(must(scripted_filter::make({.keys = 5, .hasher = hasher::xxh3(3)}))));
  EXPECT_TRUE(old.hasher() == hasher::xxh3(99)) << "rebuilt without the new hasher";
  must(f.clear());
  EXPECT_FALSE(f.may_contain("alice"));
}

}  // namespace
}  // namespace bloomery::testing
