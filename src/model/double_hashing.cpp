// What deriving k probes from two costs: h1 + i*h2 mod m with uniform h1, h2.
#include <bloomery/model.hpp>

#include <algorithm>
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

}  // namespace

double double_hashing_excess(std::uint64_t bits, std::uint32_t hashes, double keys,
                             double fill) noexcept {
  const auto m = static_cast<double>(bits);
  if (fill >= 1) return 0;  // the rate is 1 already

  // A step of order d < k in Z_m visits d positions instead of k.  d = 1 is h2 = 0.
  double collapsed = 0;
  constexpr std::uint64_t most = 4096;  // more hashes than any writer uses
  for (std::uint64_t d = 1; d < std::min<std::uint64_t>(hashes, most); ++d) {
    if (bits % d != 0) continue;
    collapsed += static_cast<double>(totient(d)) * std::pow(fill, static_cast<double>(d));
  }
  // A stored key with the same step, or the opposite one, whose progression overlaps
  // the query's in k - j places: 1 + 2 * (fill + fill^2 + ... + fill^(k-1)).
  const double powers =
      fill * (1 - std::pow(fill, static_cast<double>(hashes) - 1)) / (1 - fill);
  const double overlapping = 2 * keys / m * (1 + 2 * powers);
  return (collapsed + overlapping) / m;
}

}  // namespace bloomery::inline v1::model
