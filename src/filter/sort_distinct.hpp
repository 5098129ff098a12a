// The distinct keys of an array in ascending order, by several threads.
#pragma once

#include <span>

#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

struct distinct_span {
  std::span<const key> keys;  // ascending, each once
  pages memory;               // of them; none if the array was so already
};

// Partitions by the highest bits, then sorts parts that fit the cache: about 10 ns per
// key and thread.  Memory: 8 bytes per key, and 8 per key of the largest part for each
// thread. Keys that are not uniform cost more, n log n comparisons at the most. Errors:
// out_of_memory.  REQUIRES: threads >= 1; `ks` outlives what is returned
result<distinct_span> sort_distinct(std::span<const key> ks, unsigned threads) noexcept;

}  // namespace bloomery::inline v1
