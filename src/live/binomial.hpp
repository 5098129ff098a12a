// What hits and trials say of a probability, far out where alarms are decided.
//
// Wilson's lower end is right on average at 95 %.  At 1 - 1e-6 and a few hits chance
// exceeds it a thousand times too often, so alarms ask the distribution itself.
#pragma once

namespace bloomery::live {

// P(at least `hits` of `trials`) at probability p; trials need not be whole.  Within 1 %
// up to 1e12 trials; O(sqrt(hits)).  REQUIRES: 0 <= hits <= trials, 0 <= p <= 1
double at_least(double hits, double trials, double p) noexcept;

// The true probability is below with at most `error` (Clopper and Pearson, 1934).
double exact_low(double hits, double trials, double error) noexcept;

// The z that a normal variable exceeds with probability `error`.  REQUIRES: 0 < error < 1
double z_of_error(double error) noexcept;

}  // namespace bloomery::live
