// MurmurHash2, 32 bits (Austin Appleby, public domain): the hash of old RedisBloom data.
// Defined over little-endian words on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace bloomery::hash {

std::uint32_t murmur2_32(std::string_view bytes, std::uint32_t seed) noexcept;

}  // namespace bloomery::hash
