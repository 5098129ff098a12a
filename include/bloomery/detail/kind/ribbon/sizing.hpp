// How large a ribbon filter (ribbon.hpp) becomes.  Pure arithmetic.
//
// The rate decides how many columns slots have, the keys how many slots there are: within
// 0.5 % as many as keys, from some ten thousand keys on.  How many keys a layer passes on
// to the next depends on the keys themselves, so sizes that are planned are expectations:
// the filter comes out a few slots larger or smaller.
#pragma once

#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/ribbon/shape.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// Bits per slot: `columns` for a part of the slots, one less for the share `narrow`, in
// 2^-32.
struct ribbon_columns {
  std::uint32_t columns = 0;
  std::uint32_t narrow = 0;
  friend bool operator==(const ribbon_columns&, const ribbon_columns&) noexcept = default;
};

// Buckets of a layer for so many keys: a few slots less than keys, so that nearly all are
// used.  0: more than a layer can have.  REQUIRES: is_ribbon_width(width)
BLOOMERY_EXPORT std::uint32_t ribbon_buckets_for(std::uint64_t keys,
                                                 unsigned width) noexcept;

// Up to so many keys are solved in the last layer alone: fewer than eight buckets are
// either too full or too empty.
constexpr std::uint64_t ribbon_small_keys(unsigned width) noexcept {
  return width == 64 ? 1024 : 4096;
}
// And so many of those that other layers pass on.
inline constexpr std::uint64_t ribbon_last_keys = 4096;

// Slots of the last layer for so many keys: half of the seeds solve it.
constexpr std::uint32_t ribbon_last_slots_for(std::uint64_t keys) noexcept {
  return static_cast<std::uint32_t>(keys + (keys > 4) + keys / 48);
}

// The columns with which a filter of so many keys has a rate of at most `fpr`; 1 column
// for rates above one half.  (Keys with the hash of another may add up to 1 % of
// it: only at very low rates.)
// Errors: invalid_argument (fpr outside (0, 1)); unattainable (32 columns, or 64 bits of
// hash, do not reach it; possible: what they do).
BLOOMERY_EXPORT result<ribbon_columns> ribbon_columns_by_rate(std::uint64_t keys,
                                                              double fpr) noexcept;

// The most columns in at most so many bytes.
// Errors: invalid_argument (keys = 0), unattainable (less than one column; possible: the
// bytes of one), too_large.
BLOOMERY_EXPORT result<ribbon_columns> ribbon_columns_by_bytes(
    std::uint64_t keys, unsigned width, std::uint64_t bytes) noexcept;

// The shape that is expected for so many keys.
// Errors: too_large (asked, possible: bytes).  REQUIRES: is_ribbon_width(width)
BLOOMERY_EXPORT result<ribbon_shape> plan_ribbon(std::uint64_t keys, unsigned width,
                                                 ribbon_columns columns) noexcept;

// The rate of a filter with these columns and so many keys.
BLOOMERY_EXPORT double ribbon_fpr(ribbon_columns columns, double keys) noexcept;

}  // namespace bloomery::inline v1
