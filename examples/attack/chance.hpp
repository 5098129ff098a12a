// What chance alone can do: bounds that a keyed filter exceeds once in a thousand million
// runs.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

namespace attack {

inline constexpr double rarely = 1e-9;

// The probability of at least `hits` among `trials`, each with probability p.
inline double tail(std::uint64_t hits, std::uint64_t trials, double p) {
  if (hits == 0) return 1;
  if (p <= 0) return 0;
  const double n = static_cast<double>(trials);
  double sum = 0;
  for (std::uint64_t i = hits; i <= trials; ++i) {
    const double x = static_cast<double>(i);
    const double term =
        std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) +
                 x * std::log(p) + (n - x) * std::log1p(-p));
    sum += term;
    if (x > n * p && term < sum * 1e-12) break;
  }
  return sum;
}

inline bool is_more_than_chance(std::uint64_t hits, std::uint64_t trials, double p) {
  return tail(hits, trials, p) < rarely;
}

// An upper bound on the values of honest filters, from a sample of them: the mean and 9
// standard deviations, for 32 values that are about normal, as those of sums over many
// blocks are (Student's t with 31 degrees of freedom: less than 1e-9).
inline double upper_bound_of(std::span<const double> values) {
  double sum = 0, squares = 0;
  for (const double v : values) sum += v;
  const double n = static_cast<double>(values.size()), mean = sum / n;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return mean + 9 * std::sqrt(squares / (n - 1) * (1 + 1 / n));
}

}  // namespace attack
