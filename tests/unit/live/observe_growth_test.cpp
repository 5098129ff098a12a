// Forecasts of growth that is steady, noisy, in steps, or none.
#include <bloomery/detail/live/growth_forecast.hpp>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/portable_bloom.hpp>

#include "live_draws.hpp"
#include "must.hpp"
#include "not_finite.hpp"
#include "sigma.hpp"

namespace bloomery {
namespace {

using testing::infinite;
using testing::must;
using testing::normal;
using testing::random;
using testing::within_part;

// `n` samples, a minute apart, of keys(i).
template <class Keys>
growth_forecast observed(std::size_t n, Keys keys) {
  growth_forecast f;
  for (std::size_t i = 0; i < n; ++i)
    must(f.observe(60.0 * static_cast<double>(i), keys(static_cast<double>(i))));
  return f;
}

TEST(GrowthForecast, OfALineIsExact) {
  for (const std::size_t n : {8u, 9u, 63u, 64u, 65u, 500u}) {
    const auto f = observed(n, [](double i) { return 1000 + 600 * i; });
    EXPECT_EQ(f.samples(), std::min<std::size_t>(n, 64));
    const growth g = f.forecast(1e6);
    EXPECT_EQ(g.state, forecast_state::expected);
    EXPECT_DOUBLE_EQ(g.keys_per_second, 10);
    const double truth = (1e6 - 1000) / 10;
    EXPECT_TRUE(within_part(g.at, truth, 1e-9));
    EXPECT_TRUE(within_part(g.earliest, truth, 1e-9));
    EXPECT_TRUE(within_part(g.latest, truth, 1e-9));
  }
}

TEST(GrowthForecast, SaysThatSamplesAreTooFew) {
  growth_forecast f;
  EXPECT_EQ(f.forecast(10).state, forecast_state::too_few_samples);
  for (std::size_t i = 0; i + 1 < growth_forecast::fewest; ++i) {
    must(f.observe(static_cast<double>(i), static_cast<double>(i)));
    const growth g = f.forecast(1e9);
    EXPECT_EQ(g.state, forecast_state::too_few_samples);
    EXPECT_EQ(g.at, infinite);
  }
  must(f.observe(1000, 1000));
  EXPECT_EQ(f.forecast(1e9).state, forecast_state::expected);
}

// One sample is enough to know that it is too late.
TEST(GrowthForecast, SaysThatTheLimitIsPassed) {
  growth_forecast f;
  must(f.observe(5, 100));
  EXPECT_EQ(f.forecast(100).state, forecast_state::exceeded);
  EXPECT_EQ(f.forecast(99).at, 5);
  EXPECT_EQ(f.forecast(100.5).state, forecast_state::too_few_samples);
  must(f.observe(6, infinite));  // every bit is set
  EXPECT_EQ(f.forecast(1e18).state, forecast_state::exceeded);
}

TEST(GrowthForecast, RefusesTimeThatDoesNotPassAndKeysThatAreNone) {
  growth_forecast f;
  must(f.observe(10, 1));
  const double nan = std::nan("");
  for (const double seconds : {10.0, 9.0, 10.0 + 1e-10, nan, infinite, -infinite, 1e16})
    EXPECT_EQ(f.observe(seconds, 2).error().code, errc::invalid_argument) << seconds;
  for (const double keys : {-1.0, nan, -infinite})
    EXPECT_EQ(f.observe(11, keys).error().code, errc::invalid_argument) << keys;
  EXPECT_EQ(f.samples(), 1);
  must(f.observe(11, 2));
  EXPECT_EQ(f.samples(), 2);
}

TEST(GrowthForecast, ExpectsNothingWithoutGrowth) {
  const growth still = observed(64, [](double) { return 500.0; }).forecast(1000);
  EXPECT_EQ(still.state, forecast_state::not_expected);
  EXPECT_EQ(still.keys_per_second, 0);
  EXPECT_EQ(still.at, infinite);
  EXPECT_EQ(still.earliest, infinite);
  const growth falls = observed(64, [](double i) { return 500 - 2 * i; }).forecast(1000);
  EXPECT_EQ(falls.state, forecast_state::not_expected);
  EXPECT_LT(falls.keys_per_second, 0);
  EXPECT_EQ(falls.earliest, infinite);
}

// Chance makes a line rise in half of all cases: growth that noise explains is none, in
// all but 2.5 % of them.
TEST(GrowthForecast, DoesNotTakeNoiseForGrowth) {
  random from(21);
  constexpr std::size_t runs = 2000;
  std::size_t expected = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    const auto f = observed(32, [&](double) { return 1000 + 20 * normal(from); });
    const growth g = f.forecast(5000);
    expected += g.state == forecast_state::expected;
    EXPECT_GT(g.earliest, 60 * 31);
  }
  EXPECT_LE(expected, runs * 0.025 + 5 * std::sqrt(runs * 0.025));
}

// The line is known, and noise added: the range covers its crossing.
TEST(GrowthForecast, CoversTheTruthOfNoisyGrowth) {
  constexpr std::size_t runs = 2000;
  for (const std::size_t n : {std::size_t{12}, growth_forecast::ring}) {
    random from(22);
    std::size_t covered = 0;
    const double truth = 60 * 300;  // limit 31000
    double width = 0;
    for (std::size_t run = 0; run < runs; ++run) {
      const auto f =
          observed(n, [&](double i) { return 1000 + 100 * i + 30 * normal(from); });
      const growth g = f.forecast(31000);
      ASSERT_EQ(g.state, forecast_state::expected);
      EXPECT_LE(g.earliest, g.at);
      EXPECT_LE(g.at, g.latest);
      covered += g.earliest <= truth && truth <= g.latest;
      width += (g.latest - g.earliest) / runs;
    }
    EXPECT_GE(covered, runs * 0.95 - 5 * std::sqrt(runs * 0.05));
    // And says something: a hundred minutes with twelve samples, ten with all.
    EXPECT_LT(width, n == 12 ? 60 * 100 : 60 * 10);
  }
}

// A quarter of the samples is wild; least squares would not know the slope at all.
TEST(GrowthForecast, IsNotMovedByWildSamples) {
  random from(23);
  const auto f = observed(64, [&](double i) {
    return 1000 + 100 * i + (from.below(5) == 0 ? 1e7 * from.unit() : normal(from));
  });
  EXPECT_TRUE(within_part(f.forecast(1e9).keys_per_second, 100.0 / 60, 0.05));
}

// Loads every hour: their stairs rise.  One load alone does not.
TEST(GrowthForecast, SeesStairsAsGrowthAndOneStepAsNone) {
  const auto stairs = observed(64, [](double i) { return 1000 * std::floor(i / 8); });
  const growth g = stairs.forecast(1e6);
  EXPECT_EQ(g.state, forecast_state::expected);
  EXPECT_TRUE(within_part(g.keys_per_second, 1000.0 / (8 * 60), 0.05));
  EXPECT_LT(g.earliest, 60 * 8 * 1000);
  EXPECT_GT(g.latest, 60 * 8 * 1000);

  for (const double at : {1.0, 10.0, 32.0, 50.0, 63.0}) {
    const auto step = observed(64, [&](double i) { return i < at ? 1000.0 : 900000.0; });
    EXPECT_EQ(step.forecast(1e6).state, forecast_state::not_expected) << at;
  }
}

// The last samples lie below the limit, though the line is past it: now, not before.
TEST(GrowthForecast, IsNeverInThePast) {
  const auto f = observed(16, [](double i) { return i < 15 ? 100 * i : 1000; });
  const growth g = f.forecast(1001);
  EXPECT_EQ(g.state, forecast_state::expected);
  EXPECT_EQ(g.at, 60 * 15);
  EXPECT_EQ(g.earliest, 60 * 15);
  EXPECT_GE(g.latest, g.at);
}

// Idle for long, then busy: once the ring holds nothing else, nothing else counts.
TEST(GrowthForecast, RemembersTheLatestSamplesOnly) {
  const auto f = observed(164, [](double i) { return i < 100 ? 5 : 60 * (i - 100); });
  const growth g = f.forecast(10000);
  EXPECT_DOUBLE_EQ(g.keys_per_second, 1);
  EXPECT_NEAR(g.earliest, 60 * 100 + 10000, 1e-6);
  EXPECT_NEAR(g.latest, 60 * 100 + 10000, 1e-6);
}

// A new generation starts lower; samples of the old one would hide its growth.
TEST(GrowthForecast, ForgetsWhenReset) {
  auto f = observed(64, [](double i) { return 1e6 + 1000 * i; });
  f.reset();
  EXPECT_EQ(f.samples(), 0);
  EXPECT_EQ(f.forecast(1e7).state, forecast_state::too_few_samples);
  for (int i = 0; i < 10; ++i) must(f.observe(i, 100 + i));  // an earlier clock too
  const growth g = f.forecast(1000);
  EXPECT_EQ(g.state, forecast_state::expected);
  EXPECT_NEAR(g.at, 900, 1e-6);
}

TEST(GrowthForecast, SaysHowLongIsLeft) {
  const auto f = observed(10, [](double i) { return 60 * i; });
  EXPECT_NEAR(*f.forecast(1000).seconds_left(540), 460, 1e-6);
  EXPECT_EQ(f.forecast(1000).seconds_left(2000), 0);
  EXPECT_EQ(f.forecast(540).seconds_left(540), 0);
  EXPECT_EQ(observed(10, [](double) { return 1.0; }).forecast(5).seconds_left(540),
            infinite);
  EXPECT_EQ(growth_forecast().forecast(1).seconds_left(0), std::nullopt);
}

// Below the limit at last, with every bit set in between.
TEST(GrowthForecast, StandsTheLargestNumbers) {
  for (const double step : {3e13, 2e-9}) {
    growth_forecast f;
    for (int i = 0; i < 64; ++i)
      must(f.observe((step > 1 ? -1e15 : 0) + i * step, i % 2 == 0 ? infinite : 0));
    for (const double limit : {1.0, 1e300, infinite}) {
      const growth g = f.forecast(limit);
      EXPECT_NE(g.state, forecast_state::exceeded);
      EXPECT_TRUE(std::isfinite(g.keys_per_second));
      EXPECT_GE(g.earliest, 63 * step - 1e15);
    }
  }
}

// --- the limit ---

template <class F>
void expect_first_to_exceed(const F& filter, double fpr) {
  const std::uint64_t keys = keys_at_rate(filter, fpr);
  ASSERT_GT(keys, 0);
  EXPECT_GT(filter.expected_fpr(keys), fpr);
  EXPECT_LE(filter.expected_fpr(keys - 1), fpr);
}

TEST(KeysAtRate, IsTheFirstThatExceeds) {
  const auto block = must(block_bloom::make({.keys = 100000, .fpr = 0.01}));
  const auto classic = must(bloom::make({.keys = 5000, .fpr = 0.001}));
  const auto portable = must(portable_bloom::make({.keys = 20000, .fpr = 0.02}));
  for (const double fpr : {0.0005, 0.01, 0.02, 0.5}) {
    expect_first_to_exceed(block, fpr);
    expect_first_to_exceed(classic, fpr);
    expect_first_to_exceed(portable, fpr);
  }
  // A filter is sized for its rate: it is exceeded soon after its capacity.
  EXPECT_GE(keys_at_rate(block, 0.01), 100000);
  EXPECT_LT(keys_at_rate(block, 0.01), 101000);
}

TEST(KeysAtRate, HasEnds) {
  const auto f = must(block_bloom::make({.keys = 1000, .fpr = 0.01}));
  EXPECT_EQ(keys_at_rate(f, 1), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(keys_at_rate(f, 0), 1);
  EXPECT_EQ(keys_at_rate(f, -1), 0);
}

}  // namespace
}  // namespace bloomery
