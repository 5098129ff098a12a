// The classic model against occupancy computed throw by throw, and against filters.
#include <bloomery/model.hpp>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::within_part;

// Distribution of the number of ones after k*n throws, one throw at a time; then the
// mean of (ones/m)^k.
double occupancy_fpr(unsigned bits, unsigned hashes, unsigned keys) {
  const long double m = bits;
  std::vector<long double> p(bits + 1);
  p[0] = 1;
  for (unsigned t = 0; t < hashes * keys; ++t)
    for (unsigned j = std::min(bits, t + 1); j-- > 0;) {
      p[j + 1] += p[j] * (m - j) / m;
      p[j] *= j / m;
    }
  long double fpr = 0;
  for (unsigned j = 1; j <= bits; ++j) fpr += p[j] * std::pow(j / m, hashes);
  return static_cast<double>(fpr);
}

TEST(ModelClassic, ExactIsTheOccupancyThrowByThrow) {
  for (const unsigned m : {1u, 2u, 3u, 8u, 17u, 64u, 200u})
    for (const unsigned k : {1u, 2u, 3u, 7u, 12u, 16u})
      for (const unsigned n : {0u, 1u, 2u, 5u, 13u, 40u}) {
        const double want = occupancy_fpr(m, k, n);
        // Alternating sums of 2^16 end at an absolute error near 1e-14.
        EXPECT_NEAR(model::classic_fpr_exact(m, k, n), want, 1e-9 * want + 2e-14)
            << "m=" << m << " k=" << k << " n=" << n;
      }
}

// The worst error of the delta form over hashes up to 16 and fills of 1 to 99 %.
double worst_error(double bits) {
  double worst = 0;
  for (unsigned k = 1; k <= 16; ++k)
    for (double n = 1; n < 5 * bits; n = std::ceil(n * 1.1)) {
      const double fill = -std::expm1(-(k * n) / bits);
      const double exact = model::classic_fpr_exact(bits, k, n);
      if (fill < 0.01 || fill > 0.99 || exact < 1e-9) continue;
      worst = std::max(worst, std::abs(model::classic_fpr(bits, k, n) / exact - 1));
    }
  return worst;
}

TEST(ModelClassic, DeltaFormErrsLessTheMoreBitsThereAre) {
  EXPECT_LT(worst_error(512), 0.0025);
  for (const double m : {2048.0, 10'000.0, 1e5, 1e6, 1e7})
    EXPECT_LT(worst_error(m), 0.0002) << m;
}

TEST(ModelClassic, DeltaFormHoldsForThirtyHashes) {
  for (const unsigned n : {20u, 47u, 100u})
    EXPECT_TRUE(
        within_part(model::classic_fpr(2048, 30, n), occupancy_fpr(2048, 30, n), 0.003))
        << n;
}

// The textbook formula is a lower bound: Jensen.
TEST(ModelClassic, IsNeverBelowTheTextbook) {
  for (const double m : {100.0, 1000.0, 1e6})
    for (const double k : {1.0, 4.0, 7.0, 30.0})
      for (const double fill : {0.1, 0.5, 0.9}) {
        const double n = -m * std::log1p(-fill) / k;
        EXPECT_GE(model::classic_fpr(m, k, n) * (1 + 1e-9),
                  std::pow(-std::expm1(k * n * std::log1p(-1 / m)), k));
      }
}

TEST(ModelClassic, EndsAreExact) {
  for (const double m : {1.0, 2.0, 1000.0, 1e12}) {
    EXPECT_EQ(model::classic_fpr(m, 7, 0), 0);
    EXPECT_EQ(model::classic_fpr(m, 7, 1e15), 1);
    EXPECT_EQ(model::classic_keys(m, 7, 0), 0);
    EXPECT_TRUE(std::isinf(model::classic_keys(m, 7, m)));
  }
  EXPECT_EQ(model::classic_fpr(1, 3, 1), 1);
}

TEST(ModelClassic, GrowsWithKeys) {
  double last = 0;
  for (double n = 1; n < 1e6; n *= 1.5) {
    const double now = model::classic_fpr(10'000, 7, n);
    EXPECT_GE(now, last);
    last = now;
  }
}

// Independent throws, as the model assumes them.
TEST(ModelClassic, KeysAreEstimatedFromOnes) {
  testing::random from(1);
  for (const std::size_t m : {1000u, 10'000u, 1'000'000u})
    for (const double load : {0.05, 0.7, 2.5}) {  // throws per bit
      constexpr int k = 5, filters = 20;
      const double n = std::floor(static_cast<double>(m) * load / k);
      double sum = 0;
      for (int f = 0; f < filters; ++f) {
        std::vector<bool> bits(m);
        double ones = 0;
        for (double t = 0; t < n * k; ++t) {
          auto bit = bits[from.below(m)];
          ones += !bit;
          bit = true;
        }
        sum += model::classic_keys(static_cast<double>(m), k, ones);
      }
      // One estimate scatters by sqrt(e^load - 1 - load) / load / sqrt(m).
      const double scatter = std::sqrt(std::expm1(load) - load) / load /
                             std::sqrt(static_cast<double>(m) * filters);
      EXPECT_TRUE(within_part(sum / filters, n, 5 * scatter)) << m << " " << load;
    }
}

}  // namespace
}  // namespace bloomery
