// The values of a block, from columns to one number per slot, and back: 8 x 8 bits at a
// time.
#pragma once

#include <array>
#include <cstdint>

#include <bloomery/detail/probe/words.hpp>

namespace bloomery::inline v1 {

using slot_values = std::array<std::uint32_t, 64>;

// Bit i of byte j becomes bit j of byte i (H. S. Warren, "Hacker's Delight", 7-3).
BLOOMERY_INLINE std::uint64_t transposed(std::uint64_t x) noexcept {
  std::uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aa;
  x ^= t ^ t << 7;
  t = (x ^ x >> 14) & 0x0000cccc0000cccc;
  x ^= t ^ t << 14;
  t = (x ^ x >> 28) & 0x00000000f0f0f0f0;
  return x ^ t ^ t << 28;
}

// column(j): of so many.
template <class Column>
BLOOMERY_INLINE void values_of(unsigned columns, Column column,
                               slot_values& to) noexcept {
  for (unsigned g = 0; g < columns; g += 8) {
    std::array<std::uint64_t, 8> c{};
    for (unsigned j = 0; j < 8 && g + j < columns; ++j) c[j] = column(g + j);
    for (unsigned k = 0; k < 64; k += 8) {
      std::uint64_t x = 0;
      for (unsigned j = 0; j < 8; ++j) x |= (c[j] >> k & 0xff) << (8 * j);
      x = transposed(x);
      for (unsigned i = 0; i < 8; ++i) {
        const auto v = static_cast<std::uint32_t>(x >> (8 * i) & 0xff) << g;
        to[k + i] = g == 0 ? v : to[k + i] | v;
      }
    }
  }
}

// set(j, column)
template <class Set>
BLOOMERY_INLINE void columns_of(unsigned columns, const slot_values& from,
                                Set set) noexcept {
  for (unsigned g = 0; g < columns; g += 8) {
    std::array<std::uint64_t, 8> c{};
    for (unsigned k = 0; k < 64; k += 8) {
      std::uint64_t x = 0;
      for (unsigned i = 0; i < 8; ++i)
        x |= std::uint64_t{from[k + i] >> g & 0xff} << (8 * i);
      x = transposed(x);
      for (unsigned j = 0; j < 8; ++j) c[j] |= (x >> (8 * j) & 0xff) << k;
    }
    for (unsigned j = 0; j < 8 && g + j < columns; ++j) set(g + j, c[j]);
  }
}

}  // namespace bloomery::inline v1
