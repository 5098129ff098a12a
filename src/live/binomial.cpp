#include "live/binomial.hpp"

#include <math.h>  // lgamma_r, which <cmath> does not name

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bloomery::live {
namespace {

// std::lgamma writes a global variable: a race between threads that look for alarms.
double log_gamma(double x) noexcept {
  int sign;
  return ::lgamma_r(x, &sign);
}

// ln(x!) less Stirling's formula for it.
double stirling_error(double x) noexcept {
  if (x < 16)
    return log_gamma(x + 1) - (x + 0.5) * std::log(x) + x -
           std::log(2 * std::numbers::pi) / 2;
  const double xx = x * x;
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 / xx) / xx) / xx) / x;
}

// x ln(x / mean) + mean - x, where the terms cancel if x is near the mean: `off` is what
// it is above.
double deviance(double x, double mean, double off) noexcept {
  if (std::abs(off) > 0.1 * (x + mean)) return x * std::log(x / mean) - off;
  const double v = off / (x + mean), vv = v * v;
  double sum = off * v, power = 2 * x * v;
  for (int i = 3; i < 40; i += 2) {
    power *= vv;
    const double next = sum + power / i;
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

// p^a (1 - p)^b / B(a, b) as Loader (2000) computes binomial probabilities: logarithms of
// gamma functions would cancel, and leave no digit from 1e16 trials on.
double beta_front(double a, double b, double p) noexcept {
  const double n = a + b, off = a - n * p;
  const double log_chance = stirling_error(n) - stirling_error(a) - stirling_error(b) -
                            deviance(a, n * p, off) - deviance(b, n * (1 - p), -off);
  return std::exp(log_chance) * std::sqrt(a / n * b / (2 * std::numbers::pi));
}

// The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's
// method as Thompson and Barnett (1986) modified it.
double beta_fraction(double a, double b, double x) noexcept {
  constexpr double tiny = 1e-300, precise = 1e-13;
  constexpr int max_steps = 1 << 20;  // enough for 1e11 hits
  const auto not_zero = [](double v) { return std::abs(v) < tiny ? tiny : v; };
  double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), fraction = d;
  const auto step = [&](double numerator) {
    d = 1 / not_zero(1 + numerator * d);
    c = not_zero(1 + numerator / c);
    fraction *= c * d;
  };
  for (int i = 1; i < max_steps; ++i) {
    const double m = i;
    step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)));
    if (std::abs(c * d - 1) < precise) break;
  }
  return fraction;
}

struct range {
  double low, high;
};

// Around where a rising function reaches `value`, within 1e-12 of itself.
template <class F>
range reach(F rising, double value, range r) noexcept {
  for (int i = 0; i < 1100 && r.high - r.low > 1e-12 * r.low; ++i) {
    const double middle = r.low + (r.high - r.low) / 2;
    if (middle <= r.low || middle >= r.high) break;
    (rising(middle) < value ? r.low : r.high) = middle;
  }
  return r;
}

// From so many hits, and as many misses, up: Wilson's interval (1927).  What it lacks of
// the exact one is less than the 0.1 % that it is made wider.
constexpr double many = 1e8;
range wide_wilson(double hits, double trials, double error) noexcept {
  const double z = 1.001 * z_of_error(error);
  const double p = hits / trials, zz = z * z / trials;
  const double half = z * std::sqrt(p * (1 - p) / trials + zz / (4 * trials));
  return {(p + zz / 2 - half) / (1 + zz), (p + zz / 2 + half) / (1 + zz)};
}
bool are_many(double hits, double trials) noexcept {
  return hits > many && trials - hits > many;
}

}  // namespace

double at_least(double hits, double trials, double p) noexcept {
  if (hits <= 0 || p >= 1) return 1;
  if (p <= 0) return 0;
  // More trials at a smaller p are the same Poisson distribution, but 1 - p has no digits
  // left for it.
  if (const double enough = std::max(1e12, 1e6 * hits); trials > enough)
    return at_least(hits, enough, p * (trials / enough));
  // I_p(a, b), the regularised incomplete beta function.
  const double a = hits, b = trials - hits + 1;
  const double front = beta_front(a, b, p);
  // The fraction converges on this side of the mean; the other side is its mirror.
  if (p < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, p) / a;
  return 1 - front * beta_fraction(b, a, 1 - p) / b;
}

double exact_low(double hits, double trials, double error) noexcept {
  if (hits <= 0) return 0;
  const double rate = std::min(1.0, hits / trials);
  if (are_many(hits, trials)) return std::min(rate, wide_wilson(hits, trials, error).low);
  const auto tail = [&](double p) { return at_least(hits, trials, p); };
  return std::min(rate, reach(tail, error, {0, 1}).low);
}

double exact_high(double hits, double trials, double error) noexcept {
  if (hits >= trials) return 1;
  const double rate = std::max(0.0, hits / trials);
  if (are_many(hits, trials))
    return std::max(rate, wide_wilson(hits, trials, error).high);
  // P(at most `hits`) is 1 - P(at least hits + 1).
  const auto tail = [&](double p) { return at_least(hits + 1, trials, p); };
  return std::max(rate, reach(tail, 1 - error, {0, 1}).high);
}

double z_of_error(double error) noexcept {
  constexpr double beyond = 40;  // erfc is 0 from here on
  double low = -beyond, high = beyond;
  for (int i = 0; i < 100; ++i) {
    const double middle = low + (high - low) / 2;
    (error_of_z(middle) > error ? low : high) = middle;
  }
  return low;
}

double error_of_z(double z) noexcept { return std::erfc(z / std::numbers::sqrt2) / 2; }

}  // namespace bloomery::live
