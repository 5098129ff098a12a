// XXH_INLINE_ALL makes every function of the header private to this file: no symbol of
// libxxhash is imported or exported, whatever version the machine has.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "hash/xxh.hpp"

namespace bloomery::hash {

std::uint64_t xxh3(std::string_view bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::uint64_t xxh64(std::string_view bytes, std::uint64_t seed) noexcept {
  return XXH64(bytes.data(), bytes.size(), seed);
}

std::uint32_t xxh32(std::string_view bytes, std::uint32_t seed) noexcept {
  return XXH32(bytes.data(), bytes.size(), seed);
}

void xxh3(std::span<const std::string_view> keys, std::uint64_t seed,
          std::span<key> out) noexcept {
  for (std::size_t i = 0; i < keys.size(); ++i)
    out[i] = key::from_bits(XXH3_64bits_withSeed(keys[i].data(), keys[i].size(), seed));
}

void xxh64(std::span<const std::string_view> keys, std::uint64_t seed,
           std::span<key> out) noexcept {
  for (std::size_t i = 0; i < keys.size(); ++i)
    out[i] = key::from_bits(XXH64(keys[i].data(), keys[i].size(), seed));
}

}  // namespace bloomery::hash
