// The rate of a chain at every step of its growth: from its bits, measured, and modelled.
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/model.hpp>
#include <bloomery/scalable_bloom.hpp>

#include "ask.hpp"
#include "cases.hpp"
#include "must.hpp"
#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

// Every number of levels from 1 on: each as full as it becomes.
void hold(const scalable_bloom::params& p, std::uint64_t most) {
  auto f = must(scalable_bloom::make(p));
  const bool kept = !p.dynamic;
  const std::size_t trials = 400'000;
  const auto absent = keys(77, trials);
  std::uint64_t in = 0;
  std::vector<key> batch;
  for (std::uint64_t part = 0; in < most; ++part) {
    batch = keys(1000 + part, std::max<std::uint64_t>(1, p.keys / 20));
    const unsigned levels = f.levels();
    auto before = must(f.clone());
    f.insert(std::span<const key>(batch));
    in += batch.size();
    if (f.levels() == levels) continue;
    // A level was full.
    const double realised = before.realised_fpr();
    const auto hits = count_maybe(ask(before, std::span<const key>(absent)));
    const double modelled = before.expected_fpr(in - batch.size());
    std::printf("| %s | %u | %u | %llu | %.4f %% | %.4f %% | %.4f %% |\n",
                name_of(f.shape().policy), unsigned{f.shape().growth}, levels,
                static_cast<unsigned long long>(in - batch.size()), 100 * modelled,
                100 * realised, 100.0 * static_cast<double>(hits) / trials);
    if (kept) {
      EXPECT_LE(realised, p.fpr) << levels;
    }
    EXPECT_TRUE(within_5_sigma(hits, trials, realised)) << levels;
    EXPECT_TRUE(within_part(realised, modelled, 0.25)) << levels;
    count_cases("chains", 1);
  }
}

TEST(ScalableRates, OfAKnownGrowthByTwo) {
  hold({.keys = 500, .max_growth = 512}, 270'000);
}
TEST(ScalableRates, OfAKnownGrowthByFour) {
  hold({.keys = 500, .max_growth = 512, .growth = 4}, 380'000);
}
TEST(ScalableRates, OfAnUnknownGrowth) { hold({.keys = 500}, 270'000); }
TEST(ScalableRates, OfAnUnknownGrowthAtOneInTenThousand) {
  hold({.keys = 500, .fpr = 0.001, .growth = 8}, 270'000);
}
TEST(ScalableRates, OfADynamicChain) {
  hold({.keys = 500, .fpr = 0.01, .dynamic = true}, 270'000);
}

// The realised rate of small levels scatters; the chain keeps its rate all the same.
TEST(ScalableRates, ManySmallChainsKeepTheirRate) {
  int above = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    auto f = must(scalable_bloom::make({.keys = 50, .max_growth = 30}));
    const auto ks = keys(5000 + i, 4000);
    f.try_insert(std::span<const key>(ks));
    above += f.realised_fpr() > 0.01;
  }
  EXPECT_EQ(above, 0);
  count_cases("chains", 300);
}

}  // namespace
}  // namespace bloomery::testing
