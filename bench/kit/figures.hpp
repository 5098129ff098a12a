// Everything measured of one filter at one size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "kit/interleave.hpp"
#include "kit/latency.hpp"
#include "kit/operations.hpp"

namespace bloomery::bench {

struct floor_times {
  timing load, load_batched, update, update_batched;

  // The cheaper way to touch the lines of a key, which depends on the size.
  timing best(bool writes) const noexcept {
    const timing &a = writes ? update : load, &b = writes ? update_batched : load_batched;
    return {std::min(a.min, b.min), std::min(a.median, b.median)};
  }
};

// Inserts into an empty filter until it has a certain load.
struct growth {
  double load = 0;     // of its slots
  timing all;          // ns per key, from the first to the last
  timing first, last;  // the first tenth of the keys, and the last
};

struct inline_times {
  timing insert, present, absent, mixed;
};

struct figures {
  std::string kind;
  std::string kernel;  // the inner loops that ran
  std::uint64_t keys = 0;
  double fpr = 0;  // target
  std::size_t bytes = 0;
  double bits_per_key = 0;
  double measured_fpr = 0;  // share of 2^20 absent keys that may be present
  double realised_fpr = 0;  // what the filter says of itself
  timing build;             // allocation, page faults and every insert, batched
  std::optional<timing> build_threaded;  // by `threads` threads
  // Empty where the kind has no such call: inserts, if it is only built.
  per_operation<std::optional<timing>> ours;
  std::optional<per_operation<timing>> textbook;
  std::optional<inline_times> v3;  // one-key calls of a program built for x86-64-v3
  timing hash;                     // of the 16-byte strings alone, batched
  floor_times floor;               // one random line per key
  floor_times floor2;              // two
  // For kinds that can be full; empty also if the load is beyond what the filter takes.
  std::optional<growth> growing, growing_batched;
  percentiles present_latency, absent_latency;
  unsigned threads = 1;
  timing absent_threaded;  // wall time over the keys of all threads, batched
};

}  // namespace bloomery::bench
