// The rate of block filters, against filters.
#include <bloomery/model.hpp>

#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/detail/kind/block/sizing.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "block_oracle.hpp"
#include "must.hpp"
#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::all_profiles;
using testing::must;
using testing::within_part;

// Rates, and estimates of their keys, of `filters` filters with `keys` random keys each.
struct sample {
  double mean = 0, error = 0;  // of the rate: mean, and its standard error
  double keys = 0;             // mean estimate
};

template <class F>
sample simulate(F f, std::size_t keys, std::size_t filters) {
  double sum = 0, squares = 0, estimates = 0;
  for (std::size_t i = 0; i < filters; ++i) {
    f.clear();
    f.insert(std::span<const key>(testing::keys(1000 * i + 17, keys)));
    const double rate = f.realised_fpr();
    sum += rate, squares += rate * rate, estimates += f.estimated_keys();
  }
  const auto n = static_cast<double>(filters);
  const double mean = sum / n, variance = (squares / n - mean * mean) * n / (n - 1);
  return {mean, std::sqrt(std::max(0.0, variance) / n), estimates / n};
}

sample simulate(block_shape s, std::size_t keys, std::size_t filters) {
  if (s.profile == block_profile::split)
    return simulate(must(split_block_bloom::make(s.blocks)), keys, filters);
  return simulate(must(block_bloom::make(s)), keys, filters);
}

class ModelBlock
    : public ::testing::TestWithParam<std::tuple<block_profile, std::uint64_t>> {};

// Few blocks, where the scatter of the load between them matters most.
TEST_P(ModelBlock, IsTheMeanOfManyFilters) {
  const auto [profile, blocks] = GetParam();
  const block_shape s{blocks, profile};
  const std::uint64_t full =
      s.lane_bits() / s.choices();  // keys that fill a block by 63 %
  for (const std::uint64_t keys : {blocks * full / 8, blocks * full / 2, blocks * full}) {
    const sample got = simulate(s, keys, blocks == 40 ? 1000 : 4000);
    const double want = model::block_fpr(s, static_cast<double>(keys));
    EXPECT_LE(std::abs(got.mean - want), 5 * got.error + 1e-12 * want)
        << "keys=" << keys << " model=" << want << " simulated=" << got.mean << " +- "
        << got.error << " ratio=" << got.mean / want;
  }
}

INSTANTIATE_TEST_SUITE_P(FewBlocks, ModelBlock,
                         ::testing::Combine(::testing::ValuesIn(all_profiles),
                                            ::testing::Values(1, 2, 5, 40)),
                         [](const auto& p) {
                           return testing::test_name(std::get<0>(p.param)) + "_" +
                                  std::to_string(std::get<1>(p.param));
                         });

TEST(ModelBlockEdges, NothingIsNothingAndTooMuchIsOne) {
  for (const block_profile p : all_profiles)
    for (const std::uint64_t blocks : {1ull, 2ull, 4095ull, 4096ull, 1ull << 40}) {
      const block_shape s{blocks, p};
      EXPECT_EQ(model::block_fpr(s, 0), 0);
      EXPECT_EQ(model::block_fpr(s, -1), 0);
      EXPECT_EQ(model::block_fpr(s, 0x1p64), 1);
      EXPECT_GT(model::block_fpr(s, 1), 0);
      EXPECT_EQ(model::block_keys(s, 0), 0);
      EXPECT_TRUE(std::isinf(model::block_keys(s, static_cast<double>(s.bits()))));
    }
  EXPECT_EQ(model::block_fpr({0, block_profile::line}, 10), 0);
}

// One key in one block: it sets one bit of each lane, and a random key hits them all
// with chance 1/64 each.
TEST(ModelBlockEdges, OneKeyIsExact) {
  const auto near = [](block_profile p, double want) {
    EXPECT_TRUE(within_part(model::block_fpr({1, p}, 1), want, 1e-4)) << name_of(p);
  };
  near(block_profile::half_line, std::pow(64, -4) + 0x1p-32);
  near(block_profile::split, std::pow(32, -8) + 0x1p-32);
  near(block_profile::line, std::pow(64, -8) + 0x1p-32);
}

TEST(ModelBlockEdges, GrowsWithKeysAndFallsWithBlocks) {
  for (const block_profile p : all_profiles)
    for (std::uint64_t blocks = 2; blocks < std::uint64_t{1} << 36; blocks *= 8) {
      double last = 0;
      for (double load = 1; load < 200; load *= 1.7) {
        const double keys = std::ceil(load * static_cast<double>(blocks));
        const double rate = model::block_fpr({blocks, p}, keys);
        EXPECT_GT(rate, last);
        EXPECT_LE(rate, 1);
        EXPECT_LT(model::block_fpr({blocks + blocks / 2, p}, keys), rate);
        last = rate;
      }
    }
}

// Where the binomial gives way to its Poisson limit, nothing jumps: the step is as large
// as the one before it.
TEST(ModelBlockEdges, TheTwoMixturesMeet) {
  for (const block_profile p : all_profiles)
    for (const double load : {1.0, 10.0, 30.0, 60.0}) {
      const auto rate = [&](std::uint64_t blocks) {
        return model::block_fpr({blocks, p}, load * 4096);
      };
      EXPECT_TRUE(within_part(rate(4096) / rate(4095), rate(4095) / rate(4094), 0.002))
          << name_of(p) << " " << load;
    }
}

class ModelBlockMillion : public ::testing::TestWithParam<double> {};

// One large filter lies close to its expectation, and shows how many keys it holds.
TEST_P(ModelBlockMillion, RealisedIsExpected) {
  const std::size_t n = 1'000'000;
  const auto ks = testing::keys(3, n);
  const auto f = must(block_bloom::build(ks, {.keys = n, .fpr = GetParam()}));
  EXPECT_TRUE(within_part(f.realised_fpr(), f.expected_fpr(n), 0.02));
  EXPECT_LE(f.expected_fpr(n), GetParam());
  EXPECT_TRUE(within_part(f.estimated_keys(), 1e6, 0.005));
}

INSTANTIATE_TEST_SUITE_P(Rates, ModelBlockMillion,
                         ::testing::Values(0.05, 0.01, 0.001, 0.0001));

}  // namespace
}  // namespace bloomery
