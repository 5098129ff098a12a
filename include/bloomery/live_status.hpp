// What a live filter is told when it is made, and what it tells those who watch it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <bloomery/detail/live/rebuild_phase.hpp>
#include <bloomery/detail/live/thread_counts.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// What a live filter is made with.
struct live_options {
  // So many threads have a slot of their own, 64 bytes each; more than these share one
  // and pay for it (rcu_domain.hpp).
  unsigned threads = 128;
  bool count = true;  // lookups and inserts
  // For those who watch several; outlives the filter.
  const char* name = "";
};

// How rebuilds went so far.
struct rebuild_status {
  rebuild_phase phase = rebuild_phase::idle;
  std::uint64_t delivered = 0;  // by the source of the present one, or of the last
  std::uint64_t expected = 0;
  std::chrono::nanoseconds took{0};  // so far, or in all
  std::uint64_t started = 0;
  std::uint64_t succeeded = 0;
  std::uint64_t rolled_back = 0;
  std::optional<error> last_error;  // of the last one that was rolled back
};

// Read while others write: each number is right, though not all of one instant.
struct live_status {
  const char* name = "";
  std::uint64_t generation = 0;     // from 1; each swap and each rebuild adds one
  std::chrono::nanoseconds age{0};  // since it began to serve
  bool killed = false;
  rebuild_status rebuild;
  counted counts;
  // Of the generation that serves.  What its bits say takes time over all of them: ask
  // read().filter() for fill, realised_fpr and estimated_keys.
  std::size_t size_in_bytes = 0;
  std::uint64_t capacity = 0;
};

}  // namespace bloomery::inline v1
