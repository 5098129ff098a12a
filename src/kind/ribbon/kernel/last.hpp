// Lookups in the last part of a ribbon filter: a small layer, column after column, or
// hashes kept whole (spec/filters.md, 9.3).
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/words.hpp>

#include "kind/ribbon/kernel/probe.hpp"

namespace bloomery::kernel {
namespace {

// `count` bits, 1 to 64, from a bit of the array on; reads no byte that has none of them.
BLOOMERY_INLINE std::uint64_t bits_at(const std::byte* data, std::uint64_t bit,
                                      unsigned count) noexcept {
  const std::byte* const from = data + bit / 8;
  const auto shift = static_cast<unsigned>(bit % 8);
  if (count == 64) {
    const std::uint64_t low =
        words::as_little_endian(words::load_anywhere<std::uint64_t>(from)) >> shift;
    return shift == 0 ? low : low | static_cast<std::uint64_t>(from[8]) << (64 - shift);
  }
  std::uint64_t x = static_cast<std::uint64_t>(from[0]) >> shift;
  for (unsigned i = 1; 8 * i < shift + count; ++i)
    x |= static_cast<std::uint64_t>(from[i]) << (8 * i - shift);
  return x & ((std::uint64_t{1} << count) - 1);
}

// The window of a key in the last layer.
struct ribbon_last_window {
  std::uint64_t start, c;
  std::uint32_t fingerprint, columns;
  unsigned slots;
};
inline ribbon_last_window last_window(const ribbon_layout& all,
                                      std::uint64_t h) noexcept {
  h = last_hash(h, all.last_seed);
  const auto row = row_of<64>(h);
  const auto start =
      static_cast<std::uint64_t>(static_cast<u128>(h) * all.last_starts >> 64);
  const bool small = all.last_slots < ribbon_layout::last_width;
  return {start, small ? row.c & ((std::uint64_t{1} << all.last_slots) - 1) : row.c,
          row.fingerprint, all.columns - (start < all.last_narrow),
          small ? static_cast<unsigned>(all.last_slots) : ribbon_layout::last_width};
}
// The bit of the last part where the window begins in a column.
BLOOMERY_INLINE std::uint64_t last_bit(const ribbon_layout& all, std::uint64_t slot,
                                       std::uint32_t column) noexcept {
  const bool short_column = column + 1 == all.columns;
  return column * all.last_slots + slot - (short_column ? all.last_narrow : 0);
}

[[gnu::noinline]] inline bool may_contain_last(const ribbon_layout& all,
                                               const std::byte* data,
                                               std::uint64_t h) noexcept {
  data += all.last_at;
  if (all.hashes != 0) {
    std::uint64_t low = 0, high = all.hashes;
    const auto at = [&](std::uint64_t i) {
      return words::as_little_endian(words::load_anywhere<std::uint64_t>(data + 8 * i));
    };
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (at(middle) < h)
        low = middle + 1;
      else
        high = middle;
    }
    return low < all.hashes && at(low) == h;
  }
  if (all.last_slots == 0) return false;
  const ribbon_last_window w = last_window(all, h);
  for (std::uint32_t j = 0; j < w.columns; ++j) {
    const std::uint64_t bits = bits_at(data, last_bit(all, w.start, j), w.slots);
    if ((static_cast<unsigned>(__builtin_parityll(bits & w.c)) ^ w.fingerprint >> j) & 1)
      return false;
  }
  return true;
}

}  // namespace
}  // namespace bloomery::kernel
