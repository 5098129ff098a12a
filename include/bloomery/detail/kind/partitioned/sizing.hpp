// How large a partitioned filter (partitioned_bloom.hpp) must be.  Pure arithmetic.
#pragma once

#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// Slices of equal size, one bit per key in each.
struct partitioned_layout {
  std::uint64_t slice_bits = 0;  // s
  std::uint32_t slices = 0;      // k
  constexpr std::uint64_t bits() const noexcept { return slice_bits * slices; }
  friend bool operator==(const partitioned_layout&,
                         const partitioned_layout&) noexcept = default;
};

// The fewest bits whose expected rate with `keys` keys is at most `fpr`.
// Errors: invalid_argument (keys = 0, fpr outside (0, 1)); unattainable (less than twice
// the rate at which 64-bit keys collide; possible: that); too_large (asked, possible:
// bits).
BLOOMERY_EXPORT result<partitioned_layout> size_partitioned_by_rate(std::uint64_t keys,
                                                                    double fpr) noexcept;

// Uses at most so many bits, in the number of slices that gives the lowest rate.
// Errors: invalid_argument (keys = 0, bits = 0), too_large.
BLOOMERY_EXPORT result<partitioned_layout> size_partitioned_by_bits(
    std::uint64_t keys, std::uint64_t bits) noexcept;

}  // namespace bloomery::inline v1
