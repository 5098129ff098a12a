#include "hash/murmur2.hpp"

#include "hash/load.hpp"

namespace bloomery::hash {

std::uint32_t murmur2_32(std::string_view bytes, std::uint32_t seed) noexcept {
  constexpr std::uint32_t m = 0x5bd1e995;
  std::uint32_t h = seed ^ static_cast<std::uint32_t>(bytes.size());
  std::size_t at = 0;
  for (; at + 4 <= bytes.size(); at += 4) {
    std::uint32_t k = static_cast<std::uint32_t>(load_le(bytes, at, 4)) * m;
    k = (k ^ (k >> 24)) * m;
    h = (h * m) ^ k;
  }
  if (at < bytes.size())
    h = (h ^ static_cast<std::uint32_t>(load_le(bytes, at, bytes.size() - at))) * m;
  h = (h ^ (h >> 13)) * m;
  return h ^ (h >> 15);
}

}  // namespace bloomery::hash
