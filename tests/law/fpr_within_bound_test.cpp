// Law: the rate a filter reports from its bits is the rate it has, and it is the rate
// it was expected to have.
#include <span>

#include <gtest/gtest.h>

#include "ask.hpp"
#include "cases.hpp"
#include "form.hpp"
#include "full.hpp"
#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

class FprWithinBound : public law {
 protected:
  // The rate over `trials` absent keys lies within 5 sigma of what the filter says.
  void hold(std::size_t n, double fpr, std::size_t trials, double scatter) const {
    SCOPED_TRACE(::testing::Message() << "n=" << n << " fpr=" << fpr);
    const subject f = GetParam().of(keys(1, n), fpr);
    const double realised = f.realised_fpr();
    const std::size_t hits = count_maybe(ask(f, keys(2, trials)));
    EXPECT_TRUE(within_5_sigma(hits, trials, realised));
    EXPECT_TRUE(within_part(realised, f.expected_fpr(n), scatter));
    count_cases("filters", 1);
  }
};
INSTANTIATE_TEST_SUITE_P(Filters, FprWithinBound, ::testing::ValuesIn(every_form()),
                         form_name);

TEST_P(FprWithinBound, OfAHundredThousandKeysAtFivePercent) {
  hold(100'000, 0.05, 1'000'000, 0.02);
}
TEST_P(FprWithinBound, OfAHundredThousandKeysAtOnePercent) {
  hold(100'000, 0.01, 1'000'000, 0.02);
}
TEST_P(FprWithinBound, OfAHundredThousandKeysAtOneInAThousand) {
  BLOOMERY_STATISTICS();
  hold(100'000, 0.001, 1'000'000, 0.10);
}
TEST_P(FprWithinBound, OfAHundredThousandKeysAtOneInTenThousand) {
  BLOOMERY_STATISTICS();
  hold(100'000, 0.0001, 2'000'000, 0.10);
}
// One filter of few keys scatters about its expectation: 4 % here, one sigma, and up to
// 10 % for blocks.  So each has the rate it reports, and the mean of many the expected.
TEST_P(FprWithinBound, OfAThousandKeys) {
  BLOOMERY_STATISTICS();
  const std::size_t n = 1000, filters = 100, trials = 100'000;
  double sum = 0, expected = 0;
  for (std::size_t i = 0; i < filters; ++i) {
    const subject f = GetParam().of(keys(100 + i, n), 0.01);
    sum += f.realised_fpr();
    expected = f.expected_fpr(n);
    if (i % 10 == 0) {
      const std::size_t hits = count_maybe(ask(f, keys(2, trials)));
      EXPECT_TRUE(within_5_sigma(hits, trials, f.realised_fpr())) << i;
    }
  }
  EXPECT_TRUE(within_part(sum / filters, expected, 0.05));
  count_cases("filters", filters);
}
TEST_P(FprWithinBound, LargerThanTheCache) {
  BLOOMERY_STATISTICS();
  hold(2'000'000, 0.01, 1'000'000, 0.02);
}

TEST_P(FprWithinBound, OfAnEmptyFilterIsZero) {
  const subject f = GetParam().empty(1000, 0.01);
  EXPECT_EQ(f.realised_fpr(), 0);
  EXPECT_EQ(f.expected_fpr(0), 0);
  EXPECT_EQ(count_maybe(ask(f, keys(3, 10'000))), 0u);
  count_cases("filters", 1);
}

// Also far beyond what the filter was made for.
TEST_P(FprWithinBound, WhenOverfilled) {
  BLOOMERY_STATISTICS();
  if (!GetParam().is_insertable) GTEST_SKIP();
  // One that forgets holds what it is sized for, however many come: it is compared with
  // as many keys in it as the others hold.
  const std::size_t n = GetParam().forgets ? 200'000 : 50'000;
  subject f = GetParam().empty(n, 0.01);
  const auto ks = keys(4, 4 * n);
  f.insert(std::span<const key>(ks));
  const std::size_t trials = 200'000;
  EXPECT_TRUE(
      within_5_sigma(count_maybe(ask(f, keys(5, trials))), trials, f.realised_fpr()));
  EXPECT_TRUE(within_part(f.realised_fpr(), f.expected_fpr(ks.size()), 0.02));
  count_cases("filters", 1);
}

TEST_P(FprWithinBound, TheKeysAreEstimatedFromTheBits) {
  if (!GetParam().counts_keys) GTEST_SKIP();
  for (const std::size_t n : {1000u, 30'000u, 100'000u}) {
    const subject f = GetParam().of(keys(6, n), 0.01);
    EXPECT_TRUE(within_part(f.estimated_keys(), static_cast<double>(n), 0.05)) << n;
    count_cases("filters", 1);
  }
}

class FprWithinBoundFull : public FprWithinBound {};
INSTANTIATE_TEST_SUITE_P(Filters, FprWithinBoundFull, ::testing::ValuesIn(every_form()),
                         form_name);

TEST_P(FprWithinBoundFull, OfTwentyMillionKeys) {
  BLOOMERY_FULL_ONLY();
  hold(20'000'000, 0.01, 20'000'000, 0.02);
}

}  // namespace
}  // namespace bloomery::testing
