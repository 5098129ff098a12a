// Independent uniform probes.  Bose et al. 2008 and Christensen, Roginsky and Jimeno
// 2010 showed that the textbook formula is a lower bound.
#include <bloomery/model.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace bloomery::inline v1::model {

double classic_fpr(double bits, double hashes, double keys) noexcept {
  if (keys <= 0) return 0;
  if (bits <= 1) return 1;
  // X, the number of ones, has mean m(1 - q) and the variance below; E[(X/m)^k] is
  // expanded to second order around the mean.  (1 - 2/m) / (1 - 1/m)^2 is exactly
  // 1 - 1/(m - 1)^2, which keeps the variance free of cancellation.
  const double throws = hashes * keys;
  const double q = std::exp(throws * std::log1p(-1 / bits));
  const double set = -std::expm1(throws * std::log1p(-1 / bits));
  const double pairs = std::log1p(-1 / ((bits - 1) * (bits - 1)));
  const double variance =
      q * set / bits + q * q * (1 - 1 / bits) * std::expm1(throws * pairs);
  const double jensen = hashes * (hashes - 1) / 2 * variance / (set * set);
  return std::min(1.0, std::pow(set, hashes) * (1 + jensen));
}

double key_collisions(double keys) noexcept { return keys * 0x1p-63; }

double fpr_with_collisions(double by_chance, double keys) noexcept {
  // Infinite keys, when every bit is set, add nothing to a rate of 1.
  return by_chance + (1 - by_chance) * std::min(1.0, key_collisions(keys));
}

double bloom_fpr(double bits, double hashes, double keys) noexcept {
  return std::min(1.0, classic_fpr(bits, hashes, keys) + key_collisions(keys));
}

double classic_fpr_exact(double bits, unsigned hashes, double keys) noexcept {
  assert(hashes >= 1 && hashes <= 16);
  using real = long double;
  // stirling[j]: ways to partition k probes into j non-empty classes.
  std::array<real, 17> stirling{1};
  for (unsigned n = 1; n <= hashes; ++n) {
    for (unsigned j = n; j >= 1; --j)
      stirling[j] = stirling[j] * static_cast<real>(j) + stirling[j - 1];
    stirling[0] = 0;
  }
  const real m = bits, throws = static_cast<real>(hashes) * static_cast<real>(keys);
  real fpr = 0, placements = 1;  // placements: m (m-1) .. (m-j+1) / m^k
  for (unsigned i = 0; i < hashes; ++i) placements /= m;
  for (unsigned j = 1; j <= hashes; ++j) {
    placements *= std::max<real>(0, m - static_cast<real>(j - 1));
    // All j positions set: inclusion-exclusion over those that are not.
    real all_set = 0, choose = 1;
    for (unsigned i = 0; i <= j; ++i) {
      const real part = static_cast<real>(i) / m;
      const real term = choose * (part >= 1 ? (throws == 0 ? 1 : 0)
                                            : std::exp(throws * std::log1p(-part)));
      all_set += i % 2 == 0 ? term : -term;
      choose *= static_cast<real>(j - i) / static_cast<real>(i + 1);
    }
    fpr += stirling[j] * placements * all_set;
  }
  return static_cast<double>(fpr);
}

double classic_keys(double bits, double hashes, double ones) noexcept {
  if (ones <= 0) return 0;
  if (ones >= bits) return std::numeric_limits<double>::infinity();
  return std::log1p(-ones / bits) / (hashes * std::log1p(-1 / bits));
}

}  // namespace bloomery::inline v1::model
