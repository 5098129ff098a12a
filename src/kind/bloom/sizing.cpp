#include <bloomery/detail/kind/bloom/sizing.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <bloomery/model.hpp>

#include "model/saturated.hpp"

namespace bloomery::inline v1 {
namespace {

constexpr std::uint64_t max_bits = std::uint64_t{1} << 48;

error no_keys() noexcept {
  return {errc::invalid_argument, "a filter is sized for at least one key", 0, 0, 1};
}

error too_large(double bits) noexcept {
  return {errc::too_large, "more bits than a filter can have", 0, bits,
          static_cast<double>(max_bits)};
}

bool keeps(std::uint64_t bits, std::uint32_t hashes, double keys, double fpr) noexcept {
  return model::bloom_fpr(static_cast<double>(bits), hashes, keys) <= fpr;
}

// The least number of bits that keeps the rate with so many hashes.
std::uint64_t min_bits(std::uint32_t hashes, double keys, double fpr) noexcept {
  // The textbook's answer is slightly too small, and a good start.
  const double k = hashes;  // an unsigned number has no negative
  const double guess = -k * keys / std::log1p(-std::pow(fpr, 1 / k));
  std::uint64_t high = std::clamp<std::uint64_t>(
      model::saturated<std::uint64_t>(1.02 * guess + 8), 2, max_bits);
  while (high < max_bits && !keeps(high, hashes, keys, fpr))
    high = std::min(2 * high, max_bits);
  std::uint64_t low = 1;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (keeps(middle, hashes, keys, fpr) ? high : low) = middle;
  }
  return high;
}

// Around the best real number of hashes the best whole one lies.
struct whole_hashes {
  std::uint32_t low, high;
};
whole_hashes around(double best) noexcept {
  const double most = max_bloom_hashes;
  return {model::saturated<std::uint32_t>(std::clamp(std::floor(best), 1.0, most)),
          model::saturated<std::uint32_t>(std::clamp(std::ceil(best), 1.0, most))};
}

}  // namespace

result<bloom_layout> size_bloom_by_rate(std::uint64_t keys, double fpr) noexcept {
  if (keys == 0) return no_keys();
  if (!(fpr > 0 && fpr < 1))
    return error{errc::invalid_argument,
                 "a false-positive rate lies strictly between 0 and 1", 0, fpr};
  const auto n = static_cast<double>(keys);
  const double about = -n * std::log(fpr) / (std::numbers::ln2 * std::numbers::ln2);
  if (about > static_cast<double>(max_bits)) return too_large(about);
  if (const double floor = model::key_collisions(n); fpr < 2 * floor)
    return error{errc::unattainable, "64-bit keys collide about as often as this", 0, fpr,
                 2 * floor};
  bloom_layout best{};
  const whole_hashes k = around(std::log2(1 / fpr));
  for (std::uint32_t hashes = k.low; hashes <= k.high; ++hashes) {
    const std::uint64_t bits = min_bits(hashes, n, fpr);
    if (!keeps(bits, hashes, n, fpr)) continue;
    if (best.bits == 0 || bits < best.bits) best = {bits, hashes};
  }
  if (best.bits == 0) return too_large(about);
  return best;
}

result<bloom_layout> size_bloom_by_bits(std::uint64_t keys, std::uint64_t bits) noexcept {
  if (keys == 0) return no_keys();
  if (bits == 0)
    return error{errc::invalid_argument, "a filter needs at least one bit", 0, 0, 1};
  if (bits > max_bits) return too_large(static_cast<double>(bits));
  const auto m = static_cast<double>(bits), n = static_cast<double>(keys);
  const whole_hashes k = around(m / n * std::numbers::ln2);
  const bool fewer = model::bloom_fpr(m, k.low, n) <= model::bloom_fpr(m, k.high, n);
  return bloom_layout{bits, fewer ? k.low : k.high};
}

}  // namespace bloomery::inline v1
