// Law: the rate a filter reports from its bits is the rate it has, and it is the rate
// it was expected to have.
#include <span>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "ask.hpp"
#include "full.hpp"
#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <filter F>
class FprWithinBound : public ::testing::Test {
 protected:
  // The rate over `trials` absent keys lies within 5 sigma of what the filter says.
  static void hold(std::size_t n, double fpr, std::size_t trials, double scatter) {
    SCOPED_TRACE(::testing::Message() << "n=" << n << " fpr=" << fpr);
    const F f = recipe<F>::of(keys(1, n), fpr);
    const double realised = f.realised_fpr();
    const std::size_t hits = count_maybe(ask(f, keys(2, trials)));
    EXPECT_TRUE(within_5_sigma(hits, trials, realised));
    EXPECT_TRUE(within_part(realised, f.expected_fpr(n), scatter));
  }
};
TYPED_TEST_SUITE(FprWithinBound, all_filters, filter_names);

TYPED_TEST(FprWithinBound, OfAHundredThousandKeysAtFivePercent) {
  this->hold(100'000, 0.05, 1'000'000, 0.02);
}
TYPED_TEST(FprWithinBound, OfAHundredThousandKeysAtOnePercent) {
  this->hold(100'000, 0.01, 1'000'000, 0.02);
}
TYPED_TEST(FprWithinBound, OfAHundredThousandKeysAtOneInAThousand) {
  this->hold(100'000, 0.001, 1'000'000, 0.10);
}
TYPED_TEST(FprWithinBound, OfAHundredThousandKeysAtOneInTenThousand) {
  this->hold(100'000, 0.0001, 2'000'000, 0.10);
}
// One filter of few keys scatters about its expectation: 4 % here, one sigma, and up to
// 10 % for blocks.  So each has the rate it reports, and the mean of many the expected.
TYPED_TEST(FprWithinBound, OfAThousandKeys) {
  const std::size_t n = 1000, filters = 100, trials = 100'000;
  double sum = 0, expected = 0;
  for (std::size_t i = 0; i < filters; ++i) {
    const TypeParam f = recipe<TypeParam>::of(keys(100 + i, n), 0.01);
    sum += f.realised_fpr();
    expected = f.expected_fpr(n);
    if (i % 10 == 0) {
      const std::size_t hits = count_maybe(ask(f, keys(2, trials)));
      EXPECT_TRUE(within_5_sigma(hits, trials, f.realised_fpr())) << i;
    }
  }
  EXPECT_TRUE(within_part(sum / filters, expected, 0.05));
}
TYPED_TEST(FprWithinBound, LargerThanTheCache) {
  this->hold(2'000'000, 0.01, 1'000'000, 0.02);
}

TYPED_TEST(FprWithinBound, OfAnEmptyFilterIsZero) {
  const TypeParam f = recipe<TypeParam>::empty(1000, 0.01);
  EXPECT_EQ(f.realised_fpr(), 0);
  EXPECT_EQ(f.expected_fpr(0), 0);
  EXPECT_EQ(count_maybe(ask(f, keys(3, 10'000))), 0u);
}

// Also far beyond what the filter was made for.
TYPED_TEST(FprWithinBound, WhenOverfilled) {
  if constexpr (insertable<TypeParam>) {
    TypeParam f = recipe<TypeParam>::empty(50'000, 0.01);
    const auto ks = keys(4, 200'000);
    f.insert(std::span<const key>(ks));
    const std::size_t trials = 200'000;
    EXPECT_TRUE(
        within_5_sigma(count_maybe(ask(f, keys(5, trials))), trials, f.realised_fpr()));
    EXPECT_TRUE(within_part(f.realised_fpr(), f.expected_fpr(ks.size()), 0.02));
  }
}

TYPED_TEST(FprWithinBound, TheKeysAreEstimatedFromTheBits) {
  for (const std::size_t n : {1000u, 30'000u, 100'000u}) {
    const TypeParam f = recipe<TypeParam>::of(keys(6, n), 0.01);
    EXPECT_TRUE(within_part(f.estimated_keys(), static_cast<double>(n), 0.05)) << n;
  }
}

template <filter F>
class FprWithinBoundFull : public FprWithinBound<F> {};
TYPED_TEST_SUITE(FprWithinBoundFull, all_filters, filter_names);

TYPED_TEST(FprWithinBoundFull, OfTwentyMillionKeys) {
  BLOOMERY_FULL_ONLY();
  this->hold(20'000'000, 0.01, 20'000'000, 0.02);
}

}  // namespace
}  // namespace bloomery::testing
