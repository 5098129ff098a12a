// How far a count may lie from its expectation.
#pragma once

#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

namespace bloomery::testing {

// `hits` of `trials` independent draws of probability `p`, within 5 standard deviations:
// one honest test in two million fails, and with fixed seeds none does twice.
inline ::testing::AssertionResult within_5_sigma(std::size_t hits, std::size_t trials,
                                                 double p) {
  const auto n = static_cast<double>(trials);
  const double sigma = std::sqrt(n * p * (1 - p));
  const double off = static_cast<double>(hits) - n * p;
  if (std::abs(off) <= 5 * sigma) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << hits << " of " << trials << " is a rate of " << static_cast<double>(hits) / n
         << ", " << off / sigma << " sigma from " << p;
}

// a within `part` of b, relatively.
inline ::testing::AssertionResult within_part(double a, double b, double part) {
  if (std::abs(a - b) <= part * std::abs(b)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << a << " is " << 100 * (a / b - 1) << " % from "
                                       << b << ", allowed " << 100 * part << " %";
}

}  // namespace bloomery::testing
