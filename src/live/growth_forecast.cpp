#include <bloomery/detail/live/growth_forecast.hpp>

#include <algorithm>
#include <cmath>
#include <span>

#include <bloomery/detail/live/observed_rate.hpp>

namespace bloomery::inline v1 {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double max_keys = 0x1p64;
// Within these no slope and no point of a line overflows.
constexpr double max_seconds = 1e15, min_step = 1e-9;
constexpr std::size_t max_pairs = growth_forecast::ring * (growth_forecast::ring - 1) / 2;

// All of these reorder what they are given.
double at_rank(std::span<double> values, std::size_t rank) noexcept {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(rank));
  return values[rank];
}
double median(std::span<double> values) noexcept {
  const std::size_t half = values.size() / 2;
  const double upper = at_rank(values, half);
  if (values.size() % 2 != 0) return upper;
  return (at_rank(values.first(half), half - 1) + upper) / 2;
}

struct range {
  double middle, low, high;
};

range slope_of(std::span<const growth_sample> samples) noexcept {
  std::array<double, max_pairs> room;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      room[pairs++] =
          (samples[i].keys - samples[j].keys) / (samples[i].seconds - samples[j].seconds);
  const std::span slopes(room.data(), pairs);
  // Kendall's statistic around the true slope has this deviation, so its range is as many
  // ranks wide.  By Kendall's exact distribution that covers at least 95.03 % of the time
  // for 8 to 64 samples.  Ties only make it wider.
  const auto n = static_cast<double>(samples.size());
  const double deviation = std::sqrt(n * (n - 1) * (2 * n + 5) / 18);
  const auto aside = static_cast<std::size_t>(z_of_95_percent * deviation / 2 + 1);
  const std::size_t middle = pairs / 2;
  return {median(slopes), at_rank(slopes, middle - std::min(middle, aside)),
          at_rank(slopes, std::min(pairs - 1, middle + aside))};
}

// Keys at `seconds` on a line of this slope through the samples.
range level_at(double seconds, double slope,
               std::span<const growth_sample> samples) noexcept {
  std::array<double, growth_forecast::ring> room;
  const std::span levels(room.data(), samples.size());
  std::ranges::transform(samples, levels.begin(), [&](const growth_sample& s) {
    return s.keys - slope * (s.seconds - seconds);
  });
  const double level = median(levels);
  for (double& v : levels) v = std::abs(v - level);
  // The standard deviation of normal variables is 1.4826 times the median absolute
  // deviation.  It is that of one sample, not of their mean: what grows in steps is ahead
  // of its line by half a step when it reaches the limit.
  const double error = z_of_95_percent * 1.4826 * median(levels);
  return {level, level - error, level + error};
}

double middle_time(std::span<const growth_sample> samples) noexcept {
  std::array<double, growth_forecast::ring> room;
  const std::span times(room.data(), samples.size());
  std::ranges::transform(samples, times.begin(), &growth_sample::seconds);
  return median(times);
}

}  // namespace

result<void> growth_forecast::observe(double seconds, double keys) noexcept {
  if (!(std::abs(seconds) <= max_seconds) ||
      (count_ > 0 && seconds - last().seconds < min_step))
    return error{errc::invalid_argument, "a sample must be later than the last", 0,
                 seconds, count_ > 0 ? last().seconds : 0};
  if (!(keys >= 0))
    return error{errc::invalid_argument, "a number of keys is not negative", 0, keys, 0};
  samples_[next_] = {seconds, std::min(keys, max_keys)};
  next_ = (next_ + 1) % ring;
  count_ = std::min(count_ + 1, ring);
  return {};
}

growth growth_forecast::forecast(double limit) const noexcept {
  growth g;
  if (count_ == 0) return g;
  const double now = last().seconds;
  if (last().keys >= limit) {
    g.state = forecast_state::exceeded;
    g.at = g.earliest = g.latest = now;
    return g;
  }
  if (count_ < fewest) return g;

  const std::span samples(samples_.data(), count_);
  const range slope = slope_of(samples);
  // Lines of all slopes turn around the middle of the samples: there the level is known
  // best, and does not depend on the slope.
  const double centre = middle_time(samples);
  const range level = level_at(centre, slope.middle, samples);
  const auto reached = [&](double keys, double keys_per_second) {
    if (keys_per_second <= 0) return keys >= limit ? now : infinite;
    return std::max(now, centre + (limit - keys) / keys_per_second);
  };
  g.keys_per_second = slope.middle;
  g.earliest = reached(level.high, slope.high);
  g.state = forecast_state::not_expected;
  if (slope.low <= 0) return g;
  g.state = forecast_state::expected;
  g.at = reached(level.middle, slope.middle);
  g.latest = reached(level.low, slope.low);
  return g;
}

}  // namespace bloomery::inline v1
