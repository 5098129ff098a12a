#include <bloomery/detail/live/observed_rate.hpp>

#include "live/binomial.hpp"

namespace bloomery::inline v1 {

rate_interval clopper_pearson(double hits, double trials, double z) noexcept {
  if (!(trials > 0)) return {0, 1};
  const double error = live::error_of_z(z);
  return {live::exact_low(hits, trials, error), live::exact_high(hits, trials, error)};
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
    return {t.hits / t.trials, clopper_pearson(t.hits, t.trials, z), t.share};
  const auto maybes = static_cast<double>(counts.maybes);
  const auto lookups = maybes + static_cast<double>(counts.negatives);
  // Keys that are present say nothing of the rate, even when all are confirmed.
  if (t.share > 0) return {std::nullopt, {0, 1}, t.share};
  return {std::nullopt, {0, clopper_pearson(maybes, lookups, z).high}, 0};
}

}  // namespace bloomery::inline v1
