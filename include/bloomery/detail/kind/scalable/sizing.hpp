// How large the levels of a scalable filter must be, and how many keys each holds.  Pure
// arithmetic: nothing here allocates.  docs/model.md, section 17.
#pragma once

#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/scalable/shape.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// The smallest chain whose first level holds `keys` keys, and all that max_growth allows
// `max_growth * keys`, at the rate `fpr` in all.  A profile is that of every level.
// Errors: invalid_argument (keys = 0, fpr outside (0, 1), growth, max_growth below 1, a
// profile that levels do not have), unattainable, too_large.
BLOOMERY_EXPORT result<scalable_shape> size_scalable_by_rate(
    std::uint64_t keys, double fpr, const growth_plan& plan = {},
    block_profile profile = block_profile::by_rate) noexcept;

// Level 0 has so many bytes, rounded down to lines; the rate is that which the chain has
// if level 0 holds `keys` keys, 1e-6 to 0.5.  Errors: as above, but unattainable.
BLOOMERY_EXPORT result<scalable_shape> size_scalable_by_memory(
    std::uint64_t keys, std::uint64_t bytes, const growth_plan& plan = {},
    block_profile profile = block_profile::by_rate) noexcept;

// Level 0 of exactly so many lines.  Errors: invalid_argument, too_large.
BLOOMERY_EXPORT result<scalable_shape> scalable_of_lines(
    std::uint64_t lines, double fpr, const growth_plan& plan = {},
    block_profile profile = block_profile::by_rate) noexcept;

// Whether these numbers are those of a chain.  Errors: invalid_argument, too_large.
BLOOMERY_EXPORT result<void> check_scalable_shape(const scalable_shape& s) noexcept;

// Keys that a level holds at its share of the rate, with a margin for the scatter of
// small levels.  REQUIRES: the level exists
BLOOMERY_EXPORT std::uint64_t scalable_level_keys(const scalable_shape& s,
                                                  unsigned level) noexcept;

// Whether a chain of so many levels may grow by one more: not beyond
// effective_max_levels, 2^48 bytes, or where a larger level would hold no more keys at
// its rate.
BLOOMERY_EXPORT bool scalable_can_grow(const scalable_shape& s, unsigned levels) noexcept;

// Keys that fit into all its levels; the limit of double's integers if more.
BLOOMERY_EXPORT std::uint64_t scalable_max_keys(const scalable_shape& s) noexcept;

}  // namespace bloomery::inline v1
