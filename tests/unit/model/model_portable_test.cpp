// Which model holds where: the portable filter's rate and keys at every size.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/model.hpp>

#include "sigma.hpp"
#include "test_key.hpp"
#include "textbook.hpp"

namespace bloomery {
namespace {

using testing::within_part;

struct spread {
  double mean, scatter;  // of one filter's exact rate
};

spread sampled(std::uint64_t m, std::uint32_t k, std::size_t n, int filters) {
  double sum = 0, squares = 0;
  for (int f = 0; f < filters; ++f) {
    testing::textbook_bloom bits(m, k);
    for (const key x : testing::keys(~m * 4096 - static_cast<unsigned>(f), n))
      bits.insert(x);
    const double rate = model::double_hashing_fpr_exact(bits.bytes(), m, k);
    sum += rate;
    squares += rate * rate;
  }
  const double mean = sum / filters;
  return {mean, std::sqrt(std::max(0.0, squares / filters - mean * mean))};
}

// Small filters are simulated by the model too, with other keys: 32 filters at least.
TEST(ModelPortable, SmallFiltersHaveTheRateOfSimulatedOnes) {
  constexpr int filters = 200;
  for (const std::uint64_t m : {1u, 2u, 3u, 10u, 64u, 97u, 500u, 1000u, 2047u, 2048u})
    for (const std::uint32_t k : {1u, 3u, 7u, 13u}) {
      const std::size_t n = std::max<std::size_t>(1, m / (2 * k));
      const spread want = sampled(m, k, n, filters);
      const double got = model::portable_fpr(m, k, static_cast<double>(n));
      EXPECT_NEAR(got, want.mean,
                  5 * want.scatter * std::sqrt(1.0 / filters + 1.0 / 32) + 1e-12)
          << "m=" << m << " k=" << k;
    }
}

TEST(ModelPortable, EndsAreExact) {
  for (const std::uint64_t m : {std::uint64_t{1}, std::uint64_t{100}, std::uint64_t{5000},
                                std::uint64_t{1} << 33}) {
    EXPECT_EQ(model::portable_fpr(m, 7, 0), 0);
    EXPECT_NEAR(model::portable_fpr(m, 7, 1e13), 1, 1e-12) << m;
    EXPECT_EQ(model::portable_fpr_from_ones(m, 7, 0), 0);
    EXPECT_EQ(model::portable_fpr_from_ones(m, 7, m), 1);
    EXPECT_EQ(model::portable_keys(m, 7, 0), 0);
    EXPECT_TRUE(std::isinf(model::portable_keys(m, 7, m))) << m;
  }
}

TEST(ModelPortable, IsAProbabilityForAnyFile) {
  for (const std::uint64_t m : {1u, 2u, 9u, 100u, 2049u, 70'000u})
    for (const std::uint32_t k : {1u, 30u, 1000u, 0xffffffffu})
      for (const std::uint64_t ones : {std::uint64_t{1}, m / 3, m / 2, m - 1}) {
        const double rate = model::portable_fpr_from_ones(m, k, ones);
        EXPECT_TRUE(rate >= 0 && rate <= 1) << m << " " << k << " " << ones;
      }
}

// Where one model hands over to the next, the rate must not jump.
TEST(ModelPortable, IsContinuousWhereTheModelsMeet) {
  for (const std::uint32_t k : {4u, 7u, 10u}) {
    const double n = 2048 * 0.69 / k;
    EXPECT_TRUE(within_part(model::portable_fpr(2053, k, std::floor(n)),
                            model::portable_fpr(2039, k, std::floor(n)), 0.08));
    const double many = 0x1p31 * 0.69 / k;
    EXPECT_TRUE(within_part(model::portable_fpr(std::uint64_t{1} << 31, k, many),
                            model::portable_fpr((std::uint64_t{1} << 31) - 1, k, many),
                            0.01));
  }
}

TEST(ModelPortable, RateFromOnesIsTheRateOfThoseKeys) {
  for (const std::uint64_t m : {std::uint64_t{100'000}, std::uint64_t{50'000'017},
                                std::uint64_t{3} << 31, std::uint64_t{1} << 34})
    for (const std::uint32_t k : {4u, 7u}) {
      const double n = static_cast<double>(m) * 0.69 / k;
      const double fill = m >= model::halves_matter_from
                              ? model::short_halves(m, k, n).fill
                              : -std::expm1(-(k * n) / static_cast<double>(m));
      const auto ones = static_cast<std::uint64_t>(fill * static_cast<double>(m));
      EXPECT_TRUE(within_part(model::portable_fpr_from_ones(m, k, ones),
                              model::portable_fpr(m, k, n), 0.01))
          << m << " " << k;
      EXPECT_TRUE(within_part(model::portable_keys(m, k, ones), n, 0.001))
          << m << " " << k;
    }
}

TEST(ModelPortable, KeysAreEstimatedFromRealFilters) {
  for (const std::uint64_t m : {1009u, 9586u, 65'536u, 1'000'000u})
    for (const std::uint32_t k : {1u, 7u, 30u}) {
      const std::size_t n = m / (2 * k);
      double sum = 0;
      for (std::uint64_t f = 0; f < 10; ++f) {
        testing::textbook_bloom bits(m, k);
        for (const key x : testing::keys(f * m + k, n)) bits.insert(x);
        std::uint64_t ones = 0;
        for (const std::byte b : bits.bytes())
          ones += static_cast<unsigned>(std::popcount(static_cast<unsigned>(b)));
        sum += model::portable_keys(m, k, ones) / 10;
      }
      EXPECT_TRUE(within_part(sum, static_cast<double>(n), 0.05)) << m << " " << k;
    }
}

}  // namespace
}  // namespace bloomery
