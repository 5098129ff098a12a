// Keys in ascending order of their hashes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

// Least significant byte first, eight passes; an even number, so it ends in `keys`.
// REQUIRES: scratch.size() == keys.size()
inline void radix_sort(std::span<key> keys, std::span<key> scratch) noexcept {
  std::array<std::array<std::size_t, 256>, 8> counts{};
  for (const key k : keys)
    for (unsigned byte = 0; byte < 8; ++byte)
      ++counts[byte][(k.bits() >> (8 * byte)) & 255];
  for (unsigned byte = 0; byte < 8; ++byte) {
    std::size_t start = 0;
    for (std::size_t& c : counts[byte]) start += std::exchange(c, start);
    for (const key k : keys) scratch[counts[byte][(k.bits() >> (8 * byte)) & 255]++] = k;
    std::swap(keys, scratch);
  }
}

}  // namespace bloomery::inline v1
