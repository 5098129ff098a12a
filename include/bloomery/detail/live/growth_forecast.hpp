// Forecasts when a growing filter will exceed its maximum rate.
//
// From samples of (time, keys) a line is fitted by Theil and Sen: the median of the
// slopes of all pairs.  Up to 29 % of outliers do not move it (one outlier moves least
// squares); a single bulk load is no growth, a series of loads is.  The range is Sen's
// (1968), from the ranks of the slopes, with the level as uncertain as one sample by the
// residuals.  It assumes steady growth over the ring: a forecast from an hour of samples
// does not know about nights.
//
// No allocation.  Thread safety: const calls may run together; any other must run alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include <bloomery/detail/export.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// Whether and when a limit is reached.
enum class forecast_state : std::uint8_t {
  too_few_samples,  // nothing else is filled in
  exceeded,         // the last sample has reached the limit
  expected,         // at `at`, if growth goes on
  not_expected,     // no growth stands out from the noise; `earliest` may still be finite
};

// A forecast: when the limit is reached, and how sure that is.
struct growth {
  forecast_state state = forecast_state::too_few_samples;
  // Seconds on the clock of the samples; infinite: never.  At least 95 % of ranges
  // contain the true time.
  double at = std::numeric_limits<double>::infinity();
  double earliest = std::numeric_limits<double>::infinity();
  double latest = std::numeric_limits<double>::infinity();
  double keys_per_second = 0;

  // From `now`, on the same clock, until `at`: 0 if it has passed, infinite for never,
  // nullopt without enough samples.
  std::optional<double> seconds_left(double now) const noexcept {
    if (state == forecast_state::too_few_samples) return std::nullopt;
    return std::max(0.0, at - now);
  }
};

// A number of keys at a time, in seconds on any clock.
struct growth_sample {
  double seconds = 0, keys = 0;
};

class BLOOMERY_EXPORT growth_forecast {
 public:
  static constexpr std::size_t ring = 64;   // samples kept, the latest
  static constexpr std::size_t fewest = 8;  // samples for a forecast

  // A sample, such as estimated_keys.  Infinity (every bit set) counts as 2^64 keys.
  // Errors: invalid_argument: less than a nanosecond later than the last sample, beyond
  // +-1e15 seconds, keys negative, or no number.  The sample is then left out.
  result<void> observe(double seconds, double keys) noexcept;

  // Drops all samples: for when a new generation takes over with another number of keys.
  void reset() noexcept { *this = {}; }

  // When the number of keys reaches `limit` (keys_at_rate).
  growth forecast(double limit) const noexcept;

  std::size_t samples() const noexcept { return count_; }

 private:
  const growth_sample& last() const noexcept {
    return samples_[(next_ + ring - 1) % ring];
  }

  // The first count_ places are filled, whether or not the ring has gone round.
  std::array<growth_sample, ring> samples_{};
  std::size_t count_ = 0, next_ = 0;
};

// The fewest keys with which this filter's expected_fpr exceeds `fpr`; the largest number
// if none do.  REQUIRES: expected_fpr does not fall as keys grow
template <class F>
std::uint64_t keys_at_rate(const F& filter, double fpr) noexcept {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const auto exceeds = [&](std::uint64_t keys) {
    return filter.expected_fpr(keys) > fpr;
  };
  if (exceeds(0)) return 0;
  std::uint64_t below = 0, above = 1;  // below does not exceed
  while (!exceeds(above)) {
    if (above > most / 2) return most;
    below = above, above *= 2;
  }
  while (above - below > 1) {
    const std::uint64_t middle = below + (above - below) / 2;
    (exceeds(middle) ? above : below) = middle;
  }
  return above;
}

}  // namespace bloomery::inline v1
