// The rate of a native filter while keys go into it, and how many new keys it took for
// old ones.
//
// A key that is new is taken for an old one with the rate of that moment, f.  What was
// inserted as new is then 1 - f of all that were new, so that each stands for f / (1 - f)
// others which were not: the sum over all of them is the expected number of mistakes.
//
// The rate is measured from the bits, about five times until the filter is full: that
// reads the whole filter.  In between it follows the model (expected_fpr), scaled to what
// was measured at both ends, and is integrated by trapezoids, of which there are so many
// that they are within 1 %.
#pragma once

#include <cstdint>

#include <bloomery/any_filter.hpp>

#include "sizes/rate_limit.hpp"

namespace bloomery::cli {

class rate_watch {
 public:
  // `forced`: it is never full.  REQUIRES: `f` outlives it, or its heir
  rate_watch(const any_filter& f, const rate_limit& limit, bool forced);

  // The same filter, loaded again.
  void move_to(const any_filter& heir) { filter_ = &heir; }

  // One key more might exceed the limit.
  bool is_full() const { return is_full_; }
  // Keys that may be inserted before the next call of `inserted`.
  // REQUIRES: !is_full()
  std::uint64_t room() const { return step_ - since_; }
  // So many were definitely new.  REQUIRES: at most room()
  void inserted(std::uint64_t fresh);

  // Measures now, for the numbers below.
  void finish();
  double rate() const { return rate_; }
  double mistakes() const { return mistakes_; }

 private:
  void measure();
  double expected_false_positives(double rate, double keys) const;

  const any_filter* filter_;
  rate_limit limit_;
  bool forced_;
  bool is_full_ = false;
  double rate_ = 0;                     // when it was last measured ...
  std::uint64_t since_ = 0, step_ = 0;  // ... keys since then; until the next time
  double mistakes_ = 0;
};

}  // namespace bloomery::cli
