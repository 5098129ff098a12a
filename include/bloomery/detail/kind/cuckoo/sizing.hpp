// How large a cuckoo filter (cuckoo.hpp) must be.  Pure arithmetic.
//
// A filter is filled to at most 94 % of its slots (less below some ten thousand keys), so
// that the keys it was sized for fit: an insert of one of that many distinct keys fails
// with a probability below 1e-12 for the whole filter, for tags of 10 bits and more. With
// fewer bits nine keys with the same tag and buckets become likelier (docs/model.md).
#pragma once

#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/cuckoo/probe.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// The size of a cuckoo filter: buckets of four slots, and the width of a tag.
struct cuckoo_layout {
  std::uint64_t buckets = 0;   // B, even
  std::uint32_t tag_bits = 0;  // f
  constexpr std::uint64_t slots() const noexcept { return cuckoo_probe::slots * buckets; }
  constexpr std::uint64_t bits() const noexcept { return slots() * tag_bits; }
  friend bool operator==(const cuckoo_layout&, const cuckoo_layout&) noexcept = default;
};

// The fewest buckets that hold `keys` distinct keys.  REQUIRES: keys >= 1
BLOOMERY_EXPORT double cuckoo_buckets_for(double keys) noexcept;

// The distinct keys that a filter of so many buckets holds: the inverse.
BLOOMERY_EXPORT std::uint64_t cuckoo_capacity(std::uint64_t buckets) noexcept;

// The fewest bits that hold `keys` keys at a rate of at most `fpr`.
// Errors: invalid_argument (keys = 0, fpr outside (0, 1)); unattainable (below the rate
// of 32-bit tags in half as many slots as keys; possible: that); too_large (asked,
// possible: bits).
BLOOMERY_EXPORT result<cuckoo_layout> size_cuckoo_by_rate(std::uint64_t keys,
                                                          double fpr) noexcept;

// Uses at most so many bits, with the widest tags: the lowest rate.
// Errors: invalid_argument (keys = 0); unattainable (the keys do not fit; possible: the
// bits they need), too_large.
BLOOMERY_EXPORT result<cuckoo_layout> size_cuckoo_by_bits(std::uint64_t keys,
                                                          std::uint64_t bits) noexcept;

}  // namespace bloomery::inline v1
