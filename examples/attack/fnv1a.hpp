// FNV-1a64, then SplitMix64: the hash of the portable filter.
//
// SplitMix64 is a bijection.  FNV-1a touches only the low byte between multiplications,
// which makes its result a sum of one term for each byte, each a table of that byte
// alone; and sums that hit a target are what Wagner's generalised birthday algorithm
// finds ("A generalized birthday problem", 2002): eight lists of 2^16 terms instead of
// 2^64 tries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attack::fnv1a {

std::uint64_t hash(std::string_view bytes);  // splitmix64(fnv1a64(bytes))

// Keys of 25 bytes with this hash, about 200 of them, all with a prefix of their own for
// each salt.  About ten milliseconds, and as long again the first time.
std::vector<std::string> with_hash(std::uint64_t wanted, std::uint64_t salt);

}  // namespace attack::fnv1a
