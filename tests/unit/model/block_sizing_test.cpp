#include <bloomery/detail/kind/block/sizing.hpp>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/model.hpp>

#include "block_oracle.hpp"
#include "must.hpp"
#include "not_finite.hpp"
#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::all_profiles;
using testing::infinite;
using testing::must;
using testing::nan;
using testing::within_part;

constexpr std::uint64_t million = 1'000'000;

double bits_a_key(double fpr) {
  return static_cast<double>(must(size_blocks_by_rate(million, fpr)).bits()) / 1e6;
}

TEST(BlockSizing, KeepsItsPromisesOfMemory) {
  EXPECT_LE(bits_a_key(0.01), 10.15);
  EXPECT_LE(bits_a_key(0.001), 15.8);
  EXPECT_LE(bits_a_key(0.0001), 20.3);
}

TEST(BlockSizing, MatchesThePublishedTable) {
  EXPECT_TRUE(within_part(bits_a_key(0.05), 6.41, 0.003));
  EXPECT_TRUE(within_part(bits_a_key(0.01), 10.10, 0.003));
  EXPECT_TRUE(within_part(bits_a_key(1e-3), 15.72, 0.003));
  EXPECT_TRUE(within_part(bits_a_key(1e-4), 20.20, 0.003));
  EXPECT_TRUE(within_part(bits_a_key(1e-5), 25.38, 0.003));
  EXPECT_TRUE(within_part(bits_a_key(1e-6), 31.45, 0.003));
}

// One block fewer breaks the rate, for every profile and from one key up.
TEST(BlockSizing, IsTheSmallestThatKeepsTheRate) {
  for (const block_profile p : all_profiles)
    for (const std::uint64_t keys :
         {1ull, 2ull, 7ull, 100ull, 12'345ull, 400'000ull, 1'000'000ull, 30'000'000ull})
      for (const double fpr : {0.999, 0.5, 0.1, 0.05, 0.01, 1e-3, 1e-4, 1e-6, 1e-8}) {
        SCOPED_TRACE(::testing::Message()
                     << name_of(p) << " keys=" << keys << " fpr=" << fpr);
        const auto sized = size_blocks_by_rate(keys, fpr, p);
        if (!sized && p == block_profile::split) continue;  // beyond 2 GiB
        block_shape s = must(sized);
        EXPECT_EQ(s.profile, p);
        const auto n = static_cast<double>(keys);
        EXPECT_LE(model::block_fpr(s, n), fpr);
        if (--s.blocks == 0) continue;
        EXPECT_GT(model::block_fpr(s, n), fpr);
      }
}

TEST(BlockSizing, ChoosesTheProfileByTheRate) {
  const auto chosen = [](double fpr) {
    return must(block_bloom::make({.keys = 1000, .fpr = fpr})).profile();
  };
  EXPECT_EQ(chosen(0.5), block_profile::half_line);
  EXPECT_EQ(chosen(0.03), block_profile::half_line);
  EXPECT_EQ(chosen(0.0299), block_profile::line);
  EXPECT_EQ(chosen(0.01), block_profile::line);
  EXPECT_EQ(chosen(5e-4), block_profile::line);
  EXPECT_EQ(chosen(4.9e-4), block_profile::two_lines);
  EXPECT_EQ(chosen(1e-6), block_profile::two_lines);
}

// No other profile would be more than 4 % smaller.  (Two lines cost a second access, so
// one is kept a little longer than memory alone would say.)
TEST(BlockSizing, TheChosenProfileIsTheSmallest) {
  using enum block_profile;
  for (const double fpr : {0.2, 0.1, 0.05, 0.035, 0.025, 0.02, 0.01, 0.005, 0.001, 6e-4,
                           4e-4, 1e-4, 1e-5, 1e-6}) {
    const auto size =
        static_cast<double>(must(size_blocks_by_rate(million, fpr)).size_in_bytes());
    for (const block_profile p : {half_line, line, two_lines})
      EXPECT_LT(size, 1.04 * static_cast<double>(
                                 must(size_blocks_by_rate(million, fpr, p)).bits() / 8))
          << fpr << " " << name_of(p);
  }
}

TEST(BlockSizing, AProfileCanBeNamed) {
  using enum block_profile;
  for (const block_profile p : {half_line, line, two_lines, lanes16}) {
    const auto f = must(block_bloom::make({.keys = 1000, .fpr = 0.01, .profile = p}));
    EXPECT_EQ(f.profile(), p);
    EXPECT_LE(f.expected_fpr(1000), 0.01);
  }
  const auto refused = block_bloom::make({.keys = 1000, .profile = split});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::invalid_argument);
}

TEST(BlockSizing, RefusesWhatIsNoRate) {
  for (const block_profile p : all_profiles)
    for (const double fpr : {0.0, 1.0, -1.0, 2.0, infinite, -infinite}) {
      const auto r = size_blocks_by_rate(1000, fpr, p);
      ASSERT_FALSE(r) << fpr;
      EXPECT_EQ(r.error().code, errc::invalid_argument);
      EXPECT_EQ(r.error().asked, fpr);
    }
  const auto r = size_blocks_by_rate(1000, nan);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().code, errc::invalid_argument);
  EXPECT_TRUE(std::isnan(r.error().asked));
}

TEST(BlockSizing, RefusesNoKeys) {
  for (const double fpr : {0.01, 0.0, nan})
    EXPECT_EQ(size_blocks_by_rate(0, fpr).error().code, errc::invalid_argument);
  EXPECT_EQ(size_blocks_by_memory(0, 1000).error().code, errc::invalid_argument);
}

// Too many keys, or too low a rate: the reason, and the nearest thing to be had.
TEST(BlockSizing, RefusesTheAbsurdWithNumbers) {
  constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  for (const block_profile p : all_profiles)
    for (const std::uint64_t keys : {std::uint64_t{1} << 60, all})
      for (const double fpr : {0.999, 0.5, 0.01, 1e-30, 5e-324}) {
        SCOPED_TRACE(::testing::Message()
                     << name_of(p) << " keys=" << keys << " fpr=" << fpr);
        const auto r = size_blocks_by_rate(keys, fpr, p);
        ASSERT_FALSE(r);
        EXPECT_EQ(r.error().code, errc::too_large);
        EXPECT_GT(r.error().asked, r.error().possible);
        EXPECT_TRUE(within_part(r.error().possible,
                                p == block_profile::split ? 0x1p31 : 0x1p48, 1e-6));
      }
  // Below what 64-bit keys allow no size helps.
  for (const double fpr : {1e-30, 5e-324}) {
    using enum block_profile;
    for (const block_profile p : {half_line, line, two_lines, split, lanes16}) {
      const auto r = size_blocks_by_rate(1000, fpr, p);
      ASSERT_FALSE(r);
      EXPECT_EQ(r.error().code, errc::unattainable) << name_of(p);
      EXPECT_EQ(r.error().asked, fpr);
      EXPECT_GE(r.error().possible, 1000 * 0x1p-64);
      EXPECT_LT(r.error().possible, 1e-6);
    }
  }
  // The split filter ends at 2 GiB long before its keys collide.
  const auto r = size_blocks_by_rate(1000, 1e-15, block_profile::split);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().code, errc::too_large);
  EXPECT_GT(r.error().asked, r.error().possible);
}

// Just beyond the largest filter: what is asked for is still more than what there is.
TEST(BlockSizing, AsksForMoreThanIsPossibleAtTheEdge) {
  for (const std::uint64_t keys :
       {1'650'000'000ull, 1'700'000'000ull, 2'000'000'000ull}) {
    const auto r = size_blocks_by_rate(keys, 0.01, block_profile::split);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, errc::too_large);
    EXPECT_GT(r.error().asked, r.error().possible) << keys;
  }
}

TEST(BlockSizing, ByMemoryFillsItWithTheBestProfile) {
  using enum block_profile;
  const auto at = [](std::uint64_t keys, std::uint64_t bytes) {
    return must(size_blocks_by_memory(keys, bytes));
  };
  EXPECT_EQ(at(million, 750'000).profile, half_line);    // 6 bits a key
  EXPECT_EQ(at(million, 1'500'000).profile, line);       // 12
  EXPECT_EQ(at(million, 3'000'000).profile, two_lines);  // 24
  for (const std::uint64_t bytes : {64ull, 65ull, 1000ull, 123'456ull}) {
    const block_shape s = at(1000, bytes);
    EXPECT_LE(s.size_in_bytes(), bytes);
    EXPECT_GT(s.size_in_bytes() + s.block_bytes(), bytes);
  }
  EXPECT_EQ(at(1, 32), (block_shape{1, half_line}));
  EXPECT_EQ(must(size_blocks_by_memory(1, 100, split)), (block_shape{3, split}));
}

TEST(BlockSizing, ByMemoryRefusesTheAbsurd) {
  for (const std::uint64_t bytes : {0ull, 1ull, 31ull}) {
    const auto r = size_blocks_by_memory(10, bytes);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, errc::invalid_argument);
    EXPECT_EQ(r.error().asked, static_cast<double>(bytes));
    EXPECT_EQ(r.error().possible, 32);
  }
  EXPECT_EQ(size_blocks_by_memory(10, 63, block_profile::line).error().possible, 64);
  for (const block_profile p : {block_profile::by_rate, block_profile::split}) {
    const auto r = size_blocks_by_memory(10, std::uint64_t{1} << 60, p);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, errc::too_large);
    EXPECT_EQ(r.error().asked, 0x1p60);
  }
  // Hopelessly full is a rate too.
  EXPECT_TRUE(size_blocks_by_memory(~std::uint64_t{0}, 1000));
}

TEST(BlockSizing, FoldableIsAtMostOnePercentMoreWithManyDivisors) {
  testing::random from(1);
  for (int round = 0; round < 20'000; ++round) {
    const std::uint64_t blocks = 1 + (from.next() >> (20 + from.below(44)));
    const std::uint64_t more = foldable_blocks(blocks);
    ASSERT_GE(more, blocks);
    ASSERT_LE(static_cast<double>(more), 1.01 * static_cast<double>(blocks));
    // The more blocks, the more divisors: those of the largest step below 1 % of them.
    std::uint64_t step = 1;
    for (const std::uint64_t s : {2u, 12u, 60u, 120u, 840u, 5040u, 55440u, 720720u})
      if (blocks >= 100 * s) step = s;
    ASSERT_EQ(more % step, 0u) << blocks;
  }
  EXPECT_EQ(foldable_blocks(1), 1u);
  EXPECT_EQ(foldable_blocks(157'812) % 840, 0u);  // a million keys at 1 %
}

TEST(BlockSizing, UnknownProfilesAndSizesBeyondAnyFilter) {
  const auto none = static_cast<block_profile>(9);
  EXPECT_EQ(size_blocks_by_rate(100, 0.01, none).error().code, errc::invalid_argument);
  EXPECT_EQ(size_blocks_by_memory(100, 1000, none).error().code, errc::invalid_argument);
  EXPECT_STREQ(name_of(none), "unknown");
  EXPECT_EQ(foldable_blocks(~std::uint64_t{0}), ~std::uint64_t{0});
}

}  // namespace
}  // namespace bloomery
