// From a key to its equation in a ribbon filter: layer, window, coefficients,
// fingerprint (spec/filters.md, section 9).
//
// Included by each kernel's file under its own target attributes.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/ribbon/shape.hpp>
#include <bloomery/detail/probe/words.hpp>

#include <bloomery/detail/hash/mix.hpp>

namespace bloomery::kernel {
namespace {  // compiled once per instruction set, and never shared between them

__extension__ using u128 = unsigned __int128;

// The coefficients of a window, as an integer of w bits: bit i is that of slot i.
template <unsigned width>
struct ribbon_coefficients;
template <>
struct ribbon_coefficients<64> {
  using type = std::uint64_t;
};
template <>
struct ribbon_coefficients<128> {
  using type = u128;
};

template <class Coefficients>
struct ribbon_row {
  Coefficients c;
  std::uint32_t fingerprint;  // the lowest r bits of it count
};

BLOOMERY_INLINE constexpr std::uint64_t mixed(std::uint64_t h) noexcept {
  h *= 0x9e3779b97f4a7c15;
  return h ^ h >> 32;
}

template <unsigned width>
BLOOMERY_INLINE constexpr auto row_of(std::uint64_t h) noexcept {
  using coefficients = typename ribbon_coefficients<width>::type;
  const std::uint64_t g = mixed(h);
  const u128 product = static_cast<u128>(g) * 0xf1357aea2e62a9c5;
  const auto c = static_cast<coefficients>(product) | 1;
  if constexpr (width == 64)
    return ribbon_row<coefficients>{c, static_cast<std::uint32_t>(product >> 64)};
  else
    return ribbon_row<coefficients>{
        c, static_cast<std::uint32_t>((g ^ g >> 29) * 0xd6e8feb86659fd93 >> 32)};
}

// The hash of a key in the next layer, and in the last one with the seed.
BLOOMERY_INLINE constexpr std::uint64_t next_hash(std::uint64_t h) noexcept {
  return hash::splitmix64(h);
}
BLOOMERY_INLINE constexpr std::uint64_t last_hash(std::uint64_t h,
                                                  std::uint64_t seed) noexcept {
  return hash::splitmix64(h + seed);
}

// The slot where the window of a key begins, counted over the whole layer.  Ascends with
// the hash.
struct ribbon_start {
  std::uint64_t segment, in_segment;
};
BLOOMERY_INLINE constexpr ribbon_start start_in(const ribbon_layer& l,
                                                std::uint64_t h) noexcept {
  const u128 product = static_cast<u128>(h) * l.segments;
  const auto rest = static_cast<std::uint64_t>(product);
  return {static_cast<std::uint64_t>(product >> 64),
          static_cast<std::uint64_t>(static_cast<u128>(rest) * l.starts >> 64)};
}

// Positions in a bucket below limit(t) are passed on to the next layer.
template <unsigned width>
struct ribbon_buckets;
template <>
struct ribbon_buckets<64> {
  static constexpr unsigned log2_slots = 7;
  static constexpr std::uint64_t limits = 0x0080'0028'0010'0000;
};
template <>
struct ribbon_buckets<128> {
  static constexpr unsigned log2_slots = 9;
  static constexpr std::uint64_t limits = 0x0200'0060'0028'0000;
};
template <unsigned width>
BLOOMERY_INLINE constexpr unsigned limit_of(unsigned threshold) noexcept {
  return static_cast<unsigned>(ribbon_buckets<width>::limits >> (16 * threshold)) &
         0xffff;
}
BLOOMERY_INLINE unsigned threshold_at(const std::byte* thresholds,
                                      std::uint64_t bucket) noexcept {
  return static_cast<unsigned>(thresholds[bucket / 4]) >> (2 * (bucket % 4)) & 3;
}

// Where the equation of a key is.
struct ribbon_place {
  std::uint64_t hash;     // in the layer that has it
  std::uint64_t at;       // byte where its first block begins
  std::uint32_t shift;    // slots of that block before its window
  std::uint32_t columns;  // 0: in the last layer, or among the hashes
};

// Layer i takes the key, with the hash that it has there; otherwise it passes it on.
template <unsigned width>
BLOOMERY_INLINE bool is_taken(const ribbon_layer& l, const std::byte* thresholds,
                              std::uint32_t columns, std::uint64_t h,
                              ribbon_place& to) noexcept {
  constexpr unsigned log2_slots = ribbon_buckets<width>::log2_slots;
  constexpr unsigned log2_width = width == 64 ? 6 : 7;
  const ribbon_start start = start_in(l, h);
  const std::uint64_t slot = start.segment * l.segment_slots + start.in_segment;
  const unsigned position = slot & ((1u << log2_slots) - 1);
  const unsigned threshold =
      threshold_at(thresholds, l.first_bucket + (slot >> log2_slots));
  if (position < limit_of<width>(threshold)) [[unlikely]]
    return false;
  const std::uint64_t block = slot >> log2_width;
  const std::uint64_t missing = block < l.narrow_blocks ? block : l.narrow_blocks;
  to = {h, l.at + width / 8 * (block * columns - missing),
        static_cast<std::uint32_t>(slot & (width - 1)),
        columns - (block < l.narrow_blocks)};
  return true;
}

// From layer `i` on, with the hash that the key has there.
template <unsigned width>
BLOOMERY_INLINE ribbon_place find_place(const ribbon_layout& all, const std::byte* data,
                                        std::uint64_t h, std::size_t i = 0) noexcept {
  for (; i < all.layers; ++i) {
    ribbon_place p;
    if (is_taken<width>(all.layer[i], data + all.thresholds_at, all.columns, h, p))
      return p;
    h = next_hash(h);
  }
  return {h, 0, 0, 0};
}

}  // namespace
}  // namespace bloomery::kernel
