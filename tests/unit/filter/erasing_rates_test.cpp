// The rate that counting filters have, beside the one they were sized for and the one
// they report: 24 configurations, half of which had as many keys again inserted and
// erased.
#include <cmath>
#include <cstdio>
#include <memory>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/counting_bloom.hpp>

#include "cases.hpp"
#include "full.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::keys;
using testing::must;

double measured(const counting_bloom& f, std::size_t asked) {
  constexpr std::size_t at_once = 50'000;
  const auto answers = std::make_unique<bool[]>(at_once);
  std::size_t maybe = 0;
  for (std::size_t i = 0; i < asked; i += at_once) {
    const auto ks = keys(1'000'000 + i, at_once);
    f.may_contain(ks, std::span(answers.get(), at_once));
    for (std::size_t j = 0; j < at_once; ++j) maybe += answers[j];
  }
  return static_cast<double>(maybe) / static_cast<double>(asked);
}

struct configuration {
  cell_layout layout;
  unsigned width;
  double fpr;
};

void expect_rates(const configuration& c, bool churned) {
  const std::size_t n = 50'000;
  const std::size_t asked = testing::full_run() ? 20'000'000 : 1'000'000;
  auto f = must(counting_bloom::make(
      {.keys = n, .fpr = c.fpr, .cell_bits = c.width, .layout = c.layout}));
  const auto ks = keys(1, n);
  f.insert(std::span<const key>(ks));
  if (churned) {
    // Half of them at a time, so that it is never much fuller than it was sized for.
    for (const std::uint64_t seed : {2u, 3u}) {
      const auto others = keys(seed, n / 2);
      f.insert(std::span<const key>(others));
      const auto erased = std::make_unique<bool[]>(others.size());
      EXPECT_EQ(must(f.erase_present(others, std::span(erased.get(), others.size()))),
                others.size());
    }
  }
  const double rate = measured(f, asked);
  const double sigma = std::sqrt(c.fpr / static_cast<double>(asked));
  std::printf(
      "%-5s w=%-2u %5.1f bits/key  asked %.1e  model %.3e  realised %.3e  "
      "measured %.3e  stuck %llu%s\n",
      name_of(c.layout), c.width, 8.0 * static_cast<double>(f.size_in_bytes()) / n, c.fpr,
      f.expected_fpr(n), f.realised_fpr(), rate,
      static_cast<unsigned long long>(f.stuck_cells()), churned ? "  churned" : "");
  EXPECT_LE(f.expected_fpr(n), c.fpr);
  EXPECT_NEAR(rate, f.realised_fpr(), 5 * sigma + 0.002 * c.fpr);
  // One filter scatters around the model; stuck cells of a churned one come on top.
  EXPECT_NEAR(f.realised_fpr(), f.expected_fpr(n), 0.05 * c.fpr);
  for (const key k : ks) ASSERT_TRUE(f.may_contain(k));
  testing::count_cases("lookups", asked);
}

TEST(CountingRate, IsTheModels) {
  using enum cell_layout;
  const std::vector<configuration> all{
      {line, 4, 0.3},   {line, 4, 0.1},   {line, 4, 0.03}, {line, 4, 0.01},
      {line, 4, 0.003}, {line, 4, 0.001}, {line, 8, 0.01}, {line, 32, 0.01},
      {flat, 4, 0.1},   {flat, 4, 0.01},  {flat, 4, 1e-3}, {flat, 8, 1e-4}};
  for (const configuration& c : all)
    for (const bool churned : {false, true}) expect_rates(c, churned);
}

}  // namespace
}  // namespace bloomery
