// The rate of the portable filter at every size: which of the models holds where.
#include <bloomery/model.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <bloomery/detail/kind/portable/probe.hpp>

#include "model/short_halves.hpp"

namespace bloomery::inline v1::model {
namespace {

// Up to here the closed form for double hashing is off by more than 5 % (it adds
// probabilities of events that overlap), and averaging real filters is cheap.
constexpr std::uint64_t simulated_up_to = 2048;

// Any sequence without structure would do; this one is SplitMix64.
std::uint64_t next_random(std::uint64_t& state) noexcept {
  std::uint64_t x = state += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Mean exact rate of filters with `keys` random keys.  The same every time.
double simulated_fpr(std::uint64_t bits, std::uint32_t hashes, double keys) noexcept {
  const auto m = static_cast<double>(bits);
  const portable_probe probe(bits);
  const auto probes = static_cast<std::uint32_t>(std::min<std::uint64_t>(hashes, bits));
  if (keys * probes > 50 * m) return 1;  // e^-50: not one bit is left
  // Scatter is about 10 % a filter near the limit, where each takes 0.2 ms.
  const int filters = static_cast<int>(std::clamp(1.3e8 / (m * m), 32.0, 1024.0));
  std::uint64_t random = bits;
  double sum = 0;
  for (int f = 0; f < filters; ++f) {
    std::array<std::byte, simulated_up_to / 8> array{};
    for (double i = 0; i < keys; ++i)
      set_all(array.data(), probe.start(key::from_bits(next_random(random))), probes,
              bits);
    sum += double_hashing_fpr_exact(array, bits, probes);
  }
  return sum / filters;
}

}  // namespace

double portable_fpr(std::uint64_t bits, std::uint32_t hashes, double keys) noexcept {
  if (keys <= 0) return 0;
  if (bits <= simulated_up_to) return simulated_fpr(bits, hashes, keys);
  const auto m = static_cast<double>(bits);
  if (bits >= halves_matter_from) {
    const halves h = short_halves(bits, hashes, keys);
    return std::min(1.0, h.fpr + double_hashing_excess(bits, hashes, keys, h.fill));
  }
  const double fill = -std::expm1(hashes * keys * std::log1p(-1 / m));
  return std::min(1.0, classic_fpr(m, hashes, keys) +
                           double_hashing_excess(bits, hashes, keys, fill));
}

double portable_fpr_from_ones(std::uint64_t bits, std::uint32_t hashes,
                              std::uint64_t ones) noexcept {
  if (ones == 0) return 0;
  if (ones >= bits) return 1;
  const double keys = portable_keys(bits, hashes, ones);
  const double fill = static_cast<double>(ones) / static_cast<double>(bits);
  const double independent = bits >= halves_matter_from && std::isfinite(keys)
                                 ? short_halves(bits, hashes, keys).fpr
                                 : std::pow(fill, hashes);
  // With few keys the excess formula exceeds what any probe can give: the first one.
  return std::min(fill, independent + double_hashing_excess(bits, hashes, keys, fill));
}

double portable_keys(std::uint64_t bits, std::uint32_t hashes,
                     std::uint64_t ones) noexcept {
  if (bits >= halves_matter_from) return short_halves_keys(bits, hashes, ones);
  return classic_keys(static_cast<double>(bits), hashes, static_cast<double>(ones));
}

}  // namespace bloomery::inline v1::model
