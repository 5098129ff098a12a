// Which member of a sharded packed set holds a key.
//
// A set is sharded if every key is in one member, chosen by its hash: a set of static
// filters that were built apart, and together hold more keys than one machine can sort.
// The rule: spec/container.md, section 6.2.
#pragma once

#include <cstdint>

#include <bloomery/key.hpp>

namespace bloomery::py {

// Mixed once more, so that the keys of a member are spread as evenly as all keys: the
// filters use h and splitmix64(h).  fmix64 is the last step of MurmurHash3
// (spec/hash.md).
constexpr std::uint64_t shard_of(key k, std::uint64_t members) noexcept {
  std::uint64_t x = k.bits();
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccd;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53;
  x ^= x >> 33;
  __extension__ using wide = unsigned __int128;
  return static_cast<std::uint64_t>((wide{x} * members) >> 64);
}

}  // namespace bloomery::py
