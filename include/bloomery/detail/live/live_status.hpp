// Options and status of a live filter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <bloomery/detail/base/durations.hpp>
#include <bloomery/detail/live/rebuild_phase.hpp>
#include <bloomery/detail/live/thread_counts.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// Options of a live filter.
struct live_options {
  // This many threads have their own slot, 64 bytes each; further threads share one and
  // are slower (rcu_domain.hpp).
  unsigned threads = 128;
  bool count = true;  // lookups and inserts
  // Distinguishes several filters in metrics; must outlive the filter.
  const char* name = "";
};

// The current rebuild, or the last one.
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

// Read while others write: each number is right, but not all are of the same instant.
struct live_status {
  const char* name = "";
  std::uint64_t generation = 0;     // from 1; each swap and each rebuild adds one
  std::chrono::nanoseconds age{0};  // since it began to serve
  bool killed = false;
  rebuild_status rebuild;
  counted counts;
  // The size of the current generation.  fill, realised_fpr and estimated_keys read every
  // bit: call them on read().filter().
  std::size_t size_in_bytes = 0;
  std::uint64_t capacity = 0;
};

}  // namespace bloomery::inline v1
