// How large a quotient filter (quotient.hpp) must be.  Pure arithmetic.
//
// A filter is filled to at most 95 % of its slots.  Behind the slots of its quotients
// there are some more, for runs that are pushed beyond the last: 10 sqrt(S), at most 640.
// At 95 % a run is pushed t slots beyond with a probability below e^(-0.103 t), so that
// the keys it was sized for fit; at 98 % below e^(-0.04 t) (docs/model.md).
#pragma once

#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/quotient/probe.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

inline constexpr double quotient_max_load = 0.95;

// The layout of a filter of so many quotients, with its usual number of blocks.
BLOOMERY_EXPORT quotient_layout quotient_layout_of(std::uint64_t quotients,
                                                   std::uint32_t remainder_bits) noexcept;

// Whether a filter can be so.  Errors: invalid_argument, too_large.
BLOOMERY_EXPORT result<void> check_quotient_layout(const quotient_layout& l) noexcept;

// The distinct keys that it holds with room for their runs.
BLOOMERY_EXPORT std::uint64_t quotient_capacity(const quotient_layout& l) noexcept;

// The fewest bits that hold `keys` keys at a rate of at most `fpr`.
// Errors: invalid_argument (keys = 0, fpr outside (0, 1)); unattainable (below the rate
// of the longest remainders in half as many slots as keys; possible: that); too_large
// (asked, possible: bits).
BLOOMERY_EXPORT result<quotient_layout> size_quotient_by_rate(std::uint64_t keys,
                                                              double fpr) noexcept;

// Uses at most so many bits, with the longest remainders: the lowest rate.
// Errors: invalid_argument (keys = 0); unattainable (the keys do not fit; possible: the
// bits they need), too_large.
BLOOMERY_EXPORT result<quotient_layout> size_quotient_by_bits(
    std::uint64_t keys, std::uint64_t bits) noexcept;

// Twice the quotients, one bit less: the same fingerprints, and room for as many again.
// Errors: unattainable (remainders have 2 bits), too_large.
BLOOMERY_EXPORT result<quotient_layout> doubled(const quotient_layout& l) noexcept;

}  // namespace bloomery::inline v1
