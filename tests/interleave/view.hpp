// What a thread knows of memory: of each location, the oldest write it may still read.
//
// Views order writes without a clock: a thread that acquires a message joins its writer's
// view, and what is older than the view is gone for it (Kang et al., "A promising
// semantics for relaxed-memory concurrency", POPL 2017; here without promises).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace interleave {

inline constexpr unsigned max_locations = 56;
inline constexpr unsigned max_threads = 8;

struct view {
  // Indexes into the modification order of each location; then one clock for each
  // thread, the uses of unsynchronised memory that are known of it.
  std::array<std::uint8_t, max_locations + max_threads> at{};

  void join(const view& other) {
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = std::max(at[i], other.at[i]);
  }
  void raise(unsigned i, unsigned to) {
    at[i] = std::max(at[i], static_cast<std::uint8_t>(to));
  }
};

inline constexpr unsigned clock_of(unsigned thread) { return max_locations + thread; }

}  // namespace interleave
