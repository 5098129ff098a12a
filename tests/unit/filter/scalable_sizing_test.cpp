// Sizes of chains: what each level holds, what all of them take.
#include <bloomery/detail/kind/scalable/sizing.hpp>

#include <gtest/gtest.h>

#include <bloomery/detail/kind/block/sizing.hpp>
#include <bloomery/model.hpp>

#include "must.hpp"

namespace bloomery::testing {
namespace {

struct totals {
  double keys = 0, bytes = 0;
};
totals of_all(const scalable_shape& s, unsigned levels) {
  totals t;
  for (unsigned i = 0; i < levels; ++i) {
    t.keys += static_cast<double>(scalable_level_keys(s, i));
    t.bytes += static_cast<double>(s.level(i).size_in_bytes());
  }
  return t;
}
double factor(const scalable_shape& s, unsigned levels, double fpr) {
  const totals t = of_all(s, levels);
  const auto one = must(size_blocks_by_rate(static_cast<std::uint64_t>(t.keys), fpr));
  return t.bytes / static_cast<double>(one.size_in_bytes());
}

// The promise of docs/model.md: memory of a full chain, against one filter.
TEST(ScalableSizing, GrownBy1024TakesLittleMoreThanOneFilter) {
  for (const std::uint64_t keys : {1000u, 10'000u, 100'000u}) {
    const auto by_two = must(size_scalable_by_rate(keys, 0.01, {.max_growth = 1024}));
    EXPECT_EQ(by_two.max_levels, 11);
    EXPECT_LE(factor(by_two, 11, 0.01), 1.6) << keys;
    const auto by_four =
        must(size_scalable_by_rate(keys, 0.01, {.max_growth = 1024, .growth = 4}));
    EXPECT_EQ(by_four.max_levels, 6);
    EXPECT_LE(factor(by_four, 6, 0.01), 1.45) << keys;
  }
}

TEST(ScalableSizing, HoldsWhatItIsAskedTo) {
  for (const std::uint64_t keys : {1u, 2u, 7u, 100u, 12'345u})
    for (const double fpr : {0.5, 0.05, 0.01, 1e-4, 1e-9})
      for (const double most : {1.0, 2.0, 3.0, 100.0, 5000.0})
        for (const unsigned growth : {2u, 4u, 16u}) {
          const auto s = must(
              size_scalable_by_rate(keys, fpr, {.max_growth = most, .growth = growth}));
          SCOPED_TRACE(::testing::Message() << keys << " " << fpr << " " << most);
          EXPECT_GE(scalable_level_keys(s, 0), keys);
          EXPECT_GE(static_cast<double>(scalable_max_keys(s)),
                    static_cast<double>(keys) * most);
          EXPECT_LE(model::scalable_fpr(s, static_cast<double>(keys) * most), fpr);
          // No more levels than that growth needs.
          double before_last = 0, size = 1;
          for (int i = 0; i + 1 < s.max_levels; ++i, size *= growth) before_last += size;
          EXPECT_LT(before_last, most);
        }
}

TEST(ScalableSizing, RatesOfTheLevelsAddUpToTheRate) {
  for (const growth_plan& plan :
       {growth_plan{}, {.max_growth = 10}, {.max_growth = 1e9}, {.growth = 8}}) {
    const auto s = must(scalable_of_lines(1, 0.02, plan));
    double sum = 0;
    for (unsigned i = 0; i < s.effective_max_levels(); ++i) sum += s.level_fpr(i);
    EXPECT_LE(sum, 0.02 * (1 + 1e-12));
    EXPECT_GE(sum, 0.02 * 0.99);
  }
  const auto s = must(scalable_of_lines(1, 0.02, {.dynamic = true}));
  for (unsigned i = 0; i < 48; ++i) EXPECT_EQ(s.level_fpr(i), 0.02);
}

TEST(ScalableSizing, ProfilesFollowTheRates) {
  const auto s = must(scalable_of_lines(3, 0.5));
  for (unsigned i = 0; i < 48; ++i)
    EXPECT_EQ(s.profile(i), best_profile(s.level_fpr(i))) << i;
  for (const block_profile p :
       {block_profile::half_line, block_profile::line, block_profile::two_lines}) {
    const auto one = must(scalable_of_lines(3, 0.01, {}, p));
    for (unsigned i = 0; i < 48; ++i) EXPECT_EQ(one.profile(i), p) << i;
  }
}

TEST(ScalableSizing, OffsetsAreThoseOfTheLevelsBefore) {
  for (const unsigned growth : {2u, 4u, 8u, 16u}) {
    const auto s = must(scalable_of_lines(5, 0.01, {.growth = growth}));
    std::uint64_t at = 0, lines = 5;
    for (unsigned i = 0; i < 9; ++i, lines *= growth) {
      EXPECT_EQ(s.offset(i), at);
      EXPECT_EQ(s.level(i).size_in_bytes(), 64 * lines);
      at += 64 * lines;
      EXPECT_EQ(s.size_in_bytes(i + 1), at);
    }
  }
  scalable_shape s;
  s.lines = s.max_lines;
  EXPECT_EQ(s.lines_of(1), s.max_lines);
  for (unsigned i = 2; i <= 48; ++i) EXPECT_GT(s.lines_of(i), s.max_lines);
  s.lines = ~std::uint64_t{0};
  for (unsigned i = 1; i <= 48; ++i) EXPECT_GT(s.lines_of(i), s.max_lines);
}

// A rate that a larger level could not keep: it does not double its memory for nothing.
TEST(ScalableSizing, DoesNotGrowWhereALargerLevelHoldsNoMore) {
  const auto s = must(scalable_of_lines(1, 1e-300));
  EXPECT_FALSE(scalable_can_grow(s, 1));
  EXPECT_EQ(scalable_max_keys(s), 1u);
}

TEST(ScalableSizing, TheScatterOfTheModelIsThatOfFilters) {
  const block_shape s{100, block_profile::line};
  EXPECT_GT(model::block_fpr_scatter(s, 4000),
            model::block_fpr_scatter({400, s.profile}, 16000));
  EXPECT_NEAR(model::block_fpr_scatter(s, 4000) /
                  model::block_fpr_scatter({10000, s.profile}, 400000),
              10, 0.5);
}

}  // namespace
}  // namespace bloomery::testing
