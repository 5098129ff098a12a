// The observed rate: what it is, and how often its interval is right.
#include <bloomery/detail/live/observed_rate.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "live/binomial.hpp"
#include "live_draws.hpp"
#include "sigma.hpp"

namespace bloomery {
namespace {

using testing::binomial;
using testing::lookups_of;
using testing::random;
using testing::traffic;
using testing::within_part;

TEST(ObservedRate, IsFalsePositivesOverAbsentLookups) {
  // 990 true negatives, 10 false positives; 5000 present keys are no part of it.
  const observed_rate r = observe_rate({990, 5010, 5000, 10});
  ASSERT_TRUE(r.rate.has_value());
  EXPECT_DOUBLE_EQ(*r.rate, 0.01);
  EXPECT_DOUBLE_EQ(r.confirmed, 1);
  EXPECT_LT(r.range.low, 0.01);
  EXPECT_GT(r.range.high, 0.01);
}

TEST(ObservedRate, IsTheSameFromASampleButLessCertain) {
  const observed_rate whole = observe_rate({99000, 11000, 10000, 1000});
  const observed_rate tenth = observe_rate({99000, 11000, 1000, 100});
  EXPECT_DOUBLE_EQ(*whole.rate, 0.01);
  EXPECT_DOUBLE_EQ(*tenth.rate, 0.01);
  EXPECT_DOUBLE_EQ(tenth.confirmed, 0.1);
  EXPECT_LT(tenth.range.low, whole.range.low);
  EXPECT_GT(tenth.range.high, whole.range.high);
}

TEST(ObservedRate, OfNothingConfirmedIsUnknown) {
  const observed_rate r = observe_rate({900, 100, 0, 0});
  EXPECT_FALSE(r.rate.has_value());
  EXPECT_EQ(r.confirmed, 0);
  EXPECT_EQ(r.range.low, 0);
  EXPECT_EQ(r.range.high, clopper_pearson(100, 1000).high);
  EXPECT_GT(r.range.high, 0.1);
  EXPECT_LT(r.range.high, 0.13);
}

TEST(ObservedRate, OfNoLookupsIsUnknown) {
  const observed_rate r = observe_rate({});
  EXPECT_FALSE(r.rate.has_value());
  EXPECT_EQ(r.range.low, 0);
  EXPECT_EQ(r.range.high, 1);
}

// All lookups find their key: nothing is known of keys that are absent.
TEST(ObservedRate, OfPresentKeysOnlyIsUnknown) {
  const observed_rate r = observe_rate({0, 1000, 1000, 0});
  EXPECT_FALSE(r.rate.has_value());
  EXPECT_EQ(r.range.low, 0);
  EXPECT_EQ(r.range.high, 1);
  EXPECT_EQ(r.confirmed, 1);
}

TEST(ObservedRate, OfNegativesOnlyNeedsNoConfirmation) {
  const observed_rate r = observe_rate({1000, 0, 0, 0});
  ASSERT_TRUE(r.rate.has_value());
  EXPECT_EQ(*r.rate, 0);
  EXPECT_EQ(r.range.low, 0);
  // (1 - p)^1000 is 2.5 % there.
  EXPECT_NEAR(std::pow(1 - r.range.high, 1000), 0.025, 1e-9);
}

TEST(ObservedRate, OfFalsePositivesOnlyIsOne) {
  const observed_rate r = observe_rate({0, 50, 0, 50});
  EXPECT_EQ(*r.rate, 1);
  EXPECT_EQ(r.range.high, 1);
  EXPECT_GT(r.range.low, 0.9);
}

// Counters are not read in one instant.
TEST(ObservedRate, TakesMoreConfirmedThanAskedForAll) {
  const observed_rate r = observe_rate({90, 10, 2, 10});
  EXPECT_DOUBLE_EQ(*r.rate, 0.1);
  EXPECT_EQ(r.confirmed, 1);
}

TEST(ObservedRate, StaysInOrderForTheLargestCounts) {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  for (const lookup_counts c :
       {lookup_counts{most, most, most, most}, lookup_counts{most, 1, 0, 1},
        lookup_counts{1, most, 0, 1}, lookup_counts{0, most, most, most},
        lookup_counts{1, most, most, 0}, lookup_counts{most, most, 1, 0}}) {
    const observed_rate r = observe_rate(c);
    EXPECT_GE(r.range.low, 0);
    EXPECT_LE(r.range.high, 1);
    ASSERT_TRUE(r.rate.has_value());
    EXPECT_LE(r.range.low, *r.rate);
    EXPECT_GE(r.range.high, *r.rate);
  }
}

// More false positives raise rate and both ends; more lookups narrow the interval.
TEST(ObservedRate, IsMonotone) {
  observed_rate before = observe_rate({1000, 100, 100, 0});
  for (std::uint64_t absent = 1; absent <= 100; ++absent) {
    const observed_rate now = observe_rate({1000, 100, 100 - absent, absent});
    EXPECT_GT(*now.rate, *before.rate);
    EXPECT_GT(now.range.low, before.range.low);
    EXPECT_GT(now.range.high, before.range.high);
    before = now;
  }
  double width = 1;
  for (std::uint64_t n = 1; n <= 1u << 20; n *= 2) {
    const rate_interval r = observe_rate({99 * n, n, 0, n}).range;
    EXPECT_LT(r.high - r.low, width);
    width = r.high - r.low;
  }
}

TEST(ObservedRate, OfAWiderIntervalIsWider) {
  const lookup_counts c{1000, 20, 10, 10};
  const rate_interval narrow = observe_rate(c, 1).range, wide = observe_rate(c, 3).range;
  EXPECT_LT(wide.low, narrow.low);
  EXPECT_GT(wide.high, narrow.high);
}

// --- the interval itself, by exact sums: no chance is involved ---

// P(k of n) for each k, by logarithms.
std::vector<double> chances_of(unsigned n, double p) {
  std::vector<double> out(n + 1);
  double log_choose = 0;
  for (unsigned k = 0; k <= n; ++k) {
    out[k] = std::exp(log_choose + k * std::log(p) + (n - k) * std::log1p(-p));
    log_choose += std::log(n - k) - std::log(k + 1);
  }
  return out;
}

// How likely `n` trials at rate p lead to an interval that covers p.
double coverage_of(const std::vector<rate_interval>& of, double p) {
  const auto chances = chances_of(static_cast<unsigned>(of.size()) - 1, p);
  double covered = 0;
  for (std::size_t k = 0; k < of.size(); ++k)
    if (of[k].low <= p && p <= of[k].high) covered += chances[k];
  return covered;
}

std::vector<rate_interval> intervals(unsigned n, double z) {
  std::vector<rate_interval> out;
  for (unsigned k = 0; k <= n; ++k) out.push_back(clopper_pearson(k, n, z));
  return out;
}

// Coverage jumps at the ends of the intervals and is smooth between them: just beyond an
// end it is least.  Wilson's interval covers as little as 84 %.
TEST(ClopperPearson, CoversAtLeastAsOftenAsItSaysWhateverTheRate) {
  for (const unsigned n : {1u, 2u, 3u, 5u, 10u, 30u, 100u, 400u}) {
    const auto of = intervals(n, z_of_95_percent);
    std::vector<double> rates;
    for (const rate_interval& r : of)
      for (const double end : {r.low, r.high})
        for (const double off : {-1e-9, 1e-9})
          if (const double p = end * (1 + off); p > 0 && p < 1) rates.push_back(p);
    for (double p = 1e-5; p < 1; p *= 1.3) rates.push_back(p);
    double least = 1;
    for (const double p : rates) least = std::min(least, coverage_of(of, p));
    EXPECT_GE(least, 0.95 - 1e-6) << n;
    // And no wider than it must be: at some rate it covers hardly more.
    if (n >= 100) {
      EXPECT_LT(least, 0.96) << n;
    }
  }
}

// Their ends leave the error on each side that z says, of few and of very many.
TEST(ClopperPearson, EndsLeaveTheErrorOfZ) {
  for (const double trials : {7.5, 1e3, 1e6})
    for (const double part : {0.002, 0.5, 0.999})
      for (const double z : {1.0, z_of_95_percent, 5.0}) {
        const double hits = std::ceil(part * std::floor(trials));
        const double error = std::erfc(z / std::sqrt(2.0)) / 2;
        const rate_interval r = clopper_pearson(hits, trials, z);
        SCOPED_TRACE(::testing::Message() << hits << " of " << trials << " at " << z);
        EXPECT_TRUE(within_part(live::at_least(hits, trials, r.low), error, 1e-5));
        if (hits < trials - 0.5) {
          EXPECT_TRUE(
              within_part(1 - live::at_least(hits + 1, trials, r.high), error, 1e-3));
        }
      }
}

// Where exact sums give way to Wilson's formula the ends do not move inwards.
TEST(ClopperPearson, IsWilsonsOfVeryMany) {
  for (const double part : {0.01, 0.5, 0.99}) {
    const auto width = [&](double hits) {
      const double trials = part < 0.6 ? hits / part : hits / (1 - part);
      const double k = part < 0.6 ? hits : trials - hits;
      const rate_interval r = clopper_pearson(k, trials);
      EXPECT_LT(r.low, k / trials);
      EXPECT_GT(r.high, k / trials);
      return (r.high - r.low) * std::sqrt(trials);
    };
    const double few = width(0.99e8), many = width(1.01e8);
    EXPECT_GT(many, few);
    EXPECT_LT(many, 1.002 * few);
  }
}

TEST(ClopperPearson, OfNothingIsEverything) {
  for (const rate_interval r : {clopper_pearson(0, 0), clopper_pearson(0, 0, 5)}) {
    EXPECT_EQ(r.low, 0);
    EXPECT_EQ(r.high, 1);
  }
}

// How often the interval covers the truth, and what the mean estimate is.
struct coverage {
  std::size_t covered = 0;
  double mean = 0;
};

coverage simulate(const traffic& t, std::size_t runs) {
  random from(1234);
  coverage c;
  for (std::size_t i = 0; i < runs; ++i) {
    const observed_rate r = observe_rate(lookups_of(t, from));
    c.covered += r.range.low <= t.fpr && t.fpr <= r.range.high;
    c.mean += r.rate.value_or(0) / static_cast<double>(runs);
  }
  return c;
}

constexpr std::size_t runs = 4000;
const double min_covered = 0.95 * runs - 5 * std::sqrt(0.95 * 0.05 * runs);

TEST(ObservedRate, CoversTheTruthAsOftenAsItSays) {
  for (const traffic t : {traffic{.fpr = 0.01, .absent = 20000, .present = 0},
                          traffic{.fpr = 0.01, .absent = 20000, .present = 20000},
                          traffic{.fpr = 0.3, .absent = 500, .present = 100},
                          traffic{.fpr = 0.001, .absent = 50000, .present = 10}}) {
    const coverage c = simulate(t, runs);
    EXPECT_GE(static_cast<double>(c.covered), min_covered) << t.fpr;
    EXPECT_LT(c.covered, runs * 99 / 100) << t.fpr;
    EXPECT_TRUE(within_part(c.mean, t.fpr, 0.01));
  }
}

// A tenth confirmed.  With many present keys the interval is as wide as needed; with
// none, wider: then every confirmation is the same and the sample loses nothing.
TEST(ObservedRate, CoversTheTruthFromASample) {
  const traffic many{.fpr = 0.01, .absent = 100000, .present = 50000, .sampled = 0.1};
  const coverage c = simulate(many, runs);
  EXPECT_GE(static_cast<double>(c.covered), min_covered);
  EXPECT_LT(c.covered, runs * 99 / 100);
  EXPECT_TRUE(within_part(c.mean, many.fpr, 0.01));

  const traffic none{.fpr = 0.01, .absent = 100000, .present = 0, .sampled = 0.1};
  const coverage wide = simulate(none, runs);
  EXPECT_GT(wide.covered, runs * 99 / 100);
  EXPECT_TRUE(within_part(wide.mean, none.fpr, 0.01));
}

// The mistakes of others: without true negatives, or by stored keys.  The interval of the
// right one excludes both.
TEST(ObservedRate, IsNotTheShareOfWrongMaybes) {
  const lookup_counts c{99000, 2000, 1000, 1000};
  EXPECT_LT(observe_rate(c).range.high, 1000.0 / 2000);
  EXPECT_LT(observe_rate(c).range.low, 0.01);
  EXPECT_GT(observe_rate(c).range.high, 0.01);
}

TEST(LookupCounts, DifferencesDoNotFallBelowZero) {
  const lookup_counts a{5, 6, 7, 8}, b{1, 7, 7, 0};
  EXPECT_EQ(a.since(b), (lookup_counts{4, 0, 0, 8}));
}

}  // namespace
}  // namespace bloomery
