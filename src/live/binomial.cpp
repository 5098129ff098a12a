#include "live/binomial.hpp"

#include <math.h>  // lgamma_r, which <cmath> does not name

#include <cmath>
#include <numbers>

namespace bloomery::live {
namespace {

// std::lgamma writes a global variable: a race between threads that look for alarms.
double log_gamma(double x) noexcept {
  int sign;
  return ::lgamma_r(x, &sign);
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

// Where a rising function reaches `value`, from below; to 100 binary places.
template <class F>
double reach(F rising, double value, double low, double high) noexcept {
  for (int i = 0; i < 100; ++i) {
    const double middle = low + (high - low) / 2;
    (rising(middle) < value ? low : high) = middle;
  }
  return low;
}

}  // namespace

double at_least(double hits, double trials, double p) noexcept {
  if (hits <= 0 || p >= 1) return 1;
  if (p <= 0) return 0;
  // I_p(a, b), the regularised incomplete beta function.
  const double a = hits, b = trials - hits + 1;
  const double front = std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) +
                                a * std::log(p) + b * std::log1p(-p));
  // The fraction converges on this side of the mean; the other side is its mirror.
  if (p < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, p) / a;
  return 1 - front * beta_fraction(b, a, 1 - p) / b;
}

double exact_low(double hits, double trials, double error) noexcept {
  if (hits <= 0) return 0;
  return reach([&](double p) { return at_least(hits, trials, p); }, error, 0, 1);
}

double z_of_error(double error) noexcept {
  constexpr double beyond = 40;  // erfc is 0 from here on
  return reach([](double z) { return -std::erfc(z / std::numbers::sqrt2) / 2; }, -error,
               -beyond, beyond);
}

}  // namespace bloomery::live
