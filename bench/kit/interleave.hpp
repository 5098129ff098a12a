// Runs several measurements in turn, round after round.
//
// A disturbance (another process, a change of clock) then meets all of them alike, so
// ratios taken within one run can be trusted further than the times themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace bloomery::bench {

// Nanoseconds per key: the least disturbed round, and the typical one.
struct timing {
  double min = 0;
  double median = 0;
};

struct task {
  std::size_t keys = 0;                // handled by one run
  std::function<std::uint64_t()> run;  // its answer is kept from the optimiser
  std::function<void()> before = {};   // not timed
};

// Called with the number of each round as it begins.
using progress = std::function<void(unsigned round)>;

// One timing for each task.  REQUIRES: rounds >= 1
std::vector<timing> interleave(std::span<const task> tasks, unsigned rounds,
                               const progress& begins = {});

timing summary_of(std::vector<double> samples);

}  // namespace bloomery::bench
