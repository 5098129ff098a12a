// Rates of tenants: counting by many threads, and alarms that mean something.
#include <bloomery/live/tenant_rates.hpp>

#include <array>
#include <cmath>
#include <latch>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "live/binomial.hpp"
#include "live_draws.hpp"
#include "must.hpp"
#include "sigma.hpp"

namespace bloomery {
namespace {

using testing::lookups_of;
using testing::must;
using testing::random;
using testing::traffic;
using testing::within_part;

TEST(TagRates, CountsWhatItIsTold) {
  auto rates = must(tenant_rates::make(3));
  rates.lookup(0, true), rates.lookup(0, false), rates.lookup(2, true);
  rates.lookups(2, 10, 20);
  rates.confirm(2, true), rates.confirm(2, false), rates.confirm(2, false);
  EXPECT_EQ(rates.counts(0), (lookup_counts{1, 1, 0, 0}));
  EXPECT_EQ(rates.counts(1), lookup_counts{});
  EXPECT_EQ(rates.counts(2), (lookup_counts{20, 11, 1, 2}));
  std::array<lookup_counts, 3> all;
  rates.counts(all);
  EXPECT_EQ(all[2], rates.counts(2));
  const tenant_rates moved = std::move(rates);
  EXPECT_EQ(moved.counts(2), all[2]);
}

TEST(TagRates, RefusesWhatItCannotHold) {
  EXPECT_EQ(tenant_rates::make(0).error().code, errc::invalid_argument);
  EXPECT_EQ(tenant_rates::make(4097).error().code, errc::invalid_argument);
  EXPECT_EQ(tenant_rates::make(1, 4097).error().code, errc::invalid_argument);
  auto largest = must(tenant_rates::make(4096));
  largest.confirm(4095, false);
  EXPECT_EQ(largest.counts(4095).confirmed_absent, 1);
  EXPECT_EQ(largest.counts(4094), lookup_counts{});
}

// More threads than lines of their own: some share.
TEST(TagRates, LosesNothingBetweenThreads) {
  constexpr unsigned tenants = 5, threads = 6, each = 100000;
  auto rates = must(tenant_rates::make(tenants, 2));
  std::latch all_have_numbers(threads);
  std::vector<std::thread> team;
  for (unsigned t = 0; t < threads; ++t)
    team.emplace_back([&] {
      this_platform::thread_number();
      all_have_numbers.arrive_and_wait();
      for (unsigned i = 0; i < each; ++i) {
        rates.lookup(i % tenants, i % 2 == 0);
        rates.confirm(i % tenants, i % 4 == 0);
      }
    });
  for (std::thread& t : team) t.join();
  lookup_counts all;
  for (unsigned i = 0; i < tenants; ++i) all += rates.counts(i);
  EXPECT_EQ(all, (lookup_counts{threads * each / 2, threads * each / 2,
                                threads * each / 4, threads * each * 3 / 4}));
}

// Against the sum it stands for.
TEST(Binomial, TailIsItsSum) {
  const auto sum = [](unsigned hits, unsigned trials, double p) {
    double tail = 0, term = std::pow(1 - p, trials);
    for (unsigned i = 0; i <= trials; ++i) {
      if (i >= hits) tail += term;
      term *= (trials - i) / (i + 1.0) * p / (1 - p);
    }
    return tail;
  };
  for (const unsigned trials : {1u, 2u, 17u, 300u})
    for (const double p : {1e-6, 0.01, 0.3, 0.9})
      for (const unsigned hits : {1u, trials / 2 + 1, trials})
        EXPECT_TRUE(
            within_part(live::at_least(hits, trials, p), sum(hits, trials, p), 1e-9))
            << hits << " of " << trials << " at " << p;
}

TEST(Binomial, TailAtItsEdges) {
  EXPECT_EQ(live::at_least(0, 5, 0.5), 1);
  EXPECT_EQ(live::at_least(1, 5, 0), 0);
  EXPECT_EQ(live::at_least(5, 5, 1), 1);
  EXPECT_EQ(live::at_least(1e6, 1e7, 1e-9), 0);  // below the smallest number
  EXPECT_EQ(live::at_least(10, 1e12, 0.5), 1);
  // At the mean of large counts, about a half.
  EXPECT_NEAR(live::at_least(1e6, 1e9, 1e-3), 0.5, 1e-3);
  EXPECT_NEAR(live::at_least(1e9, 1e12, 1e-3), 0.5, 5e-3);
}

TEST(Binomial, LowerBoundLeavesTheErrorItWasGiven) {
  for (const double error : {0.025, 1e-6, 1e-10})
    for (const double hits : {1.0, 3.0, 250.0}) {
      const double low = live::exact_low(hits, 1000, error);
      EXPECT_LT(low, hits / 1000);
      EXPECT_TRUE(within_part(live::at_least(hits, 1000, low), error, 1e-6));
    }
  EXPECT_EQ(live::exact_low(0, 10, 0.01), 0);
}

TEST(Binomial, ZIsTheNormalQuantile) {
  EXPECT_NEAR(live::z_of_error(0.025), z_of_95_percent, 1e-9);
  EXPECT_NEAR(live::z_of_error(0.5), 0, 1e-9);
  EXPECT_NEAR(live::z_of_error(0.975), -z_of_95_percent, 1e-9);
  EXPECT_NEAR(live::z_of_error(1e-9), 5.9978, 1e-4);
}

// --- alarms ---

std::vector<lookup_counts> rows_of(std::size_t tenants, const traffic& t, random& from) {
  std::vector<lookup_counts> rows(tenants);
  for (lookup_counts& row : rows) row = lookups_of(t, from);
  return rows;
}

std::size_t alarms_in(std::span<const lookup_counts> rows, const outlier_limits& limits) {
  return find_outliers(rows, limits, {});
}

// All tenants have one rate; no floor, so chance alone decides.  False alarms stay within
// their probability, 5 deviations above it at most.
TEST(TagAlarm, IsAsRareAsPromisedAmongHonestTags) {
  random from(99);
  constexpr std::size_t runs = 3000;
  constexpr double promised = 0.02;
  const auto most =
      static_cast<std::size_t>(runs * promised + 5 * std::sqrt(runs * promised));
  // Many lookups, few, and hardly any; all confirmed, and some.
  for (const traffic t :
       {traffic{.fpr = 0.01, .absent = 5000, .present = 100},
        traffic{.fpr = 0.01, .absent = 100, .present = 10},
        traffic{.fpr = 0.01, .absent = 4, .present = 0},
        traffic{.fpr = 0.01, .absent = 2000, .present = 500, .sampled = 0.1},
        traffic{.fpr = 0.1, .absent = 30, .present = 5, .sampled = 0.2}}) {
    std::size_t raised = 0;
    for (std::size_t i = 0; i < runs; ++i)
      raised += alarms_in(rows_of(10, t, from),
                          {.false_alarm = promised, .floor = 0, .factor = 1}) != 0;
    EXPECT_LE(raised, most) << t.fpr << ", " << t.absent << " lookups";
  }
}

// One tenant against a rate that is known, which leaves no slack but that of whole hits:
// the test above would pass if nothing ever raised an alarm.
TEST(TagAlarm, IsNotRarerThanChanceByMuch) {
  random from(7);
  constexpr std::size_t runs = 20000;
  constexpr double promised = 0.2;
  constexpr lookup_counts known{.negatives = 99'000'000'000,
                                .maybes = 1'000'000'000,
                                .confirmed_present = 0,
                                .confirmed_absent = 1'000'000'000};
  std::size_t high = 0, low = 0;
  for (std::size_t i = 0; i < runs; ++i) {
    const lookup_counts rows[] = {lookups_of({0.01, 20000, 0}, from), known};
    std::array<tenant_alarm, 2> out;
    if (find_outliers(rows, {.false_alarm = promised, .floor = 0, .factor = 1}, out) == 0)
      continue;
    ++(out[0].tenant == 0 ? high : low);
  }
  // Two tenants, two bounds each: a quarter for the tenant that is too high by chance,
  // and one for the tenant so low that the other seems high.
  for (const std::size_t raised : {high, low}) {
    EXPECT_GT(raised, runs * promised / 4 * 0.7);
    EXPECT_LT(raised, runs * promised / 4 * 1.1);
  }
}

TEST(TagAlarm, FindsTheAttackerAndSaysHowItDiffers) {
  random from(3);
  auto rows = rows_of(50, {.fpr = 0.01, .absent = 10000, .present = 1000}, from);
  rows[17] = lookups_of({.fpr = 0.05, .absent = 10000, .present = 1000}, from);
  std::array<tenant_alarm, 4> out;
  const outlier_limits limits{.false_alarm = 1e-6, .floor = 0.01, .factor = 2};
  ASSERT_EQ(find_outliers(rows, limits, out), 1);
  EXPECT_EQ(out[0].tenant, 17);
  EXPECT_NEAR(out[0].rate, 0.05, 0.01);
  EXPECT_LT(out[0].range.low, out[0].rate);
  EXPECT_GT(out[0].range.low, 0.02);
  EXPECT_GT(out[0].range.high, out[0].rate);
  EXPECT_NEAR(out[0].others, 0.01, 0.001);
  EXPECT_GT(out[0].others_high, out[0].others);
  EXPECT_LT(out[0].others_high, out[0].range.low);
}

TEST(TagAlarm, FindsTheAttackerInASample) {
  random from(4);
  const double sampled = 0.1;
  auto rows = rows_of(20, {0.01, 20000, 5000, sampled}, from);
  rows[3] = lookups_of({0.05, 20000, 5000, sampled}, from);
  std::array<tenant_alarm, 1> out;
  ASSERT_EQ(find_outliers(rows, {.floor = 0.01}, out), 1);
  EXPECT_EQ(out[0].tenant, 3);
}

TEST(TagAlarm, WritesNoMoreThanFitsAndCountsAll) {
  std::vector<lookup_counts> rows(100, {99000, 1000, 0, 1000});
  rows[5] = rows[6] = rows[7] = {5000, 5000, 0, 5000};
  std::array<tenant_alarm, 2> out;
  EXPECT_EQ(find_outliers(rows, {.floor = 0.01}, out), 3);
  EXPECT_EQ(out[0].tenant, 5);
  EXPECT_EQ(out[1].tenant, 6);
}

// Fifty times the rate, but five lookups: that happens.
TEST(TagAlarm, IsNotRaisedByFewLookups) {
  std::vector<lookup_counts> rows(100, {99000, 1000, 0, 1000});
  rows[5] = {3, 2, 0, 2};
  rows[6] = {0, 1, 0, 1};
  EXPECT_EQ(alarms_in(rows, {.floor = 0.01}), 0);
  rows[5] = {300, 200, 0, 200};
  EXPECT_EQ(alarms_in(rows, {.floor = 0.01}), 1);
}

TEST(TagAlarm, NeedsTheFloorToBeExceededByItsFactor) {
  std::vector<lookup_counts> rows(10, {99900, 100, 0, 100});
  rows[2] = {99000, 1000, 0, 1000};
  EXPECT_EQ(alarms_in(rows, {.floor = 0.001, .factor = 2}), 1);
  EXPECT_EQ(alarms_in(rows, {.floor = 0.001, .factor = 12}), 0);
  EXPECT_EQ(alarms_in(rows, {.floor = 0.01, .factor = 1}), 0);
}

TEST(TagAlarm, NeedsOthersToCompareWith) {
  const std::vector<lookup_counts> one(1, {1, 99, 0, 99});
  EXPECT_EQ(alarms_in(one, {}), 0);
  EXPECT_EQ(alarms_in({}, {}), 0);
  // The others looked nothing up, or confirmed nothing.
  const lookup_counts idle[] = {{100, 900, 0, 900}, {}, {}};
  EXPECT_EQ(alarms_in(idle, {}), 0);
  const lookup_counts silent[] = {{100, 900, 0, 900}, {10, 90, 0, 0}};
  EXPECT_EQ(alarms_in(silent, {}), 0);
}

// One tenant confirms everything and finds all present; another a hundredth.  The sum of
// their counts alone would take the share of the first for that of the second.
TEST(TagAlarm, IsNotRaisedByTagsThatConfirmUnequally) {
  const lookup_counts rows[] = {
      {0, 100000, 100000, 0}, {990000, 10000, 0, 100}, {99000, 1000, 0, 1000}};
  EXPECT_EQ(alarms_in(rows, {.factor = 1}), 0);
}

// A thousand tenants with ten lookups each, a tenth confirmed: most had nothing to
// confirm, which does not make their lookups count for more than those of the one large
// tenant.
TEST(TagAlarm, IsNotRaisedAmongManySmallTagsOfASample) {
  std::vector<lookup_counts> rows(900, {10, 0, 0, 0});
  rows.insert(rows.end(), 90, {9, 1, 0, 0});
  rows.insert(rows.end(), 10, {9, 1, 0, 1});
  rows.push_back({99000, 1000, 0, 100});
  EXPECT_EQ(alarms_in(rows, {.factor = 1}), 0);
}

TEST(TagAlarm, OfTheClassIsThatOfItsRows) {
  auto rates = must(tenant_rates::make(8));
  for (unsigned tenant = 0; tenant < 8; ++tenant) {
    rates.lookups(tenant, tenant == 6 ? 500 : 100, 9900);
    for (unsigned i = 0; i < (tenant == 6 ? 500u : 100u); ++i)
      rates.confirm(tenant, false);
  }
  std::array<lookup_counts, 8> rows;
  std::array<tenant_alarm, 8> out;
  ASSERT_EQ(rates.alarms({.floor = 0.01}, rows, out), 1);
  EXPECT_EQ(out[0].tenant, 6);
  EXPECT_EQ(rows[6], (lookup_counts{9900, 500, 0, 500}));
}

}  // namespace
}  // namespace bloomery
