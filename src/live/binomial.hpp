// What hits and trials say of a probability: intervals that cover it, and how unlikely
// so many hits are.
//
// Wilson's interval (1927) is right on average only: at 95 % it covers as little as 86.5
// % of the time where hits are few, and far out, where alarms are decided, chance exceeds
// it a thousand times too often.  So the distribution itself is computed.
#pragma once

namespace bloomery::live {

// P(at least `hits` of `trials`) at probability p; trials need not be whole.  Exact to 6
// digits and more; O(sqrt(hits)).  REQUIRES: 0 <= hits <= trials + 1, 0 <= p <= 1
double at_least(double hits, double trials, double p) noexcept;

// The true probability is below, or above, with at most `error` (Clopper and Pearson,
// 1934), whatever it is.  REQUIRES: 0 <= hits <= trials, 0 < error < 1
double exact_low(double hits, double trials, double error) noexcept;
double exact_high(double hits, double trials, double error) noexcept;

// The z that a normal variable exceeds with probability `error`, and the reverse.
// REQUIRES: 0 < error < 1
double z_of_error(double error) noexcept;
double error_of_z(double z) noexcept;

}  // namespace bloomery::live
