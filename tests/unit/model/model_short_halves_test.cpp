// 32-bit halves over many bits: the integral against published ratios and against a
// simulation in which everything is 2^16 times smaller.
#include <chrono>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/model.hpp>

#include "full.hpp"
#include "model/short_halves.hpp"
#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::within_part;

struct row {
  double fpr;
  std::uint32_t hashes;
  std::vector<double> ratio;  // to (1 - e^(-k/c))^k, at 1.25, 1.5, 2, 3, 4, 8, 16, 32
};

// Ratios of a numeric integral and a simulation that agreed within 1 % (docs/model.md).
TEST(ModelShortHalves, HasThePublishedRatios) {
  const row rows[] = {
      {0.05, 4, {1.03, 1.06, 1.19, 1.66, 2.67, 8.5, 14.8, 18.1}},
      {0.01, 7, {1.013, 1.032, 1.11, 1.50, 2.43, 12.1, 42.9, 73.2}},
      {0.001, 10, {1.010, 1.026, 1.10, 1.49, 2.53, 20.0, 171, 497}},
      {1e-4, 13, {1.008, 1.022, 1.08, 1.47, 2.59, 36.8, 558, 3078}},
  };
  constexpr double sizes[] = {1.25, 1.5, 2, 3, 4, 8, 16, 32};
  for (const row& r : rows) {
    const double c = -std::log(r.fpr) / (std::log(2.0) * std::log(2.0));
    const double formula = std::pow(-std::expm1(-(r.hashes / c)), r.hashes);
    for (std::size_t i = 0; i < std::size(sizes); ++i) {
      const double m = sizes[i] * 0x1p32;
      const double got =
          model::short_halves(static_cast<std::uint64_t>(m), r.hashes, m / c).fpr /
          formula;
      EXPECT_TRUE(within_part(got, r.ratio[i], 0.01)) << r.fpr << " at " << sizes[i];
    }
  }
}

TEST(ModelShortHalves, IsTheClassicModelWhereHalvesSuffice) {
  for (const double size : {0.5, 1.0}) {
    const double m = size * 0x1p32, n = m / 9.585;
    const model::halves h = model::short_halves(static_cast<std::uint64_t>(m), 7, n);
    EXPECT_TRUE(within_part(h.fpr, model::classic_fpr(m, 7, n), 0.005)) << size;
    EXPECT_TRUE(within_part(h.fill, -std::expm1(-7 * n / m), 0.001)) << size;
  }
}

// 16-bit halves over r * 2^16 bits.
struct scaled_filter {
  std::uint64_t m;
  std::uint32_t k;
  std::vector<bool> bits = std::vector<bool>(m);

  void insert(std::uint64_t hash) {
    for (std::uint64_t i = 0; i < k; ++i)
      bits[((hash & 0xffff) + i * (hash >> 16 & 0xffff)) % m] = true;
  }
  bool may_contain(std::uint64_t hash) const {
    for (std::uint64_t i = 0; i < k; ++i)
      if (!bits[((hash & 0xffff) + i * (hash >> 16 & 0xffff)) % m]) return false;
    return true;
  }
};

TEST(ModelShortHalves, AgreesWithAScaledSimulation) {
  testing::random from(1);
  for (const double size : {1.5, 2.0, 2.7, 4.0, 8.0})
    for (const auto& [k, c] : {std::pair{4u, 6.2}, std::pair{7u, 9.6}}) {
      const auto m = static_cast<std::uint64_t>(size * 0x1p16);
      const double n = std::floor(static_cast<double>(m) / c);
      constexpr int filters = 4, trials = 500'000;
      double hits = 0, ones = 0;
      for (int f = 0; f < filters; ++f) {
        scaled_filter filter{m, k};
        for (double i = 0; i < n; ++i) filter.insert(from.next());
        for (int t = 0; t < trials; ++t) hits += filter.may_contain(from.next());
        for (const bool b : filter.bits) ones += b;
      }
      const model::halves want = model::short_halves(m << 16, k, n * 0x1p16);
      EXPECT_TRUE(within_part(want.fpr, hits / filters / trials, 0.02))
          << size << " " << k;
      EXPECT_TRUE(within_part(want.fill, ones / filters / static_cast<double>(m), 0.005))
          << size << " " << k;
    }
}

TEST(ModelShortHalves, KeysInvertTheFill) {
  for (const double size : {0.5, 1.0, 2.0, 8.0, 64.0})
    for (const double per_key : {5.0, 9.6, 50.0}) {
      const auto m = static_cast<std::uint64_t>(size * 0x1p32);
      const double n = static_cast<double>(m) / per_key;
      const double fill = model::short_halves(m, 7, n).fill;
      const auto ones = static_cast<std::uint64_t>(fill * static_cast<double>(m));
      EXPECT_TRUE(within_part(model::short_halves_keys(m, 7, ones), n, 1e-4)) << size;
    }
}

// No key reaches beyond k * 2^32: more ones than that have no explanation.
TEST(ModelShortHalves, UnreachableOnesAreInfinitelyManyKeys) {
  const std::uint64_t m = std::uint64_t{1} << 40;
  EXPECT_TRUE(std::isinf(model::short_halves_keys(m, 7, m / 2)));
}

// A file may claim any k; asking about it must not take minutes.
TEST(ModelShortHalvesFull, AbsurdlyManyHashesTakeSeconds) {
  BLOOMERY_FULL_ONLY();
  const auto begin = std::chrono::steady_clock::now();
  const model::halves h = model::short_halves(std::uint64_t{1} << 31, 1000, 1e6);
  EXPECT_TRUE(within_part(h.fill, -std::expm1(-1e9 / 0x1p31), 0.01));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
}

}  // namespace
}  // namespace bloomery
