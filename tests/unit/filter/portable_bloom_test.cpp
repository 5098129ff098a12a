// What is particular to the portable filter; what it shares with others is in tests/law.
#include <bloomery/portable_bloom.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

#include <bloomery/model.hpp>

#include "all_filters.hpp"
#include "ask.hpp"
#include "full.hpp"
#include "hash/fnv1a.hpp"
#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::must;
using testing::within_part;

errc refusal(portable_bloom::params p) {
  const auto f = portable_bloom::make(p);
  return f ? errc{} : f.error().code;
}

TEST(PortableBloom, RefusesSenselessParameters) {
  EXPECT_EQ(refusal({.keys = 0, .fpr = 0.01}), errc::invalid_argument);
  for (const double fpr :
       {0.0, 1.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(refusal({.keys = 1000, .fpr = fpr}), errc::invalid_argument) << fpr;
  EXPECT_EQ(refusal({.keys = std::uint64_t{1} << 60, .fpr = 0.01}), errc::too_large);
  EXPECT_EQ(refusal({.keys = std::uint64_t{1} << 60, .fpr = 0.05, .force = true}),
            errc::out_of_memory);
}

TEST(PortableBloom, RefusesSenselessLayouts) {
  const auto code = [](bloom_layout l) { return portable_bloom::make(l).error().code; };
  EXPECT_EQ(code({0, 1}), errc::invalid_argument);
  EXPECT_EQ(code({1, 0}), errc::invalid_argument);
  EXPECT_EQ(code({(std::uint64_t{1} << 63) + 1, 1}), errc::too_large);
  EXPECT_EQ(code({std::uint64_t{1} << 63, 1}), errc::out_of_memory);
}

// A thousand keys at 1e-9: double hashing cannot go below about 1.5e-5.
TEST(PortableBloom, RefusesARateItCannotGiveAndSaysWhich) {
  const auto f = portable_bloom::make({.keys = 1000, .fpr = 1e-9});
  ASSERT_FALSE(f);
  EXPECT_EQ(f.error().code, errc::unattainable);
  EXPECT_EQ(f.error().asked, 1e-9);
  EXPECT_TRUE(within_part(f.error().possible, 1.5e-5, 0.06));
  EXPECT_EQ(refusal({.keys = 1000, .fpr = 1e-30}), errc::unattainable);
}

TEST(PortableBloom, ForcedItBuildsAndTellsTheTruth) {
  BLOOMERY_STATISTICS();
  auto f = must(portable_bloom::make({.keys = 1000, .fpr = 1e-9, .force = true}));
  const auto ks = testing::keys(1, 1000);
  f.insert(std::span<const key>(ks));
  EXPECT_TRUE(within_part(f.expected_fpr(1000), 1.5e-5, 0.06));
  EXPECT_TRUE(within_part(f.realised_fpr(), 1.5e-5, 0.2));
  const auto absent = testing::keys(2, 5'000'000);
  EXPECT_TRUE(testing::within_5_sigma(testing::count_maybe(testing::ask(f, absent)),
                                      absent.size(), f.realised_fpr()));
}

TEST(PortableBloom, AFewKeysAreAlwaysServed) {
  for (const std::uint64_t n : {1u, 2u, 3u, 99u})
    for (const double fpr : {0.01, 1e-6, 1e-12, 1e-30})
      EXPECT_TRUE(portable_bloom::make({.keys = n, .fpr = fpr})) << n << " " << fpr;
  EXPECT_EQ(refusal({.keys = 100, .fpr = 1e-12}), errc::unattainable);
}

TEST(PortableBloom, MergeNamesTheDifference) {
  auto f = must(portable_bloom::make(bloom_layout{100, 3}));
  const auto bits = f.merge(must(portable_bloom::make(bloom_layout{101, 3})));
  ASSERT_FALSE(bits);
  EXPECT_EQ(bits.error().code, errc::incompatible);
  EXPECT_EQ(bits.error().asked, 101);
  EXPECT_EQ(bits.error().possible, 100);
  const auto hashes = f.merge(must(portable_bloom::make(bloom_layout{100, 4})));
  ASSERT_FALSE(hashes);
  EXPECT_EQ(hashes.error().code, errc::incompatible);
  EXPECT_EQ(hashes.error().asked, 4);
  EXPECT_EQ(hashes.error().possible, 3);
  EXPECT_EQ(f.ones(), 0u);
}

TEST(PortableBloom, MergesFiltersMadeForDifferentNumbersOfKeys) {
  auto f = must(portable_bloom::make(bloom_layout{100, 3}, 10));
  EXPECT_TRUE(f.merge(must(portable_bloom::make(bloom_layout{100, 3}, 20))));
}

TEST(PortableBloom, HashesWithItsOwnHash) {
  const auto f = must(portable_bloom::make({.keys = 10}));
  EXPECT_EQ(f.hasher(), hasher::fnv1a_splitmix());
  EXPECT_EQ(f.hash("k0").bits(), 0x818ba4c7a135317fu);
  const auto of_integers =
      must(portable_bloom::make({.keys = 10, .source = key_source::integers}));
  EXPECT_EQ(of_integers.hash_u64(0x3030306b).bits(),
            hash::fnv1a_splitmix({"k000\0\0\0\0", 8}));
}

TEST(PortableBloom, AFullFilterSaysSo) {
  for (const std::uint64_t bits : {1u, 8u, 64u, 1001u, 70'000u}) {
    auto f = must(portable_bloom::make(bloom_layout{bits, 3}));
    for (const key k : testing::keys(3, 20 * bits)) f.insert(k);
    ASSERT_EQ(f.ones(), bits);
    EXPECT_EQ(f.fill(), 1);
    EXPECT_EQ(f.realised_fpr(), 1);
    EXPECT_TRUE(std::isinf(f.estimated_keys()));
  }
}

// The exact enumeration ends at 65536 bits; on the same bits the closed form that takes
// over says the same.
TEST(PortableBloom, RealisedRateDoesNotJumpAtTheLimitOfTheExactOne) {
  BLOOMERY_STATISTICS();
  for (const std::uint32_t k : {4u, 7u, 10u}) {
    auto f = must(portable_bloom::make(bloom_layout{model::exact_limit, k}));
    const auto ks = testing::keys(4, 46'000 / k);  // about half full
    f.insert(std::span<const key>(ks));
    const double closed = model::portable_fpr_from_ones(f.bits(), k, f.ones());
    EXPECT_TRUE(within_part(closed, f.realised_fpr(), 0.01)) << k;
  }
}

// A source that kept the other filter's smaller memory under its own size would write
// beyond it.
TEST(PortableBloom, MoveAssignmentLeavesTheSourceWithoutMemory) {
  auto small = portable_bloom::make(bloom_layout{64, 3});
  auto big = portable_bloom::make(bloom_layout{1'000'000, 7});
  ASSERT_TRUE(small && big);
  big->insert("x");
  *small = std::move(*big);
  EXPECT_EQ(small->bits(), 1'000'000u);
  EXPECT_TRUE(small->may_contain("x"));
  EXPECT_EQ(big->size_in_bytes(), 0u);
  *big = *portable_bloom::make(bloom_layout{64, 3});  // may be assigned to again
  big->insert("y");
  EXPECT_TRUE(big->may_contain("y"));
}

// No writer uses thousands of hashes; a file may, and the rate must still be true.
TEST(PortableBloom, AbsurdlyManyHashesAreReportedAsTheyAre) {
  BLOOMERY_STATISTICS();
  for (const bloom_layout layout :
       {bloom_layout{65'538, 32'769}, bloom_layout{72'072, 20'000}}) {
    auto f = portable_bloom::make(layout);
    ASSERT_TRUE(f);
    for (const key k : testing::keys(layout.bits, 3)) f->insert(k);
    constexpr std::size_t trials = 20'000;
    std::size_t hits = 0;
    for (const key k : testing::keys(99, trials)) hits += f->may_contain(k);
    const double measured = static_cast<double>(hits) / trials;
    EXPECT_NEAR(f->realised_fpr(), measured, 0.02 + 0.1 * measured) << layout.bits;
  }
}

TEST(PortableBloom, MovesWithoutThrowingAndDoesNotCopy) {
  static_assert(std::is_nothrow_move_constructible_v<portable_bloom>);
  static_assert(std::is_nothrow_move_assignable_v<portable_bloom>);
  static_assert(!std::is_copy_constructible_v<portable_bloom>);
  static_assert(!std::is_copy_assignable_v<portable_bloom>);
}

// 2^33 bits, 896 million keys at 1 %: the halves are short by one bit.
TEST(PortableBloomFull, IsHonestBeyondThirtyTwoBits) {
  BLOOMERY_FULL_ONLY();
  if (testing::sanitized) GTEST_SKIP() << "statistics, at a tenth of the speed";
  constexpr std::uint64_t n = 896'000'000;
  auto f = must(portable_bloom::make(bloom_layout{std::uint64_t{1} << 33, 7}));
  for (std::uint64_t part = 0; part < 896; ++part) {
    const auto ks = testing::keys(part, n / 896);
    f.insert(std::span<const key>(ks));
  }
  std::size_t hits = 0, trials = 0;
  for (std::uint64_t part = 1000; part < 1020; ++part) {
    const auto absent = testing::keys(part, 1'000'000);
    hits += testing::count_maybe(testing::ask(f, absent));
    trials += absent.size();
  }
  const double measured = static_cast<double>(hits) / static_cast<double>(trials);
  EXPECT_TRUE(within_part(f.realised_fpr(), measured, 0.01));
  EXPECT_TRUE(within_part(f.expected_fpr(n), measured, 0.01));
  EXPECT_TRUE(within_part(f.estimated_keys(), double{n}, 0.01));
}

}  // namespace
}  // namespace bloomery
