#include "sizes/rate_watch.hpp"

#include <algorithm>
#include <cmath>

namespace bloomery::cli {
namespace {

// New keys taken for old ones, for each that was not.
double odds(double rate) { return rate / std::max(1 - rate, 1e-9); }

}  // namespace

rate_watch::rate_watch(const any_filter& f, const rate_limit& limit, bool forced)
    : filter_(&f), limit_(limit), forced_(forced) {
  measure();
}

void rate_watch::inserted(std::uint64_t fresh) {
  since_ += fresh;
  // With little room left, groups of keys would get too small to be quick.
  if (step_ - since_ <= step_ / 16) measure();
}

void rate_watch::finish() {
  if (since_ != 0) measure();
}

// False positives among keys inserted since the last measurement, given the rate and the
// number of keys now.
double rate_watch::expected_false_positives(double rate, double keys) const {
  if (since_ == 0) return 0;
  // A filter that forgets hardly changes its rate: that of the middle.
  if (filter_->facts().forgets)
    return static_cast<double>(since_) * (odds(rate) + odds(rate_)) / 2;
  // Estimates scatter; the number of keys in between is known.
  const auto count = static_cast<double>(since_);
  const double first = std::max(0.0, keys - count);
  const auto modelled = [&](double n) {
    return filter_->expected_fpr(static_cast<std::uint64_t>(n));
  };
  // What was measured, as a part of what the model says; 1 where both are nearly 0.
  const auto part = [](double measured, double model) {
    return measured > 0 && model > 0 ? measured / model : 1;
  };
  const double to = part(rate, modelled(keys));
  // A few keys scatter more than many, and matter less.
  const double from = std::clamp(part(rate_, modelled(first)), to / 2, 2 * to);
  constexpr int steps = 32;
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double x = static_cast<double>(i) / steps;
    const double f = modelled(first + x * (keys - first)) * (from + x * (to - from));
    sum += odds(std::min(f, 1.0)) * (i == 0 || i == steps ? 0.5 : 1);
  }
  return count * sum / steps;
}

void rate_watch::measure() {
  const double rate = filter_->realised_fpr(), keys = filter_->estimated_keys();
  mistakes_ += std::isfinite(keys) ? expected_false_positives(rate, keys)
                                   : static_cast<double>(since_) * odds(rate);
  rate_ = rate;
  since_ = 0;
  is_full_ = !forced_ && limit_.is_exceeded(rate, keys);
  // One that grows keeps its rate, and has no limit in sight: a quarter more each time.
  if (filter_->facts().grows) {
    step_ = static_cast<std::uint64_t>(std::max(4096.0, keys) / 4);
    return;
  }
  // Up to the limit, but no more than a quarter of it; close to it, or beyond, no less
  // than a 1024th.
  const double room = limit_.keys_with_scatter() - keys;
  const auto all = static_cast<double>(limit_.keys);
  const double most = std::max(1.0, all / 4), least = std::max(1.0, all / 1024);
  step_ = static_cast<std::uint64_t>(
      forced_ && room < least ? most : std::clamp(room, least, most));
}

}  // namespace bloomery::cli
