// Batched lookups by several threads in one filter at once.
#pragma once

#include <span>

#include <bloomery/key.hpp>

#include "kit/interleave.hpp"
#include "kit/subject.hpp"

namespace bloomery::bench {

// Every thread looks up all keys, each from another place on.  Wall time from the first
// start to the last end, over the keys of all threads.  REQUIRES: threads >= 1
timing count_threaded(const subject& s, std::span<const key> ks, unsigned threads,
                      unsigned rounds);

}  // namespace bloomery::bench
