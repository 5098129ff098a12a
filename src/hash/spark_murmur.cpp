#include "hash/spark_murmur.hpp"

#include <bit>

#include "hash/load.hpp"

namespace bloomery::hash {
namespace {

std::uint32_t mix(std::uint32_t h, std::uint32_t word) noexcept {
  h ^= std::rotl(word * 0xcc9e2d51, 15) * 0x1b873593;
  return std::rotl(h, 13) * 5 + 0xe6546b64;
}

}  // namespace

std::uint32_t spark_murmur3(std::string_view bytes, std::uint32_t seed) noexcept {
  std::uint32_t h = seed;
  std::size_t at = 0;
  for (; bytes.size() - at >= 4; at += 4)
    h = mix(h, static_cast<std::uint32_t>(load_le(bytes, at, 4)));
  for (; at < bytes.size(); ++at)
    h = mix(h, static_cast<std::uint32_t>(static_cast<signed char>(bytes[at])));
  h ^= static_cast<std::uint32_t>(bytes.size());
  h = (h ^ (h >> 16)) * 0x85ebca6b;
  h = (h ^ (h >> 13)) * 0xc2b2ae35;
  return h ^ (h >> 16);
}

}  // namespace bloomery::hash
