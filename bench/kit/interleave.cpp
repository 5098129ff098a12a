#include "kit/interleave.hpp"

#include <algorithm>
#include <chrono>

#include "kit/keep.hpp"

namespace bloomery::bench {
namespace {

using clock = std::chrono::steady_clock;

// The tasks before this one have driven its keys out of the caches, and a large shared
// cache keeps a line only when it is missed for the second time: two runs to warm up.
// A slow one needs fewer: by the end of a run it has forgotten the beginning.
constexpr int warm_ups = 2;
constexpr std::chrono::milliseconds warm_enough{25};

double ns_per_key(const task& t) {
  const auto prepare = [&] {
    if (t.before) t.before();
  };
  const auto timed = [&] {
    prepare();
    const auto start = clock::now();
    keep(t.run());
    return clock::now() - start;
  };
  for (int i = 0; i < warm_ups; ++i)
    if (timed() > warm_enough) break;
  const std::chrono::duration<double, std::nano> took = timed();
  return took.count() / static_cast<double>(t.keys);
}

}  // namespace

timing summary_of(std::vector<double> samples) {
  std::ranges::sort(samples);
  return {samples.front(), samples[samples.size() / 2]};
}

std::vector<timing> interleave(std::span<const task> tasks, unsigned rounds,
                               const progress& begins) {
  std::vector<std::vector<double>> samples(tasks.size());
  for (unsigned round = 0; round < rounds; ++round) {
    if (begins) begins(round);
    for (std::size_t i = 0; i < tasks.size(); ++i)
      samples[i].push_back(ns_per_key(tasks[i]));
  }
  std::vector<timing> out;
  for (auto& s : samples) out.push_back(summary_of(std::move(s)));
  return out;
}

}  // namespace bloomery::bench
