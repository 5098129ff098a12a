// Slices that are independent of each other: the closed form is exact.
#include <bloomery/detail/kind/partitioned/sizing.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <bloomery/detail/kind/partitioned/probe.hpp>
#include <bloomery/model.hpp>

#include "model/saturated.hpp"

namespace bloomery::inline v1 {

double model::partitioned_fpr(double slice_bits, double slices, double keys) noexcept {
  if (keys <= 0) return 0;
  const double set =
      slice_bits <= 1 ? 1 : -std::expm1(keys * std::log1p(-1 / slice_bits));
  return std::min(1.0, std::pow(set, slices) + key_collisions(keys));
}

double model::partitioned_keys(double slice_bits, double slices, double ones) noexcept {
  const double bits = slice_bits * slices;
  if (ones <= 0) return 0;
  if (ones >= bits) return std::numeric_limits<double>::infinity();
  return std::log1p(-ones / bits) / std::log1p(-1 / slice_bits);
}

namespace {

constexpr std::uint64_t max_bits = partitioned_probe::max_bits;
constexpr std::uint32_t max_slices = partitioned_probe::max_slices;

error no_keys() noexcept {
  return {errc::invalid_argument, "a filter is sized for at least one key", 0, 0, 1};
}
error too_large(double bits) noexcept {
  return {errc::too_large, "more bits than a filter can have", 0, bits,
          static_cast<double>(max_bits)};
}

bool keeps(std::uint64_t slice_bits, std::uint32_t slices, double keys,
           double fpr) noexcept {
  return model::partitioned_fpr(static_cast<double>(slice_bits), slices, keys) <= fpr;
}

// The fewest bits of a slice that keep the rate; 0: no number does.
std::uint64_t min_slice_bits(std::uint32_t slices, double keys, double fpr) noexcept {
  const double each = std::pow(fpr - model::key_collisions(keys), 1.0 / slices);
  const double real = -1 / std::expm1(std::log1p(-each) / keys);
  if (!(real < static_cast<double>(max_bits / slices))) return 0;
  // Rounding may have gone either way.
  auto bits = model::saturated<std::uint64_t>(std::max(1.0, std::ceil(real)));
  while (bits > 1 && keeps(bits - 1, slices, keys, fpr)) --bits;
  while (bits < max_bits / slices && !keeps(bits, slices, keys, fpr)) ++bits;
  return keeps(bits, slices, keys, fpr) ? bits : 0;
}

}  // namespace

result<partitioned_layout> size_partitioned_by_rate(std::uint64_t keys,
                                                    double fpr) noexcept {
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
  partitioned_layout best{};
  // For few keys the best number lies far from log2(1 / fpr): all are tried.
  for (std::uint32_t slices = 1; slices <= max_slices; ++slices) {
    const partitioned_layout l{min_slice_bits(slices, n, fpr), slices};
    if (l.slice_bits != 0 && (best.slices == 0 || l.bits() < best.bits())) best = l;
  }
  if (best.slices == 0) return too_large(about);
  return best;
}

result<partitioned_layout> size_partitioned_by_bits(std::uint64_t keys,
                                                    std::uint64_t bits) noexcept {
  if (keys == 0) return no_keys();
  if (bits == 0)
    return error{errc::invalid_argument, "a filter needs at least one bit", 0, 0, 1};
  if (bits > max_bits) return too_large(static_cast<double>(bits));
  const auto n = static_cast<double>(keys);
  partitioned_layout best{};
  double lowest = 2;
  for (std::uint32_t slices = 1; slices <= std::min<std::uint64_t>(max_slices, bits);
       ++slices) {
    const partitioned_layout l{bits / slices, slices};
    const double fpr =
        model::partitioned_fpr(static_cast<double>(l.slice_bits), slices, n);
    if (fpr < lowest) lowest = fpr, best = l;
  }
  return best;
}

}  // namespace bloomery::inline v1
