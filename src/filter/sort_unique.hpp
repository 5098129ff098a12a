// Large arrays of keys, sorted and without duplicates.
#pragma once

#include <cstddef>
#include <span>

#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

// Sorts `keys` and moves the distinct ones to the front; returns their number.
//
// One pass deals the keys to 256 ranges by the first bits in which they differ; each
// range is then sorted in cache, by several threads.  At most ten passes over the keys,
// whatever they are.  REQUIRES: scratch.size() >= keys.size(), threads >= 1
std::size_t sort_unique(std::span<key> keys, std::span<key> scratch,
                        unsigned threads) noexcept;

}  // namespace bloomery::inline v1
