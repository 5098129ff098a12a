// MurmurHash64A, the hash of RedisBloom: bit i of a key is (a + i b) mod m, where a is
// its hash under a constant seed and b its hash under the seed a.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attack::murmur64a {

inline constexpr std::uint64_t redisbloom_seed = 0xc6a4a7935bd1e995;

std::uint64_t hash(std::string_view bytes, std::uint64_t seed);

// Another key with the same hash under *every* seed: no seed, secret or random, helps.
// Turn the top bit of two words in a row, as the state sees them: the multiplication by
// an odd number leaves a top bit where it is, so the second undoes the first.  2^n keys
// of 16 n bytes collide that way (Aumasson and Bernstein, "SipHash: a fast short-input
// PRF", 2012).  REQUIRES: at least 16 bytes
std::string twin(std::string_view key);

// A key of 24 or 32 bytes with the hash a under `seed` and b under the seed a: the same
// bits as any key that is wanted.  `salt`: another for each.  None for most pairs that
// are not those of a key: some do not belong to any.
std::optional<std::string> with_hashes(std::uint64_t a, std::uint64_t b,
                                       std::uint64_t salt,
                                       std::uint64_t seed = redisbloom_seed,
                                       unsigned tries = 100'000);

}  // namespace attack::murmur64a
