// The observed false-positive rate of a service, from confirmed lookups.
//
// Definition: false positives / (false positives + true negatives), counted per lookup.
// True negatives are part of it, and lookups of present keys are not: systems that left
// out the first, or counted stored keys instead of lookups, reported wrong rates.
//
// A negative answer is always right, so it is a true negative.  A positive answer
// ("possibly present") is true or false; only the caller can find out which, and may do
// so for a sample.  The sample must not depend on the outcome: each positive answer must
// have the same chance to be confirmed.
#pragma once

#include <cstdint>
#include <optional>

#include <bloomery/detail/export.hpp>

namespace bloomery::inline v1 {

// Counts of answers, and of positive answers that were then confirmed.
struct lookup_counts {
  std::uint64_t negatives = 0;          // answered "definitely not present"
  std::uint64_t maybes = 0;             // answered "possibly present"
  std::uint64_t confirmed_present = 0;  // of these, found to be present ...
  std::uint64_t confirmed_absent = 0;   // ... and found to be absent: false positives

  lookup_counts& operator+=(const lookup_counts& b) noexcept {
    negatives += b.negatives, maybes += b.maybes;
    confirmed_present += b.confirmed_present, confirmed_absent += b.confirmed_absent;
    return *this;
  }
  // What happened since `before`; no count falls below 0, as counters are not read in one
  // instant.
  lookup_counts since(const lookup_counts& before) const noexcept {
    const auto less = [](std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; };
    return {less(negatives, before.negatives), less(maybes, before.maybes),
            less(confirmed_present, before.confirmed_present),
            less(confirmed_absent, before.confirmed_absent)};
  }
  friend bool operator==(const lookup_counts&, const lookup_counts&) = default;
};

// Limits of a rate.
struct rate_interval {
  double low = 0, high = 1;
};

// The standard deviations of a normal variable for a two-sided interval of 95 %.
inline constexpr double z_of_95_percent = 1.959963984540054;

// The interval of Clopper and Pearson (1934) for `hits` of `trials`: whatever the true
// rate is, it lies below with at most the probability that a normal variable exceeds z,
// and above with at most the same.  With few hits it covers more often than that, never
// less.  With 0 trials: 0..1.  Microseconds; O(sqrt(hits)).
// REQUIRES: 0 <= hits <= trials, 0 < z < 38
BLOOMERY_EXPORT rate_interval clopper_pearson(double hits, double trials,
                                              double z = z_of_95_percent) noexcept;

struct observed_rate {
  // nullopt while no positive answer was confirmed, or nothing was looked up.
  std::optional<double> rate;
  // With an estimate, the interval around it.  Without, what is still possible: from
  // 0 to the upper end if every positive answer was false.
  rate_interval range;
  // Share of the positive answers that was confirmed, 0..1.
  double confirmed = 0;
};

// The trials behind an estimate: with a share s of the positive answers confirmed, f of
// them absent, about f / s false positives happened; f false positives were seen in
// s * negatives + f lookups of absent keys.
struct rate_trials {
  double hits = 0;    // f
  double trials = 0;  // s * negatives + f
  double share = 0;   // s; 1 if there was nothing to confirm
};
BLOOMERY_EXPORT rate_trials trials_of(const lookup_counts& counts) noexcept;

// The interval covers the true rate at least as often as z says.  For a sample it is up
// to 1 / sqrt(share) wider than needed where few lookups find a key that is there.
BLOOMERY_EXPORT observed_rate observe_rate(const lookup_counts& counts,
                                           double z = z_of_95_percent) noexcept;

}  // namespace bloomery::inline v1
