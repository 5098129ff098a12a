// The false-positive rate a service really has, from what its lookups turned out to be.
//
// Definition: false positives / (false positives + true negatives), a lookup at a time.
// True negatives belong to it, and keys that are present do not: systems that left the
// first out or counted stored keys instead of lookups reported rates nobody had.
//
// A "no" is always right, so it is a true negative.  A "perhaps" is either; which one,
// only the caller finds out, and may find out for a sample.  The sample must not depend
// on the outcome: each "perhaps" has the same chance to be confirmed.
#pragma once

#include <cstdint>
#include <optional>

#include <bloomery/export.hpp>

namespace bloomery::inline v1 {

// What lookups were answered, and what a "perhaps" was then found to mean.
struct lookup_counts {
  std::uint64_t negatives = 0;          // answered "no"
  std::uint64_t maybes = 0;             // answered "perhaps"
  std::uint64_t confirmed_present = 0;  // of these, found to be there ...
  std::uint64_t confirmed_absent = 0;   // ... and found not to: false positives

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

// 95 % of intervals cover, and 2.5 % lie on either side: how many deviations a normal
// variable would need for that.
inline constexpr double z_of_95_percent = 1.959963984540054;

// The interval of Clopper and Pearson (1934) for `hits` of `trials`: whatever the true
// rate is, it lies below with at most the probability that a normal variable exceeds z,
// and above with at most the same.  Few hits make it cover more often than that, never
// less.  0 trials say nothing: 0..1.  Microseconds; O(sqrt(hits)).
// REQUIRES: 0 <= hits <= trials, 0 < z < 38
BLOOMERY_EXPORT rate_interval clopper_pearson(double hits, double trials,
                                              double z = z_of_95_percent) noexcept;

struct observed_rate {
  // Nothing while no "perhaps" of any was confirmed, or nothing was looked up.
  std::optional<double> rate;
  // With an estimate, the interval around it.  Without, what is still possible: from
  // 0 to the upper end for "every perhaps was wrong".
  rate_interval range;
  // Share of the "perhaps" that was confirmed, 0..1.
  double confirmed = 0;
};

// The trials an estimate rests on: with a share s of the "perhaps" confirmed, f of them
// absent, about f / s false positives happened, and f of s * negatives + f lookups of
// absent keys were seen to be one.
struct rate_trials {
  double hits = 0;    // f
  double trials = 0;  // s * negatives + f
  double share = 0;   // s; 1 if there was nothing to confirm
};
BLOOMERY_EXPORT rate_trials trials_of(const lookup_counts& counts) noexcept;

// The interval covers the true rate at least as often as z says.  Of a sample it is up to
// 1 / sqrt(share) wider than needed where few lookups find a key that is there.
BLOOMERY_EXPORT observed_rate observe_rate(const lookup_counts& counts,
                                           double z = z_of_95_percent) noexcept;

}  // namespace bloomery::inline v1
