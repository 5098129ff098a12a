// How large a fuse or xor filter is.  Pure integer arithmetic: the same on every machine,
// as the bytes of a filter depend on it.  Nothing here allocates.
#pragma once

#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/slot/shape.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// The bits of a slot at a rate: the fewest with 2^-bits <= fpr.
// Errors: invalid_argument (a rate outside (0, 1)), unattainable (below 2^-32).
BLOOMERY_EXPORT result<std::uint32_t> slot_width_for(double fpr) noexcept;

// The layout for that many distinct keys.  Up to slot_shape::max_small_keys of them it is
// dense, 1.04 slots per key; a fuse filter of more has 1.41 (1,100 keys), 1.28 (10,000),
// 1.17 (100,000), 1.13 (from a million on), with four slots per key 1.23 (10,000), 1.07
// (from a million on); a xor filter 1.23.  Above 4.7 million keys they have shards of
// about three million each.
// Errors: invalid_argument (a width outside 1 .. 32), unsupported (a layout that the kind
// does not have), too_large (more bits than a filter can have; asked: bits).
BLOOMERY_EXPORT result<slot_shape> size_fuse(
    std::uint64_t keys, std::uint32_t width,
    slot_layout layout = slot_layout::three) noexcept;
BLOOMERY_EXPORT result<slot_shape> size_xor(std::uint64_t keys,
                                            std::uint32_t width) noexcept;

}  // namespace bloomery::inline v1
