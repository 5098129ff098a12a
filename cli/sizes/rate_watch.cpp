#include "sizes/rate_watch.hpp"

#include <algorithm>

namespace bloomery::cli {
namespace {

// New keys taken for old ones, for each that was not.
double odds(double rate) { return rate / std::max(1 - rate, 1e-9); }

}  // namespace

rate_watch::rate_watch(const any_filter& f, const rate_limit& limit, bool forced)
    : filter_(f), limit_(limit), forced_(forced) {
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

void rate_watch::measure() {
  const double before = rate_;
  rate_ = filter_.realised_fpr();
  mistakes_ += static_cast<double>(since_) * (odds(before) + odds(rate_)) / 2;
  since_ = 0;
  const double keys = filter_.estimated_keys();
  is_full_ = !forced_ && limit_.is_exceeded(rate_, keys);
  // Up to the limit, but no more than a 32nd of it; close to it, no less than a 1024th.
  const double room = limit_.keys_with_scatter() - keys;
  const auto all = static_cast<double>(limit_.keys);
  const double most = std::max(1.0, all / 32), least = std::max(1.0, all / 1024);
  step_ = static_cast<std::uint64_t>(
      forced_ && room < least ? most : std::clamp(room, least, most));
}

}  // namespace bloomery::cli
