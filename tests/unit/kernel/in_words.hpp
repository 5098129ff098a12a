// Exactly as many bytes as the kernels may touch, from the heap, where the sanitizer
// guards both ends: whole words of 8.
#pragma once

#include <cstddef>
#include <vector>

namespace bloomery::testing {

inline std::vector<std::byte> in_words(std::vector<std::byte> bytes) {
  bytes.resize((bytes.size() + 7) / 8 * 8);
  return bytes;
}

}  // namespace bloomery::testing
