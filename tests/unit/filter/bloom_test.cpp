// The classic filter: what the laws of all filters do not cover.
#include <bloomery/bloom.hpp>

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include <bloomery/detail/kind/bloom/sizing.hpp>
#include <bloomery/model.hpp>

#include "ask.hpp"
#include "bloom_oracle.hpp"
#include "full.hpp"
#include "must.hpp"
#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::keys;
using testing::must;
using testing::within_part;

// 64-bit clean: positions beyond 2^32 and up to the largest layout.
TEST(BloomProbe, WalksAsTheSpecificationSays) {
  for (const std::uint64_t bits :
       {std::uint64_t{1}, std::uint64_t{96}, (std::uint64_t{1} << 32) + 15,
        std::uint64_t{1} << 40, bloom_probe::max_bits - 1, bloom_probe::max_bits}) {
    const bloom_probe probe(bits);
    std::uint64_t highest = 0;
    for (const key k : keys(bits, 300)) {
      auto w = probe.start(k);
      for (const std::uint64_t want : testing::oracle_walk(bits, 30, k.bits())) {
        ASSERT_EQ(w.at, want);
        ASSERT_LT(w.at, bits);
        highest = std::max(highest, w.at);
        w.advance(bits);
      }
    }
    EXPECT_GE(static_cast<double>(highest + 1), 0.99 * static_cast<double>(bits));
  }
}

// The lowest bit of a key does not count: that is what h | 1 costs.
TEST(BloomProbe, KeysThatDifferInTheLowestBitAreOne) {
  auto f = must(bloom::make({.keys = 10}));
  f.insert(key::from_bits(0x123456789abcdef0));
  EXPECT_TRUE(f.may_contain(key::from_bits(0x123456789abcdef1)));
  EXPECT_FALSE(f.may_contain(key::from_bits(0x123456789abcdef2)));
}

TEST(BloomSizing, IsTheSmallestThatKeepsTheRate) {
  for (const std::uint64_t n : {1ull, 2ull, 10ull, 1000ull, 1'000'000ull, 1ull << 35})
    for (const double fpr : {0.9, 0.5, 0.1, 0.01, 1e-3, 1e-6, 1e-8}) {
      SCOPED_TRACE(::testing::Message() << "n=" << n << " fpr=" << fpr);
      const bloom_layout l = must(size_bloom_by_rate(n, fpr));
      const auto m = static_cast<double>(l.bits), keys = static_cast<double>(n);
      EXPECT_LE(model::bloom_fpr(m, l.hashes, keys), fpr);
      for (std::uint32_t k = 1; k <= 40; ++k)
        if (l.bits > 1) {
          EXPECT_GT(model::bloom_fpr(m - 1, k, keys), fpr) << "k=" << k;
        }
      if (n >= 1000 && fpr < 0.2) {
        const double bound = -std::log2(fpr) / std::numbers::ln2 * keys;
        EXPECT_TRUE(within_part(m, bound, 0.03));
      }
    }
}

TEST(BloomSizing, RefusesTheAbsurd) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   infinite = std::numeric_limits<double>::infinity();
  for (const double fpr : {0.0, 1.0, -1.0, 2.0, nan, infinite})
    EXPECT_EQ(size_bloom_by_rate(10, fpr).error().code, errc::invalid_argument) << fpr;
  EXPECT_EQ(size_bloom_by_rate(0, 0.01).error().code, errc::invalid_argument);
  for (const std::uint64_t n : {std::uint64_t{1} << 60, ~std::uint64_t{0}})
    for (const double fpr : {0.9, 0.01, 1e-30, 5e-324}) {
      const auto r = size_bloom_by_rate(n, fpr);
      ASSERT_FALSE(r);
      EXPECT_EQ(r.error().code, errc::too_large);
      EXPECT_GT(r.error().asked, r.error().possible);
      EXPECT_EQ(r.error().possible, 0x1p48);
    }
  for (const double fpr : {1e-30, 5e-324}) {
    const auto r = size_bloom_by_rate(1000, fpr);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, errc::unattainable);
    EXPECT_EQ(r.error().asked, fpr);
    EXPECT_GT(r.error().possible, 0);
    EXPECT_LT(r.error().possible, 1e-12);
  }
}

TEST(BloomSizing, ByBitsTakesTheBestNumberOfHashes) {
  EXPECT_EQ(must(size_bloom_by_bits(1000, 10'000)), (bloom_layout{10'000, 7}));
  for (const std::uint64_t bits : {1ull, 100ull, 5000ull, 14'400ull, 100'000ull}) {
    const bloom_layout l = must(size_bloom_by_bits(1000, bits));
    for (std::uint32_t k = 1; k <= max_bloom_hashes; ++k)
      EXPECT_LE(model::bloom_fpr(static_cast<double>(bits), l.hashes, 1000),
                1.0001 * model::bloom_fpr(static_cast<double>(bits), k, 1000))
          << bits << " " << k;
  }
  EXPECT_EQ(size_bloom_by_bits(0, 10).error().code, errc::invalid_argument);
  EXPECT_EQ(size_bloom_by_bits(10, 0).error().code, errc::invalid_argument);
  EXPECT_EQ(size_bloom_by_bits(10, (1ull << 48) + 1).error().code, errc::too_large);
}

TEST(Bloom, RefusesImpossibleLayouts) {
  const auto code = [](bloom_layout l) { return bloom::make(l).error().code; };
  EXPECT_EQ(code({0, 1}), errc::invalid_argument);
  EXPECT_EQ(code({1, 0}), errc::invalid_argument);
  EXPECT_EQ(code({100, 65}), errc::too_large);
  EXPECT_EQ(code({(std::uint64_t{1} << 48) + 1, 1}), errc::too_large);
  EXPECT_EQ(code({std::uint64_t{1} << 48, 1}), errc::out_of_memory);
}

// No floor but 2^-63 per key: fill^k is the rate that was asked for, however low.
TEST(Bloom, RatesFallAsFarAsAsked) {
  const std::size_t n = 100'000;
  const auto ks = keys(1, n);
  for (const double fpr : {1e-4, 1e-6, 1e-9, 1e-12}) {
    const auto f = must(bloom::build(ks, {.fpr = fpr}));
    EXPECT_LE(f.expected_fpr(n), fpr);
    EXPECT_TRUE(within_part(f.expected_fpr(n), fpr, 0.01)) << fpr;
    const double alike = f.estimated_keys() * 0x1p-63;  // but for their lowest bit
    EXPECT_TRUE(
        within_part(f.realised_fpr(), std::pow(f.fill(), f.hashes()) + alike, 1e-9));
    EXPECT_TRUE(within_part(f.realised_fpr(), f.expected_fpr(n), 0.05)) << fpr;
    EXPECT_TRUE(within_part(f.fill(), 0.5, 0.03)) << fpr;
    EXPECT_TRUE(within_part(f.estimated_keys(), static_cast<double>(n), 0.005));
  }
}

// The probes of one key behave as independent ones: the share of keys whose first j bits
// are all set is fill^j for every j.
TEST(Bloom, ProbesAreIndependent) {
  const std::uint64_t bits = 1 << 20;
  const auto layout = bloom_layout{bits, 8};
  auto f = must(bloom::make(layout));
  f.insert(std::span<const key>(keys(2, 90'000)));
  const double fill = f.fill();
  const std::size_t trials = 1'000'000;
  std::vector<std::size_t> reached(21);
  for (const key k : keys(3, trials)) {
    auto w = bloom_probe(bits).start(k);
    for (std::size_t j = 1; j < reached.size() && w.bit_in(f.bytes().data()) != 0; ++j)
      ++reached[j], w.advance(bits);
  }
  for (std::size_t j = 1; j < reached.size(); ++j)
    EXPECT_TRUE(testing::within_5_sigma(reached[j], trials, std::pow(fill, j))) << j;
}

TEST(Bloom, IntersectKeepsTheCommonKeys) {
  const auto common = keys(4, 100), a = keys(5, 200), b = keys(6, 200);
  const auto with = [&](const std::vector<key>& ks) {
    auto f = must(bloom::make({.keys = 300}));
    f.insert(std::span<const key>(common));
    f.insert(std::span<const key>(ks));
    return f;
  };
  auto f = with(a);
  must(f.intersect(with(b)));
  EXPECT_EQ(testing::count_maybe(testing::ask(f, common)), common.size());
  EXPECT_LT(testing::count_maybe(testing::ask(f, a)), a.size() / 2);
}

TEST(Bloom, RefusesOtherLayoutsAndHashers) {
  auto f = must(bloom::make(bloom_layout{1000, 5}));
  std::vector<bloom> others;
  others.push_back(must(bloom::make(bloom_layout{1001, 5})));
  others.push_back(must(bloom::make(bloom_layout{1000, 6})));
  others.push_back(must(bloom::make(bloom_layout{1000, 5}, 0, hasher::xxh3(1))));
  for (const bloom& other : others) {
    EXPECT_EQ(f.merge(other).error().code, errc::incompatible);
    EXPECT_EQ(f.intersect(other).error().code, errc::incompatible);
    EXPECT_FALSE(f == other);
  }
}

// Bits beyond 2^32, for real.
TEST(BloomFull, BeyondFourGigabits) {
  BLOOMERY_FULL_ONLY();
  const std::uint64_t bits = (std::uint64_t{3} << 31) + 5;
  auto f = must(bloom::make(bloom_layout{bits, 7}));
  const auto ks = keys(7, 1'000'000);
  f.insert(std::span<const key>(ks));
  EXPECT_EQ(testing::count_maybe(testing::ask(f, ks)), ks.size());
  EXPECT_TRUE(within_part(f.estimated_keys(), 1e6, 0.005));
  std::uint64_t beyond = 0;
  for (const key k : keys(7, 1000))
    for (const std::uint64_t at : testing::oracle_walk(bits, 7, k.bits())) {
      EXPECT_NE(static_cast<unsigned>(f.bytes()[at / 8]) >> (at % 8) & 1u, 0u);
      beyond += at >> 32 != 0;
    }
  EXPECT_TRUE(testing::within_5_sigma(beyond, 7000, 1.0 / 3));
}

}  // namespace
}  // namespace bloomery
