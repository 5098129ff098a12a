// Whether the portable format can keep to a rate, and what it gives if not.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <bloomery/detail/sizing.hpp>

#include "must.hpp"
#include "sigma.hpp"

namespace bloomery {
namespace {

using cause = portable_promise::cause;
using testing::must;
using testing::within_part;

portable_promise promise(std::uint64_t keys, double fpr) {
  return promise_of(must(size_by_rate(keys, fpr)), keys, fpr);
}

double above(double x) { return std::nextafter(x, std::numeric_limits<double>::max()); }

TEST(Promise, IsKeptUpToElevenTenths) {
  EXPECT_TRUE((portable_promise{0.5, 0.55, cause::none}.is_kept()));
  EXPECT_FALSE((portable_promise{0.5, above(0.55), cause::none}.is_kept()));
}

TEST(Promise, IsRefusedBeyondFourTimes) {
  EXPECT_FALSE((portable_promise{0.125, 0.5, cause::none}.is_refused(100)));
  EXPECT_TRUE((portable_promise{0.125, above(0.5), cause::none}.is_refused(100)));
}

TEST(Promise, IsNeverRefusedBelowAHundredKeys) {
  const portable_promise broken{1e-9, 1e-3, cause::double_hashing};
  EXPECT_TRUE(broken.is_refused(100));
  for (const std::uint64_t n : {0u, 1u, 3u, 99u}) EXPECT_FALSE(broken.is_refused(n)) << n;
}

TEST(Promise, IsKeptForOrdinaryFilters) {
  for (const std::uint64_t n : {10'000u, 100'000u, 1'000'000u, 100'000'000u})
    for (const double p : {0.05, 0.01}) {
      const portable_promise got = promise(n, p);
      EXPECT_TRUE(got.is_kept()) << n << " " << p << " " << got.ratio();
      EXPECT_EQ(got.why, cause::none);
      EXPECT_EQ(got.asked_fpr, p);
    }
}

// True rates measured by simulation (docs/model.md): the 1/m floor of double hashing.
TEST(Promise, TellsTheFloorOfDoubleHashing) {
  struct row {
    std::uint64_t keys;
    double fpr, measured;
  };
  constexpr row rows[] = {{1000, 1e-4, 1.45e-4},
                          {1000, 1e-6, 4.05e-5},
                          {1000, 1e-9, 1.5e-5},
                          {10'000, 1e-6, 4.6e-6}};
  for (const row& r : rows) {
    const portable_promise got = promise(r.keys, r.fpr);
    EXPECT_TRUE(within_part(got.true_fpr, r.measured, 0.06)) << r.keys << " " << r.fpr;
    EXPECT_EQ(got.why, cause::double_hashing);
    EXPECT_FALSE(got.is_kept());
  }
  EXPECT_TRUE(promise(1000, 1e-9).is_refused(1000));
  EXPECT_TRUE(promise(1000, 1e-6).is_refused(1000));
  EXPECT_FALSE(promise(1000, 1e-4).is_refused(1000));  // 1.45 times: a warning
}

TEST(Promise, TellsTheLimitOfShortHalves) {
  // 1 % of 896 million keys: 2^33 bits, 1.11 times the asked rate; then worse quickly.
  const portable_promise warned = promise(1'000'000'000, 0.01);
  EXPECT_EQ(warned.why, cause::short_halves);
  EXPECT_FALSE(warned.is_kept());
  EXPECT_FALSE(warned.is_refused(1'000'000'000));
  EXPECT_TRUE(promise(4'000'000'000, 0.01).is_refused(4'000'000'000));
  EXPECT_TRUE(promise(400'000'000, 0.01).is_kept());
}

// Large filters have a floor too: here m = 2.9e9 is near where halves matter, but it is
// the 1/m of double hashing that exceeds the asked rate 280 times, not the halves.
TEST(Promise, NamesTheLargestPartOfTheExcess) {
  EXPECT_EQ(promise(50'000'000, 1e-12).why, cause::double_hashing);
  EXPECT_EQ(promise(10'000'000, 1e-12).why, cause::double_hashing);
  EXPECT_EQ(promise(4'000'000'000, 0.01).why, cause::short_halves);
}

// Near the edge kept and broken rates alternate, as k and the divisors of m change with
// the rate: the one that is told is kept, and from half of it on none is.
TEST(Promise, TheSmallestKeptRateIsOnTheEdge) {
  for (const std::uint64_t n : {1000u, 100'000u, 10'000'000u}) {
    const double p = smallest_kept_fpr(n);
    ASSERT_GT(p, 0) << n;
    ASSERT_LT(p, 1) << n;
    EXPECT_TRUE(promise(n, p).is_kept()) << n << " " << p;
    for (double q = p / 2; q > p / 1000; q *= 0.9)
      EXPECT_FALSE(promise(n, q).is_kept()) << n << " " << q;
  }
}

TEST(Promise, NoRateIsKeptWhereTheHalvesAreTooShort) {
  EXPECT_EQ(smallest_kept_fpr(100'000'000'000), 1);
}

}  // namespace
}  // namespace bloomery
