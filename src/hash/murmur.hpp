// MurmurHash3 x64_128 and MurmurHash64A (Austin Appleby, public domain): the hashes of
// several other systems' filters.  Defined over little-endian words on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace bloomery::hash {

struct u64_pair {
  std::uint64_t first, second;
  friend constexpr bool operator==(const u64_pair&, const u64_pair&) noexcept = default;
};

u64_pair murmur3_x64_128(std::string_view bytes, std::uint32_t seed) noexcept;
// Cassandra's: the bytes after the last whole block are sign-extended before they are
// put together, so that one above 0x7f turns all the bits above it.
u64_pair murmur3_x64_128_signed_tail(std::string_view bytes, std::uint32_t seed) noexcept;
// The hashes of the bytes, and of the bytes followed by `next`.
std::array<u64_pair, 2> murmur3_x64_128_with_suffix(std::string_view bytes, char next,
                                                    std::uint32_t seed) noexcept;
std::uint64_t murmur64a(std::string_view bytes, std::uint64_t seed) noexcept;

}  // namespace bloomery::hash
