// One key against many filters: filter_set beside a loop over them.
#pragma once

#include <cstdint>

#include "kit/figures.hpp"

namespace bloomery::bench {

struct set_row {                        // ns per key and filter, absent keys
  std::uint64_t filters = 0, keys = 0;  // keys of each
  timing set, set_batched;              // one call a key; one for many keys
  timing loop, loop_batched;  // a call for each filter; batches, filter by filter
  floor_times floor;          // of an array as large as all filters together
};

// Measures a set of block filters.  Throws std::runtime_error if one is wrong or there is
// no memory.
set_row measure_set(std::uint64_t filters, std::uint64_t keys, double fpr,
                    unsigned rounds);

}  // namespace bloomery::bench
