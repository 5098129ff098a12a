// Chains keep to their rate (the rates of every level count: growing_rates_test.cpp).
#include <span>
#include <utility>

#include <gtest/gtest.h>

#include <bloomery/scalable_bloom.hpp>

#include "ask.hpp"
#include "cases.hpp"
#include "must.hpp"
#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

// The realised rate of small levels scatters; the chain keeps its rate all the same.
TEST(ScalableRates, ManySmallChainsKeepTheirRate) {
  int above = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    auto f = must(scalable_bloom::make({.keys = 50, .max_growth = 30}));
    const auto ks = keys(5000 + i, 4000);
    f.try_insert(std::span<const key>(ks));
    above += f.realised_fpr() > 0.01;
  }
  EXPECT_EQ(above, 0);
  count_cases("chains", 300);
}

// One line and two lines in one chain, overfilled: the rate is that of the union.
TEST(ScalableRates, LevelsOfEveryProfileInOneChain) {
  const std::size_t trials = 300'000;
  for (const auto& [line_from, two_lines_from] :
       {std::pair{0, 0}, {0, 1}, {1, 2}, {0, 48}, {1, 3}}) {
    scalable_shape s;
    s.lines = 20;
    s.fpr = 0.3;
    s.policy = growth_policy::equal;
    s.max_levels = 4;
    s.line_from = static_cast<std::uint8_t>(line_from);
    s.two_lines_from = static_cast<std::uint8_t>(two_lines_from);
    auto f = must(scalable_bloom::make(s, 1000));
    f.insert(std::span<const key>(keys(31, 25'000)));
    ASSERT_EQ(f.levels(), 4u);
    SCOPED_TRACE(::testing::Message() << line_from << ' ' << two_lines_from);
    EXPECT_GT(f.realised_fpr(), 0.2);
    EXPECT_TRUE(
        within_5_sigma(count_maybe(ask(f, keys(32, trials))), trials, f.realised_fpr()));
    count_cases("chains", 1);
  }
}

}  // namespace
}  // namespace bloomery::testing
