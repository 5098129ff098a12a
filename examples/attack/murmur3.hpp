// MurmurHash3 x64_128, seed 0: the hash of Guava, and twice of bits-and-blooms.
//
// Its state has 128 bits, a block of the key has 128 bits, and nothing is ever lost: for
// whatever was hashed before, exactly one block leads to any state that is wanted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace attack::murmur3 {

struct state {
  std::uint64_t h1, h2;
  friend bool operator==(const state&, const state&) = default;
};

state hash(std::string_view bytes);
// After the whole blocks of `bytes`, of which there may be none.
state after_blocks(std::string_view bytes);

// The 16 bytes that take one state to the other.
std::string block_between(state from, state to);

// The key of 16 bytes that has this hash, and one of 32 for each salt.
std::string with_hash(state wanted);
std::string with_hash(state wanted, std::uint64_t salt);

// Another key of the same length and end, with the same state after its blocks: the same
// hash, and the same with anything appended, which is what bits-and-blooms needs.
// REQUIRES: at least 32 bytes
std::string same_state(std::string_view key, std::uint64_t salt);

}  // namespace attack::murmur3
