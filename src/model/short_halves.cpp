// Two 32-bit halves over m bits, m of the order of 2^32 or more.
//
// Probe i of a key lies at u + i*v with u, v uniform in [0, 1) (unit: 2^32 bits), folded
// modulo r = m / 2^32.  Its density is a trapezoid, so the bits are not equally loaded:
// bit y carries lambda(y) = n / 2^32 * F(y), F the sum of the k folded densities.  Then
//   fill = mean over y of 1 - e^-lambda(y)
//   fpr  = integral over u, v of the product of 1 - e^-lambda at the k probes.
#include "model/short_halves.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace bloomery::inline v1::model {
namespace {

constexpr std::size_t cells = 8192;  // of the load, over the bits a probe can reach
constexpr std::uint32_t max_hashes = 4096;

// Points per half.  1024 give the rate to about 0.2 %.  With more hashes than any writer
// uses there are fewer, so that a hostile file costs no more than a large one.
std::size_t points_for(std::uint32_t hashes) noexcept {
  std::size_t points = 1024;
  for (std::uint32_t k = 64; k < hashes; k *= 4) points /= 2;
  return points;
}

// Density of u + i*v, folded modulo `range`, at y < range.  A trapezoid: it rises over
// [0, 1), falls over [i, i + 1), and is flat between, where the folds are only counted.
double folded_density(double i, double y, double range) noexcept {
  if (i == 0) {
    double sum = 0;
    for (double at = y; at < 1; at += range) ++sum;
    return sum;
  }
  double sum = 0, at = y;
  for (; at < 1; at += range) sum += at;
  if (at < i) {
    const double flat = std::ceil((i - at) / range);
    sum += flat;
    at += flat * range;
  }
  for (; at < 1 + i; at += range) sum += 1 + i - at;
  return sum / i;
}

class load_curve {
 public:
  load_curve(std::uint64_t bits, std::uint32_t hashes) noexcept
      : range_(static_cast<double>(bits) / 4294967296.0),
        hashes_(std::min(hashes, max_hashes)),
        reach_(std::min(range_, static_cast<double>(hashes_))) {
    // Later probes of absurdly many are spread evenly.
    const double rest = static_cast<double>(hashes - hashes_) / range_;
    for (std::size_t c = 0; c < cells; ++c) {
      const double y = (static_cast<double>(c) + 0.5) / cells * reach_;
      double sum = rest;
      for (std::uint32_t i = 0; i < hashes_; ++i) sum += folded_density(i, y, range_);
      per_key_[c] = sum / 4294967296.0;
    }
  }

  double fill(double keys) const noexcept {
    double sum = 0;
    for (const double f : per_key_) sum -= std::expm1(-keys * f);
    return sum / cells * (reach_ / range_);
  }

  double fpr(double keys) const noexcept {
    std::array<double, cells> set;
    for (std::size_t c = 0; c < cells; ++c) set[c] = -std::expm1(-keys * per_key_[c]);
    const std::size_t points = points_for(hashes_);
    const auto whole = static_cast<double>(points);
    double sum = 0;
    for (std::size_t a = 0; a < points; ++a)
      for (std::size_t b = 0; b < points; ++b)
        sum += one_query(set, (static_cast<double>(a) + 0.5) / whole,
                         (static_cast<double>(b) + 0.5) / whole);
    return sum / (whole * whole);
  }

 private:
  double one_query(const std::array<double, cells>& set, double u,
                   double v) const noexcept {
    double at = std::fmod(u, range_);
    const double step = std::fmod(v, range_);
    const double to_cell = cells / reach_;
    double all = 1;
    for (std::uint32_t i = 0; i < hashes_ && all > 1e-30; ++i) {
      const auto c = static_cast<std::size_t>(at * to_cell);
      all *= set[std::min(c, cells - 1)];
      at += step;
      if (at >= range_) at -= range_;
    }
    return all;
  }

  double range_;          // m, in units of 2^32
  std::uint32_t hashes_;  // as far as they are distinguished
  double reach_;          // no probe lies beyond
  std::array<double, cells> per_key_;
};

}  // namespace

halves short_halves(std::uint64_t bits, std::uint32_t hashes, double keys) noexcept {
  const load_curve load(bits, hashes);
  return {load.fpr(keys), load.fill(keys)};
}

double short_halves_keys(std::uint64_t bits, std::uint32_t hashes,
                         std::uint64_t ones) noexcept {
  if (ones == 0) return 0;
  if (ones >= bits) return std::numeric_limits<double>::infinity();
  const load_curve load(bits, hashes);
  const double wanted = static_cast<double>(ones) / static_cast<double>(bits);
  double low = 0, high = 1;
  while (load.fill(high) < wanted) {
    high *= 2;
    if (high > 1e24) return std::numeric_limits<double>::infinity();
  }
  for (int i = 0; i < 64; ++i) {
    const double middle = (low + high) / 2;
    (load.fill(middle) < wanted ? low : high) = middle;
  }
  return high;
}

}  // namespace bloomery::inline v1::model
