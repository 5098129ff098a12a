// How large a classic filter (bloom.hpp) must be.  Pure arithmetic.
#pragma once

#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/sizing.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

inline constexpr std::uint32_t max_bloom_hashes = 64;

// The fewest bits, and the number of hashes to use with them, whose expected rate with
// `keys` keys is at most `fpr`.
// Errors: invalid_argument (keys = 0, fpr outside (0, 1)); unattainable (less than
// twice the rate at which 64-bit keys collide; possible: that); too_large (asked,
// possible: bits).
BLOOMERY_EXPORT result<bloom_layout> size_bloom_by_rate(std::uint64_t keys,
                                                        double fpr) noexcept;

// `bits` bits, with the number of hashes that gives the lowest rate.
// Errors: invalid_argument (keys = 0, bits = 0), too_large.
BLOOMERY_EXPORT result<bloom_layout> size_bloom_by_bits(std::uint64_t keys,
                                                        std::uint64_t bits) noexcept;

}  // namespace bloomery::inline v1
