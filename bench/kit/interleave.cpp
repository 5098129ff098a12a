#include "kit/interleave.hpp"

#include <algorithm>
#include <chrono>

#include "kit/keep.hpp"

namespace bloomery::bench {
namespace {

// The tasks before this one have driven its keys out of the caches, and a large shared
// cache keeps a line only when it is missed for the second time: two runs to warm up.
constexpr int warm_ups = 2;

double ns_per_key(const task& t) {
  const auto prepare = [&] {
    if (t.before) t.before();
  };
  for (int i = 0; i < warm_ups; ++i) {
    prepare();
    keep(t.run());
  }
  prepare();
  const auto start = std::chrono::steady_clock::now();
  keep(t.run());
  const std::chrono::duration<double, std::nano> took =
      std::chrono::steady_clock::now() - start;
  return took.count() / static_cast<double>(t.keys);
}

}  // namespace

timing summary_of(std::vector<double> samples) {
  std::ranges::sort(samples);
  return {samples.front(), samples[samples.size() / 2]};
}

std::vector<timing> interleave(std::span<const task> tasks, unsigned rounds) {
  std::vector<std::vector<double>> samples(tasks.size());
  for (unsigned round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < tasks.size(); ++i)
      samples[i].push_back(ns_per_key(tasks[i]));
  std::vector<timing> out;
  for (auto& s : samples) out.push_back(summary_of(std::move(s)));
  return out;
}

}  // namespace bloomery::bench
