// How far batches fetch lines ahead of their use, in one place.
//
// A loop over many keys starts to fetch the line of a key `ahead` keys before it is used:
// enough to cover memory latency, few enough that none is evicted before.
//
// It does so a group at a time: the lines of `group` keys are fetched, then `group` keys
// are used whose lines were fetched `ahead` keys ago.  A group of 1 is a ring.  On AMD's
// Zen 3 a fetch between two stores stalls: a ring took two to three times as long there
// as groups of 16.  On Intel's Sapphire Rapids groups gain 2 to 8 % (docs/dead_ends.md
// has what lost).
//
// Each kernel's file includes this under its own target attributes.
#pragma once

#include <algorithm>
#include <cstddef>

#include <bloomery/detail/probe/words.hpp>

namespace bloomery::kernel {

struct fetch_plan {
  std::size_t group;  // keys fetched, then used, at a time
  std::size_t ahead;  // keys between the fetch of a line and its use
};

// Lines, one or two for each key.  Ahead: 16 and 32 leave misses uncovered, 96 and 128
// gain nothing.  Groups above 16 fetch more at once than an L1 cache can have on its way.
inline constexpr fetch_plan block_inserts{.group = 16, .ahead = 64};
inline constexpr fetch_plan block_shared_inserts{.group = 16, .ahead = 64};
inline constexpr fetch_plan block_lookups{.group = 8, .ahead = 64};
// The lock of each key waits for all stores before it, fetched between or not.
inline constexpr fetch_plan block_locked_inserts{.group = 1, .ahead = 64};

// Scattered bits: about seven lines for each key, so a group has 14 and 56 are ahead.
inline constexpr fetch_plan bit_inserts{.group = 2, .ahead = 8};

// Calls fetch(first, count) for all n keys and use(first, count) for all of them, in
// order, each key fetched before it is used.  No count given to `use` is above the group.
//
// REQUIRES: fetch, and what it calls, is always inlined.  GCC before version 14 takes a
// function that does nothing but prefetch for one without effect, and drops the call
// (its bug 109985): no test of bits would notice.
template <fetch_plan plan, class Fetch, class Use>
BLOOMERY_INLINE void fetch_ahead(std::size_t n, Fetch fetch, Use use) noexcept {
  static_assert(plan.group >= 1 && plan.ahead >= 1);
  std::size_t fetched = std::min(n, plan.ahead), used = 0;
  fetch(std::size_t{0}, fetched);
  for (; n - fetched >= plan.group; fetched += plan.group, used += plan.group) {
    fetch(fetched, plan.group);
    use(used, plan.group);
  }
  fetch(fetched, n - fetched);
  for (; used < n; used += std::min(plan.group, n - used))
    use(used, std::min(plan.group, n - used));
}

}  // namespace bloomery::kernel
