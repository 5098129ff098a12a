// The ribbon filter: every key is found, whatever the keys; the same bytes in every way
// of building; what it refuses.
#include <bloomery/ribbon.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/any_filter.hpp>
#include <bloomery/container.hpp>
#include <bloomery/kinds.hpp>

#include "ask.hpp"
#include "cases.hpp"
#include "encoded.hpp"
#include "full.hpp"
#include "must.hpp"
#include "ribbon_oracle.hpp"
#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::ask;
using testing::count_maybe;
using testing::keys;
using testing::must;

std::vector<key> sorted(std::vector<key> ks) {
  std::ranges::sort(ks, {}, &key::bits);
  ks.erase(std::unique(ks.begin(), ks.end()), ks.end());
  return ks;
}

// Builds from n keys, some of them twice, and asks for all.
void build_and_find(std::size_t n, unsigned width, double fpr, std::uint64_t seed) {
  auto ks = keys(seed, n);
  for (std::size_t i = 0; i < n; i += 7) ks.push_back(ks[i / 2]);
  const auto f = ribbon::build(ks, {.fpr = fpr, .width = width});
  ASSERT_TRUE(f) << "n=" << n << " w=" << width << " fpr=" << fpr;
  ASSERT_EQ(count_maybe(ask(*f, ks)), ks.size())
      << "n=" << n << " w=" << width << " fpr=" << fpr;
  ASSERT_EQ(f->capacity(), n);
  testing::count_cases("filters", 1);
}

constexpr double rates[] = {0.5, 0.1, 0.01, 0x1p-8, 0.001, 0x1p-16, 0x1p-32};

TEST(Ribbon, FindsEveryKeyAtEverySize) {
  for (std::size_t n = 0; n < 200; ++n)
    for (const unsigned width : {64u, 128u})
      build_and_find(n, width, rates[n % std::size(rates)], n);
  testing::random any(1);
  for (int i = 0; i < 40; ++i)
    build_and_find(any.below(12'000), i % 2 == 0 ? 64 : 128,
                   rates[any.below(std::size(rates))], 1000 + any.below(1000));
  build_and_find(150'000, 64, 0.01, 1);
  build_and_find(300'000, 128, 0.01, 2);
}

TEST(RibbonFull, FindsEveryKeyAtEverySize) {
  BLOOMERY_FULL_ONLY();
  for (std::size_t n = 0; n <= 20'000; ++n)
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
      build_and_find(n, (n + seed) % 3 == 0 ? 128 : 64,
                     rates[(n + seed) % std::size(rates)], 100 * n + seed);
  testing::random any(2);
  for (int i = 0; i < 300; ++i)
    for (const unsigned width : {64u, 128u})
      build_and_find(any.below(1'000'001), width, rates[any.below(std::size(rates))],
                     any.below(1'000'000));
}

TEST(Ribbon, OfNoKeysHasNoBytesAndContainsNothing) {
  const ribbon f = must(ribbon::build({}));
  EXPECT_EQ(f.size_in_bytes(), 0u);
  EXPECT_EQ(f.realised_fpr(), 0);
  EXPECT_EQ(count_maybe(ask(f, keys(1, 1000))), 0u);
  const ribbon again = must(ribbon::decode(must(f.encode()).bytes()));
  EXPECT_TRUE(again == f);
  EXPECT_EQ(count_maybe(ask(again, keys(1, 1000))), 0u);
  EXPECT_EQ(count_maybe(ask(must(f.clone()), keys(1, 1000))), 0u);
}

// A source that hands out its keys in its own memory, which it overwrites.
struct parts {
  std::vector<key> all, some;
  std::size_t given = 0;
  std::size_t fails_at = std::numeric_limits<std::size_t>::max();

  static result<std::span<const key>> take(void* context, std::uint64_t end) noexcept {
    auto& p = *static_cast<parts*>(context);
    p.some.clear();
    while (p.given < p.all.size() && (end == 0 || p.all[p.given].bits() < end))
      p.some.push_back(p.all[p.given++]);
    if (p.given >= p.fails_at) return error{errc::io, "the disk is gone"};
    return std::span<const key>(p.some);
  }
};

TEST(Ribbon, HasTheSameBytesInEveryWayOfBuilding) {
  for (const unsigned width : {64u, 128u})
    for (const std::size_t n : {0u, 1u, 900u, 1500u, 300'000u}) {
      auto ks = keys(n + width, n);
      const ribbon::params p{.fpr = 0.003, .width = width};
      const ribbon want = must(ribbon::build(ks, p));
      for (const unsigned threads : {2u, 4u, 7u})
        EXPECT_TRUE(must(ribbon::build(ks, p, threads)) == want) << n << " " << threads;
      parts source{sorted(ks), {}};
      for (const unsigned threads : {1u, 3u}) {
        source.given = 0;
        sorted_keys from(source.all.size(), &source, parts::take);
        EXPECT_TRUE(must(ribbon::build(from, p, threads)) == want) << n;
      }
      sorted_keys in_memory{std::span<const key>(source.all)};
      EXPECT_TRUE(must(ribbon::build(in_memory, p)) == want);
      std::ranges::reverse(ks);
      ks.insert(ks.end(), ks.begin(), ks.begin() + static_cast<std::ptrdiff_t>(n / 3));
      EXPECT_TRUE(must(ribbon::build(ks, p, 2)) == want);
    }
}

TEST(RibbonFull, BytesOfLargeOnesDoNotDependOnThreads) {
  BLOOMERY_FULL_ONLY();
  const auto ks = keys(8, 10'000'000);
  const ribbon want = must(ribbon::build(ks, {.fpr = 0x1p-8}));
  EXPECT_EQ(count_maybe(ask(want, ks)), ks.size());
  for (const unsigned threads : {2u, 4u, 7u})
    EXPECT_TRUE(must(ribbon::build(ks, {.fpr = 0x1p-8}, threads)) == want) << threads;
  parts source{sorted(ks), {}};
  sorted_keys from(source.all.size(), &source, parts::take);
  EXPECT_TRUE(must(ribbon::build(from, {.fpr = 0x1p-8}, 2)) == want);
}

// Keys that are no uniform hashes: more bytes, never a false negative, never a failure.
TEST(Ribbon, TakesAnyHashes) {
  constexpr std::size_t n = 60'000;
  std::vector<std::vector<key>> sets(6);
  testing::random any(3);
  for (std::size_t i = 0; i < n; ++i) {
    sets[0].push_back(key::from_bits(i));  // all at the first slot
    sets[1].push_back(key::from_bits(~std::uint64_t{0} - i));
    sets[2].push_back(key::from_bits(any.next() >> 40 << 40));  // 2^24 of them
    sets[3].push_back(key::from_bits(i << 48 | i >> 16));
    sets[4].push_back(key::from_bits(any.next() | 0xffff000000000000));
    sets[5].push_back(key::from_bits(i * 0x9e3779b97f4a7c15));
  }
  for (const auto& ks : sets)
    for (const unsigned width : {64u, 128u}) {
      const ribbon f = must(ribbon::build(ks, {.fpr = 0.01, .width = width}, 2));
      EXPECT_EQ(count_maybe(ask(f, ks)), ks.size());
      // A layer of no use, and what follows it.
      EXPECT_LE(f.size_in_bytes(), 2 * 7 * n / 8 + n / 50);
      testing::count_cases("filters", 1);
    }
}

// Keys that contradict each other in every layer: their hashes are kept.
TEST(Ribbon, KeepsTheHashesThatNoLayerTakes) {
  for (const unsigned width : {64u, 128u}) {
    const auto ks = keys(9, width == 64 ? 2000 : 8000);
    const ribbon f = testing::ribbon_of(
        ks, {8, 0}, width, {.small_keys = 1, .last_keys = 1, .max_buckets = 1});
    EXPECT_TRUE(f.shape().keeps_hashes);
    EXPECT_EQ(f.layout().layers, 4u);
    EXPECT_GT(f.layout().hashes, 100u);
    EXPECT_EQ(count_maybe(ask(f, ks)), ks.size());
    const std::size_t trials = 1'000'000;
    EXPECT_TRUE(testing::within_5_sigma(count_maybe(ask(f, keys(10, trials))), trials,
                                        f.realised_fpr()));
    const ribbon again = must(ribbon::decode(must(f.encode()).bytes()));
    EXPECT_TRUE(again == f);
  }
}

TEST(Ribbon, RefusesASourceThatLies) {
  for (const std::size_t n : {100u, 5000u}) {
    const auto ks = sorted(keys(4, n));
    const auto built = [&](parts source, std::uint64_t stated) {
      sorted_keys from(stated, &source, parts::take);
      return ribbon::build(from, ribbon::params{});
    };
    EXPECT_TRUE(built({ks, {}}, n));
    EXPECT_EQ(built({ks, {}}, n + 1).error().code, errc::invalid_argument);
    EXPECT_EQ(built({ks, {}}, n - 1).error().code, errc::invalid_argument);
    EXPECT_EQ(built({ks, {}, 0, n / 2}, n).error().code, errc::io);
  }
  auto descending = sorted(keys(4, 5000));
  std::ranges::reverse(descending);
  sorted_keys from{std::span<const key>(descending)};
  EXPECT_EQ(ribbon::build(from, ribbon::params{}).error().code, errc::invalid_argument);
}

TEST(Ribbon, RefusesWhatItCannotBe) {
  const auto ks = keys(1, 100);
  const auto code = [&](ribbon::params p) { return ribbon::build(ks, p).error().code; };
  EXPECT_EQ(code({.width = 63}), errc::invalid_argument);
  EXPECT_EQ(code({.width = 0}), errc::invalid_argument);
  EXPECT_EQ(code({.fpr = 0}), errc::invalid_argument);
  EXPECT_EQ(code({.fpr = 1}), errc::invalid_argument);
  EXPECT_EQ(code({.fpr = std::nan("")}), errc::invalid_argument);
  EXPECT_EQ(code({.fpr = 1e-10}), errc::unattainable);
  EXPECT_EQ(ribbon::build(ks, ribbon_columns{0, 0}, {}).error().code,
            errc::invalid_argument);
  EXPECT_EQ(ribbon::build(ks, ribbon_columns{33, 0}, {}).error().code,
            errc::invalid_argument);
  const kind_info& k = *find_kind("ribbon");
  size_request r;
  must(set_option(r, "ribbon_width", 96));
  EXPECT_EQ(k.size(100, r).error().code, errc::invalid_argument);
  r = {};
  r.exact = {10, 8};
  EXPECT_EQ(k.size(100, r).error().code, errc::unsupported);
  r = {};
  must(set_option(r, "ribbon_width", 128));
  EXPECT_EQ(find_kind("block")->size(100, r).error().code, errc::unsupported);
}

TEST(Ribbon, StaysWithinTheMemoryAsked) {
  const kind_info& k = *find_kind("ribbon");
  testing::random any(5);
  for (int i = 0; i < 60; ++i) {
    const std::size_t n = 1 + any.below(i % 6 == 0 ? 40'000 : 3000);
    size_request r;
    r.memory = n / 8 + 16 + any.below(4 * n);
    must(set_option(r, "ribbon_width", i % 2 == 0 ? 64 : 128));
    const auto ks = keys(static_cast<std::uint64_t>(i), n);
    const auto f = k.build(ks, n, r, k.facts.hasher(), 1);
    if (!f) {
      EXPECT_EQ(f.error().code, errc::unattainable);
      EXPECT_LT(*r.memory, n / 4 + 200);
      continue;
    }
    EXPECT_LE(f->size_in_bytes(), *r.memory);
    EXPECT_EQ(count_maybe(ask(*f, ks)), n);
    if (n < 500) continue;
    // It uses what it may: 32 columns at the most.
    const double used = static_cast<double>(f->size_in_bytes());
    const double columns = k.header(must(k.size(n, r))).hashes;
    EXPECT_GT(
        used + 60 * columns / 8 + 24,
        0.97 * std::min(static_cast<double>(*r.memory), 4.0 * static_cast<double>(n)));
  }
}

// Lookups that need a damaged byte say "possibly present", and the rate knows.
TEST(Ribbon, CountsDamageAsItAnswers) {
  for (const unsigned width : {64u, 128u}) {
    const auto ks = keys(11, 40'000);
    const ribbon f = must(ribbon::build(ks, {.fpr = 0.003, .width = width}));
    auto bytes = testing::encoded(f);
    for (const std::size_t at : {5000u, 20'000u, 33'000u}) bytes[at] ^= std::byte{1};
    const ribbon broken = must(ribbon::decode(bytes));
    EXPECT_GT(broken.damage().damaged_chunks(), 0u);
    EXPECT_EQ(count_maybe(ask(broken, ks)), ks.size());
    EXPECT_GT(broken.realised_fpr(), 0.05);
    const std::size_t trials = 200'000;
    EXPECT_TRUE(testing::within_5_sigma(count_maybe(ask(broken, keys(12, trials))),
                                        trials, broken.realised_fpr()));
    EXPECT_EQ(broken.clone().error().code, errc::corrupt);
  }
}

}  // namespace
}  // namespace bloomery
