// What deriving k probes from two costs: h1 + i*h2 mod m with uniform h1, h2.
#include <bloomery/model.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace bloomery::inline v1::model {
namespace {

// Euler's totient by trial division; n is at most a few thousand here.
std::uint64_t totient(std::uint64_t n) noexcept {
  std::uint64_t phi = n;
  for (std::uint64_t p = 2; p * p <= n; ++p) {
    if (n % p != 0) continue;
    while (n % p == 0) n /= p;
    phi -= phi / p;
  }
  return n > 1 ? phi - phi / n : phi;
}

// A step of order d < k in Z_m visits the d places of one coset instead of k places; d =
// 1 is h2 = 0.  They are all set by chance (fill^d), or by one stored key whose own step
// has an order D < k that d divides: it fills a whole coset of D places.
double collapsed_steps(std::uint64_t bits, std::uint32_t hashes, double keys,
                       double fill) noexcept {
  // No number below 2^63 has more divisors up to 2^20 than this holds; more hashes than
  // that are cut off, and no writer uses a thousandth of them.
  constexpr std::uint64_t most = std::uint64_t{1} << 20;
  std::array<std::uint64_t, 8192> orders;
  std::size_t count = 0;
  for (std::uint64_t d = 1; d < std::min<std::uint64_t>(hashes, most); ++d)
    if (bits % d == 0 && count < orders.size()) orders[count++] = d;

  const auto m = static_cast<double>(bits);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t d = orders[i];
    double filling = 0;  // steps that fill, weighted by the chance to meet the coset
    for (std::size_t j = i; j < count; ++j)
      if (orders[j] % d == 0)
        filling += static_cast<double>(totient(orders[j]) * orders[j]);
    const double chance = std::pow(fill, static_cast<double>(d));
    const double met = std::min(1.0, keys * filling / (m * m));
    sum += static_cast<double>(totient(d)) * (chance + met * (1 - chance));
  }
  return sum;
}

}  // namespace

double double_hashing_excess(std::uint64_t bits, std::uint32_t hashes, double keys,
                             double fill) noexcept {
  if (fill >= 1) return 0;  // the rate is 1 already
  const auto m = static_cast<double>(bits);
  // A stored key with the same step, or the opposite one, whose progression overlaps
  // the query's in k - j places: 1 + 2 * (fill + fill^2 + ... + fill^(k-1)).
  const double powers =
      fill * (1 - std::pow(fill, static_cast<double>(hashes) - 1)) / (1 - fill);
  const double overlapping = 2 * keys / m * (1 + 2 * powers);
  return (collapsed_steps(bits, hashes, keys, fill) + overlapping) / m;
}

}  // namespace bloomery::inline v1::model
