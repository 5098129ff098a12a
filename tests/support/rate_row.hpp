// A row of a table of rates: the model, what a filter reports from its state, and what is
// measured.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "ask.hpp"
#include "cases.hpp"
#include "full.hpp"
#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery::testing {

inline void print_rate_columns() {
  std::puts(
      "| kind | configuration | keys | bits/key | model | realised | measured | "
      "measured - realised, sigma |\n|:--|:--|--:|--:|--:|--:|--:|--:|");
}

// How many keys that are not in it test positive.
template <class F>
std::size_t count_hits(const F& f, std::size_t trials) {
  constexpr std::size_t at_once = 100'000;
  std::size_t hits = 0;
  for (std::size_t i = 0; i < trials; i += at_once)
    hits += count_maybe(ask(f, keys(1'000'000 + i, at_once)));
  return hits;
}

// Prints the row of a filter with `n` keys, and compares: measured with realised, by 5
// standard deviations, and realised with the model, by `part` of it, since one filter
// scatters around the model.
template <class F>
void expect_rates(const F& f, const std::string& shape, std::size_t n,
                  double part = 0.05) {
  SCOPED_TRACE(shape);
  const std::size_t trials = full_run() ? 20'000'000 : 1'000'000;
  const std::size_t hits = count_hits(f, trials);
  const double model = f.expected_fpr(n), realised = f.realised_fpr();
  const double sigma = std::sqrt(realised * (1 - realised) / static_cast<double>(trials));
  const double measured = static_cast<double>(hits) / static_cast<double>(trials);
  std::printf("| %s | %s | %zu | %.2f | %.3e | %.3e | %.3e | %+.1f |\n", F::kind.name,
              shape.c_str(), n, static_cast<double>(f.bits()) / static_cast<double>(n),
              model, realised, measured, (measured - realised) / sigma);
  EXPECT_TRUE(within_5_sigma(hits, trials, realised));
  EXPECT_TRUE(within_part(realised, model, part));
  count_cases("filters", 1);
}

}  // namespace bloomery::testing
