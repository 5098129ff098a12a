#include <bloomery/observed_rate.hpp>

#include <algorithm>
#include <cmath>

namespace bloomery::inline v1 {

rate_interval wilson(double hits, double trials, double z) noexcept {
  if (!(trials > 0)) return {0, 1};
  const double p = hits / trials, zz = z * z / trials;
  const double centre = p + zz / 2;
  const double half = z * std::sqrt(p * (1 - p) / trials + zz / (4 * trials));
  // At the ends one bound is p itself; rounding must not put it on the wrong side.
  const double low = hits <= 0 ? 0 : (centre - half) / (1 + zz);
  const double high = hits >= trials ? 1 : (centre + half) / (1 + zz);
  return {std::clamp(low, 0.0, p), std::clamp(high, p, 1.0)};
}

rate_trials trials_of(const lookup_counts& counts) noexcept {
  const auto negatives = static_cast<double>(counts.negatives);
  const auto maybes = static_cast<double>(counts.maybes);
  const auto absent = static_cast<double>(counts.confirmed_absent);
  const double confirmed = static_cast<double>(counts.confirmed_present) + absent;
  // More confirmed than asked: counters read at different moments.
  const double share = confirmed >= maybes ? 1 : confirmed / maybes;
  return {absent, share * negatives + absent, share};
}

observed_rate observe_rate(const lookup_counts& counts, double z) noexcept {
  const rate_trials t = trials_of(counts);
  if (t.share > 0 && t.trials > 0)
    return {t.hits / t.trials, wilson(t.hits, t.trials, z), t.share};
  const auto maybes = static_cast<double>(counts.maybes);
  const auto lookups = maybes + static_cast<double>(counts.negatives);
  // Keys that are present say nothing of the rate, even when all are confirmed.
  if (t.share > 0) return {std::nullopt, {0, 1}, t.share};
  return {std::nullopt, {0, wilson(maybes, lookups, z).high}, 0};
}

}  // namespace bloomery::inline v1
