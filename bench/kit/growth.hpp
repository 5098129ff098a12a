// Inserts from empty to nearly full: what the first keys cost, and the last.
//
// Kinds that can be full move other keys for the last ones.  A mean over a filter that is
// half empty would not show it.
#pragma once

#include "kit/build_pair.hpp"
#include "kit/figures.hpp"
#include "kit/measure.hpp"

namespace bloomery::bench {

// The share of slots up to which cuckoo filters with four per bucket are used.
inline constexpr double full_load = 0.94;

// Fills in f.growing and f.growing_batched.  They stay empty for a kind that takes every
// key, and for a filter that refuses a key before it has that load: sized for few keys, a
// filter has more room.
void measure_growth(const subject_spec& s, const subject_pair& pair, const options& o,
                    figures& f);

}  // namespace bloomery::bench
