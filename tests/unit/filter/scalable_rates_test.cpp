// Chains keep to their rate (the rates of every level count: growing_rates_test.cpp).
#include <span>

#include <gtest/gtest.h>

#include <bloomery/scalable_bloom.hpp>

#include "cases.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

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
