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

}  // namespace bloomery::hash
