// How large a window filter must be.  Pure arithmetic: nothing here allocates.
//
// All generations but the current one together hold `keys` keys, each its equal share;
// the rates of all, full, come to `fpr`.
#pragma once

#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/window/shape.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// The smallest shape whose expected rate, at its fullest, is at most `fpr`.
// Errors: invalid_argument (keys = 0, fpr outside (0, 1), generations), unattainable,
// too_large.
BLOOMERY_EXPORT result<window_shape> size_window_by_rate(
    std::uint64_t keys, double fpr, unsigned generations = 4,
    block_profile profile = block_profile::by_rate) noexcept;

// The largest shape within `bytes`.  Errors: invalid_argument (keys = 0, generations,
// less than a block for each), too_large.
BLOOMERY_EXPORT result<window_shape> size_window_by_memory(
    std::uint64_t keys, std::uint64_t bytes, unsigned generations = 4,
    block_profile profile = block_profile::by_rate) noexcept;

// Inserts into one generation so that `keys` fit all but one; 0 of none.
constexpr std::uint64_t generation_share(std::uint64_t keys,
                                         unsigned generations) noexcept {
  return keys == 0 ? 0 : (keys - 1) / (generations - 1) + 1;
}

// Errors: invalid_argument (a field outside its range), too_large (blocks).
BLOOMERY_EXPORT result<void> check_window_shape(const window_shape& s) noexcept;

}  // namespace bloomery::inline v1
