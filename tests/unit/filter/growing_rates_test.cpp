// Filters that grow, forget or count: the rate of the model, the one a filter reports
// from its state and the one it has, for every configuration in one table.
//
// BLOOMERY_TEST_FULL=1 filter_test --gtest_filter=GrowingRates.* prints the table of
// docs/model.md.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/quotient.hpp>
#include <bloomery/scalable_bloom.hpp>
#include <bloomery/stable_bloom.hpp>
#include <bloomery/window_bloom.hpp>

#include "full.hpp"
#include "must.hpp"
#include "rate_row.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::expect_rates;
using testing::keys;
using testing::must;

std::string percent(double rate) {
  std::string text = std::to_string(100 * rate);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " %";
}

// Every number of levels up to `levels`: each as full as it becomes.
void expect_chain(const scalable_bloom::params& p, unsigned levels) {
  auto f = must(scalable_bloom::make(p));
  std::size_t in = 0;
  for (std::uint64_t part = 0; f.levels() <= levels; ++part) {
    const auto batch = keys(1000 + part, std::max<std::uint64_t>(1, p.keys / 20));
    const unsigned before = f.levels();
    const auto old = must(f.clone());
    f.insert(std::span<const key>(batch));
    if (f.levels() != before) {
      // Levels of a few hundred keys scatter.
      expect_rates(old,
                   std::string(name_of(f.shape().policy)) + ", " + percent(p.fpr) +
                       ", by " + std::to_string(f.shape().growth) +
                       ", levels: " + std::to_string(before),
                   in, 0.25);
      if (!p.dynamic) {
        EXPECT_LE(old.realised_fpr(), p.fpr);
      }
    }
    in += batch.size();
  }
}

// At its stable point: after many times the inserts in which it settles by a factor of e.
void expect_stable(unsigned cell_bits, double fpr) {
  auto f = must(stable_bloom::make(
      {.keys = 2000, .fpr = fpr, .memory = 32 << 10, .cell_bits = cell_bits}));
  const std::size_t n = 400'000;
  f.insert(std::span<const key>(keys(cell_bits, n)));
  expect_rates(f,
               "cells of " + std::to_string(cell_bits) +
                   (cell_bits == 1 ? " bit, " : " bits, ") + percent(fpr),
               n);
  EXPECT_TRUE(testing::within_part(f.expected_fpr(n), fpr, 0.01));
}

// At its fullest: the next key begins another generation.
void expect_window(unsigned generations, double fpr) {
  auto f =
      must(window_bloom::make({.keys = 50'000, .fpr = fpr, .generations = generations}));
  const std::size_t n = 2 * f.shape().generation_keys * generations;
  f.insert(std::span<const key>(keys(generations, n)));
  expect_rates(f, std::to_string(generations) + " generations, " + percent(fpr), n, 0.1);
  EXPECT_LE(f.expected_fpr(n), fpr);
}

// Distinct fingerprints scatter like a Poisson number, and by less.
double quotient_scatter(const quotient& f, std::size_t n) {
  return 1e-3 + 5 * std::sqrt(f.expected_fpr(n) / static_cast<double>(n));
}

void expect_quotient(std::size_t n, double asked) {
  auto f = must(quotient::make({.keys = n, .fpr = asked}));
  ASSERT_EQ(f.try_insert(keys(n, n)), n);
  EXPECT_LE(f.expected_fpr(n), asked);
  expect_rates(
      f,
      percent(asked) + ", remainders of " + std::to_string(f.remainder_bits()) + " bits",
      n, quotient_scatter(f, n));
}

void expect_load(unsigned load, std::uint32_t remainder_bits) {
  auto f = must(quotient::make(quotient_layout_of(50'000, remainder_bits)));
  const std::size_t n = 500 * load;
  ASSERT_EQ(f.try_insert(keys(load, n)), n);
  expect_rates(f,
               "load " + std::to_string(load) + " %, remainders of " +
                   std::to_string(remainder_bits) + " bits",
               n, quotient_scatter(f, n));
}

TEST(GrowingRates, AreTheModels) {
  BLOOMERY_STATISTICS();
  testing::print_rate_columns();
  expect_chain({.keys = 500, .max_growth = 512}, 9);
  expect_chain({.keys = 500, .max_growth = 512, .growth = 4}, 5);
  expect_chain({.keys = 500}, 9);
  expect_chain({.keys = 500, .fpr = 0.001, .growth = 8}, 3);
  expect_chain({.keys = 500, .dynamic = true}, 9);
  expect_chain({.keys = 500, .growth = 4, .dynamic = true}, 4);
  for (const unsigned cell_bits : {1u, 2u, 4u})
    for (const double fpr : {0.1, 0.01, 0.001}) expect_stable(cell_bits, fpr);
  for (const unsigned generations : {2u, 3u, 4u, 8u, 32u})
    for (const double fpr : {0.01, 0.001}) expect_window(generations, fpr);
  for (const double fpr : {0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001, 0.0001})
    expect_quotient(50'000, fpr);
  for (const double fpr : {0.2, 0.01}) expect_quotient(1000, fpr);
  expect_quotient(200'000, 0.007);
  for (const unsigned load : {5u, 25u, 50u, 75u, 90u, 98u}) expect_load(load, 7);
}

}  // namespace
}  // namespace bloomery
