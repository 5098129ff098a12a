// Keys in ascending order of their hashes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

// Sorts by the lowest `bytes` bytes of each key, least significant first, one pass each.
// Returns where the keys are afterwards: in `keys` after an even number of passes, in
// `scratch` after an odd one.
// REQUIRES: scratch.size() == keys.size(), bytes <= 8
inline std::span<key> radix_sort(std::span<key> keys, std::span<key> scratch,
                                 unsigned bytes = 8) noexcept {
  std::array<std::array<std::size_t, 256>, 8> counts{};
  for (const key k : keys)
    for (unsigned byte = 0; byte < bytes; ++byte)
      ++counts[byte][(k.bits() >> (8 * byte)) & 255];
  for (unsigned byte = 0; byte < bytes; ++byte) {
    std::size_t start = 0;
    for (std::size_t& c : counts[byte]) start += std::exchange(c, start);
    for (const key k : keys) scratch[counts[byte][(k.bits() >> (8 * byte)) & 255]++] = k;
    std::swap(keys, scratch);
  }
  return keys;
}

}  // namespace bloomery::inline v1
