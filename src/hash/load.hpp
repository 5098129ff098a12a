// Little-endian loads from text, for hashes that read words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bloomery::hash {

// The first `count` bytes at `at`, least significant first.  REQUIRES: count <= 8.
// Compilers turn a constant count of 8 into one load on little-endian machines.
inline std::uint64_t load_le(std::string_view s, std::size_t at,
                             std::size_t count = 8) noexcept {
  std::uint64_t v = 0;
  for (std::size_t i = 0; i < count; ++i)
    v |= static_cast<std::uint64_t>(static_cast<unsigned char>(s[at + i])) << (8 * i);
  return v;
}

}  // namespace bloomery::hash
