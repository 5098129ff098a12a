#include <bloomery/detail/sizing.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <bloomery/detail/kind/portable/probe.hpp>
#include <bloomery/model.hpp>

#include "model/saturated.hpp"

namespace bloomery::inline v1 {
namespace {

constexpr double max_bits = static_cast<double>(portable_probe::max_bits);
constexpr std::uint32_t max_hashes = 30;

// `bits` is whole and at least 1.
result<bloom_layout> with_best_hashes(std::uint64_t keys, double bits) noexcept {
  // NaN fails this too.
  if (!(bits <= max_bits))
    return error{errc::too_large, "more bits than the format can address", 0, bits,
                 max_bits};
  const double k = std::round(bits / static_cast<double>(keys) * std::numbers::ln2);
  return bloom_layout{
      model::saturated<std::uint64_t>(bits),
      model::saturated<std::uint32_t>(std::clamp(k, 1.0, double{max_hashes}))};
}

error no_keys() noexcept {
  return {errc::invalid_argument, "a filter is sized for at least one key", 0, 0, 1};
}

}  // namespace

result<bloom_layout> size_by_rate(std::uint64_t keys, double fpr) noexcept {
  if (keys == 0) return no_keys();
  if (!(fpr > 0 && fpr < 1))
    return error{errc::invalid_argument,
                 "a false-positive rate lies strictly between 0 and 1", 0, fpr};
  // In exactly this order: ports compute the same doubles.
  const double bits = std::ceil(-static_cast<double>(keys) * std::log(fpr) /
                                (std::numbers::ln2 * std::numbers::ln2));
  return with_best_hashes(keys, bits);
}

result<bloom_layout> size_by_bits_per_key(std::uint64_t keys,
                                          double bits_per_key) noexcept {
  if (keys == 0) return no_keys();
  if (!(bits_per_key > 0))
    return error{errc::invalid_argument, "bits per key must be positive", 0,
                 bits_per_key};
  return with_best_hashes(keys, std::ceil(static_cast<double>(keys) * bits_per_key));
}

result<bloom_layout> size_by_memory(std::uint64_t keys, std::uint64_t bytes) noexcept {
  if (keys == 0) return no_keys();
  if (bytes == 0)
    return error{errc::invalid_argument, "a filter needs at least one byte", 0, 0, 1};
  return with_best_hashes(keys, static_cast<double>(bytes) * 8);
}

portable_promise promise_of(bloom_layout layout, std::uint64_t keys,
                            double asked_fpr) noexcept {
  using cause = portable_promise::cause;
  const auto n = static_cast<double>(keys);
  portable_promise p{asked_fpr, model::portable_fpr(layout.bits, layout.hashes, n),
                     cause::none};
  if (p.is_kept()) return p;
  p.why = cause::double_hashing;
  // The larger part of what exceeds the asked rate names the cause.  The limit of 30
  // hashes never does: the floor of double hashing is met long before it.
  if (layout.bits >= model::halves_matter_from) {
    const double ideal =
        model::classic_fpr(static_cast<double>(layout.bits), layout.hashes, n);
    const double spread = model::short_halves(layout.bits, layout.hashes, n).fpr;
    if (spread - ideal > p.true_fpr - spread) p.why = cause::short_halves;
  }
  return p;
}

double smallest_kept_fpr(std::uint64_t keys) noexcept {
  const auto is_kept = [keys](double log_fpr) noexcept {
    const double fpr = std::exp(log_fpr);
    const auto layout = size_by_rate(keys, fpr);
    return layout && promise_of(*layout, keys, fpr).is_kept();
  };
  double kept = std::log(0.5), broken = std::log(1e-15);
  if (!is_kept(kept)) return 1;
  if (is_kept(broken)) return 1e-15;
  for (int i = 0; i < 16; ++i) {  // to within 0.1 %
    const double middle = (kept + broken) / 2;
    (is_kept(middle) ? kept : broken) = middle;
  }
  return std::exp(kept);
}

}  // namespace bloomery::inline v1
