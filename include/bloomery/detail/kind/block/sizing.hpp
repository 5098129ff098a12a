// How large a block filter must be.  Pure arithmetic: nothing here allocates.
//
// Sizes come from the model of docs/model.md, section 7, not from a rule of thumb: a
// filter with all its keys has the target rate.
#pragma once

#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// The profile of a rate (spec/filters.md, section 2.6): half_line from 3 % up, two_lines
// below 0.05 %, line between.  Within 5 % of the minimum memory over all profiles.
constexpr block_profile best_profile(double fpr) noexcept {
  if (fpr >= 0.03) return block_profile::half_line;
  return fpr < 5e-4 ? block_profile::two_lines : block_profile::line;
}

// The smallest shape whose expected rate with `keys` keys is at most `fpr`.
// Errors: invalid_argument (keys = 0, fpr outside (0, 1)); unattainable (64-bit keys
// collide more often than `fpr`; possible: the lowest rate); too_large (possible: the
// largest size in bytes).
BLOOMERY_EXPORT result<block_shape> size_blocks_by_rate(
    std::uint64_t keys, double fpr,
    block_profile profile = block_profile::by_rate) noexcept;

// The largest shape within `bytes`, of the profile with the lowest rate for `keys`.
// Errors: invalid_argument (keys = 0, less than one block), too_large.
BLOOMERY_EXPORT result<block_shape> size_blocks_by_memory(
    std::uint64_t keys, std::uint64_t bytes,
    block_profile profile = block_profile::by_rate) noexcept;

// `blocks` or slightly more (at most 1 %), with as many small divisors as that allows:
// a filter made for more keys than came can then be folded to nearly any size.
BLOOMERY_EXPORT std::uint64_t foldable_blocks(std::uint64_t blocks) noexcept;

}  // namespace bloomery::inline v1
