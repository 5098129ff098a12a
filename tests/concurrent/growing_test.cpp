// A chain that grows under writers and readers who know what is in it: no false negative
// at any moment, and the rate at every step.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <span>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/concurrent.hpp>
#include <bloomery/live/live_filter.hpp>

#include "ask.hpp"
#include "cases.hpp"
#include "crew.hpp"
#include "full.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

constexpr unsigned writers = 2, readers = 2;

// The i-th key of a writer, the same for whoever asks.
key key_of_writer(unsigned writer, std::uint64_t i) {
  std::uint64_t x = (std::uint64_t{writer} << 40 | i) * 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93U;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93U;
  return key::from_bits(x ^ (x >> 32));
}

struct alignas(64) progress_of_one {
  std::atomic<std::uint64_t> keys{0};
};

struct growth {
  concurrent<scalable_bloom> filter;
  std::uint64_t keys;  // of each writer
  std::array<progress_of_one, writers> in{};
  std::atomic<std::uint64_t> false_negatives{0}, checks{0};
};

void write(growth& g, unsigned writer) {
  for (std::uint64_t i = 0; i < g.keys; ++i) {
    g.filter.insert(key_of_writer(writer, i));
    g.in[writer].keys.store(i + 1, std::memory_order_release);
  }
}

// The newest keys, which are in a level that has just been made, and any others.
void read(growth& g, std::uint64_t seed) {
  random from(seed);
  std::uint64_t missing = 0, checks = 0;
  const auto check = [&](unsigned writer, std::uint64_t i) {
    missing += !g.filter.may_contain(key_of_writer(writer, i));
    ++checks;
  };
  for (bool going = true; going;) {
    going = false;
    for (unsigned w = 0; w < writers; ++w) {
      const std::uint64_t n = g.in[w].keys.load(std::memory_order_acquire);
      going |= n < g.keys;
      if (n == 0) continue;
      check(w, n - 1);
      for (int i = 0; i < 8; ++i) check(w, from.below(n));
      std::array<key, 32> some;
      std::array<bool, 32> found;
      for (key& k : some) k = key_of_writer(w, from.below(n));
      g.filter.may_contain(std::span<const key>(some), std::span<bool>(found));
      missing += 32 - static_cast<std::uint64_t>(std::ranges::count(found, true));
      checks += 32;
    }
  }
  g.false_negatives += missing;
  g.checks += checks;
}

void grow_to(std::uint64_t keys, double fpr, double max_growth) {
  growth g{must(concurrent<scalable_bloom>::make(
               {.keys = 1000, .fpr = fpr, .max_growth = max_growth})),
           keys / writers};
  std::vector<std::thread> crew;
  for (unsigned w = 0; w < writers; ++w) crew.emplace_back([&g, w] { write(g, w); });
  for (unsigned r = 0; r < readers; ++r) crew.emplace_back([&g, r] { read(g, r + 1); });
  // The rate whenever a level was added.
  double highest = 0;
  for (unsigned levels = 0;;) {
    std::uint64_t in = 0;
    for (const auto& w : g.in) in += w.keys.load(std::memory_order_acquire);
    const unsigned now = g.filter.levels();
    if (now != levels || in == writers * g.keys) {
      levels = now;
      const double rate = g.filter.realised_fpr();
      highest = std::max(highest, rate);
      std::printf("%11llu keys, %2u levels, %10zu bytes, rate %.4f %%\n",
                  static_cast<unsigned long long>(in), now, g.filter.size_in_bytes(),
                  100 * rate);
    }
    if (in == writers * g.keys) break;
    std::this_thread::yield();
  }
  for (std::thread& t : crew) t.join();
  EXPECT_EQ(g.false_negatives.load(), 0u);
  EXPECT_LE(highest, fpr);
  const auto all = must(g.filter.snapshot());
  EXPECT_LE(all.realised_fpr(), fpr);
  EXPECT_NEAR(all.estimated_keys(), static_cast<double>(keys),
              0.01 * static_cast<double>(keys));
  std::uint64_t missing = 0;
  std::vector<key> some;
  for (unsigned w = 0; w < writers; ++w)
    for (std::uint64_t i = 0; i < g.keys;) {
      some.clear();
      for (; some.size() < 4096 && i < g.keys; ++i) some.push_back(key_of_writer(w, i));
      missing += some.size() - count_maybe(ask(all, std::span<const key>(some)));
    }
  EXPECT_EQ(missing, 0u);
  std::printf("%llu lookups while it grew, %llu false negatives\n",
              static_cast<unsigned long long>(g.checks.load()),
              static_cast<unsigned long long>(g.false_negatives.load()));
  count_cases("lookups", g.checks.load() + keys);
}

TEST(Growing, ToAMillionKeysUnderWritersAndReaders) {
  grow_to(1'000'000 / fewer, 0.01, 1000);
}
TEST(Growing, OfUnknownGrowth) { grow_to(300'000 / fewer, 0.001, 0); }

TEST(GrowingFull, ToAHundredMillionKeys) {
  BLOOMERY_FULL_ONLY();
  grow_to(100'000'000, 0.01, 100'000);
}

TEST(Growing, AtMostOneThreadIsToldThatAKeyIsNew) {
  auto f = must(concurrent<scalable_bloom>::make({.keys = 100, .fpr = 1e-9}));
  constexpr std::uint64_t keys = 20'000 / fewer;
  std::atomic<std::uint64_t> told{0};
  std::vector<std::thread> crew;
  for (int t = 0; t < 3; ++t)
    crew.emplace_back([&] {
      std::uint64_t mine = 0;
      for (std::uint64_t i = 0; i < keys; ++i)
        mine += f.insert_if_absent(key_of_writer(9, i));
      told += mine;
    });
  for (std::thread& t : crew) t.join();
  EXPECT_EQ(told.load(), keys);
  EXPECT_GT(f.levels(), 2u);
  EXPECT_NEAR(f.estimated_keys(), keys, 200);
}

TEST(Growing, AdoptsWhatIsThereAndGoesOn) {
  auto plain = must(scalable_bloom::make({.keys = 100}));
  const auto first = keys(1, 1000), second = keys(2, 5000);
  plain.insert(std::span<const key>(first));
  const auto before = must(plain.clone());
  auto f = must(concurrent<scalable_bloom>::adopt(std::move(plain)));
  EXPECT_TRUE(must(f.snapshot()) == before);
  f.insert(std::span<const key>(second));
  EXPECT_GT(f.levels(), before.levels());
  const auto after = must(f.snapshot());
  for (const auto& ks : {first, second}) {
    EXPECT_EQ(count_maybe(ask(after, std::span<const key>(ks))), ks.size());
    EXPECT_EQ(count_maybe(ask(f, std::span<const key>(ks))), ks.size());
  }
  EXPECT_LE(after.realised_fpr(), 0.01);
  EXPECT_DOUBLE_EQ(after.realised_fpr(), f.realised_fpr());
  EXPECT_EQ(f.ones(), after.ones());
}

TEST(Growing, BeyondItsLimitTryInsertRefuses) {
  auto f = must(concurrent<scalable_bloom>::make({.keys = 200, .max_growth = 7}));
  const auto ks = keys(3, 4000);
  const std::size_t in = f.try_insert(std::span<const key>(ks));
  EXPECT_GE(in, 1200u);
  EXPECT_LT(in, 2000u);
  EXPECT_EQ(f.try_insert(ks[in]).error().code, errc::full);
  EXPECT_LE(f.realised_fpr(), 0.01);
  f.insert(std::span<const key>(ks));
  EXPECT_EQ(count_maybe(ask(f, std::span<const key>(ks))), ks.size());
  EXPECT_GT(f.realised_fpr(), 0.01);
}

// A chain in service, made one filter of a single level again when its keys are at hand.
TEST(Growing, ARebuildMakesItOneFilterAgain) {
  using live_chain = live_filter<concurrent<scalable_bloom>>;
  auto live = must(live_chain::make(
      must(concurrent<scalable_bloom>::make({.keys = 50, .fpr = 0.01}))));
  const auto ks = keys(4, 5000);
  for (const key k : ks) live.insert(k);
  for (const key k : ks) ASSERT_FALSE(live.insert_if_absent(k));
  const auto chain = live.status();
  std::size_t given = 0;
  must(live.rebuild({.params = {.keys = 5000, .fpr = 0.01, .max_growth = 1}},
                    [&](std::span<key> out) -> result<std::size_t> {
                      const std::size_t n = std::min(out.size(), ks.size() - given);
                      std::ranges::copy(std::span(ks).subspan(given, n), out.begin());
                      given += n;
                      return n;
                    }));
  const auto one = live.status();
  for (const key k : ks) ASSERT_TRUE(live.may_contain(k));
  EXPECT_EQ(one.capacity, 5000u);
  EXPECT_LT(one.size_in_bytes, chain.size_in_bytes / 4 * 3);
}

}  // namespace
}  // namespace bloomery::testing
