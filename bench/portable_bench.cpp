// ns/key of the portable filter, by size of the filter and share of present keys.
//
//   portable_bench --benchmark_filter='absent' --benchmark_repetitions=9
//
// Sizes lie within L1, L2, L3 and memory of the machine it runs on: a filter that fits
// in a cache says nothing about one that does not.  items_per_second is keys per second.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <bloomery/portable_bloom.hpp>

#include "kit/machine.hpp"
#include "kit/mix.hpp"
#include "kit/subject.hpp"
#include "kit/workload.hpp"

namespace bloomery::bench {
namespace {

struct level {
  const char* name;
  std::size_t bytes;  // of the filter
};

// Half of each cache, and at least 256 MiB for memory.  Large server caches are shared
// with other machines' work, so no more than 16 MiB is taken to be ours of the L3.
std::vector<level> levels() {
  const cache_sizes c = caches();
  const std::size_t l1 = std::max<std::size_t>(c.l1, 32u << 10);
  const std::size_t l2 = std::max<std::size_t>(c.l2, 256u << 10);
  const std::size_t l3 = std::clamp<std::size_t>(c.l3 / 2, 2 * l2, 16u << 20);
  return {{"L1", l1 / 2}, {"L2", l2 / 2}, {"L3", l3}, {"memory", 256u << 20}};
}

constexpr double bits_per_key = 9.585;  // 1 %

// A full filter and its keys; made at its first use, as the largest takes seconds.
struct fixture {
  explicit fixture(std::size_t bytes)
      : keys(static_cast<std::uint64_t>(8 * static_cast<double>(bytes) / bits_per_key)),
        filter(make(keys)),
        load(keys, filter.hasher()) {
    for_each_key(keys, filter.hasher(),
                 [&](std::span<const key> ks) { filter.insert_batched(ks); });
    // A random choice each time: strict alternation would suit the branch predictor.
    for (std::size_t i = 0; i < queries; ++i)
      mixed.push_back((splitmix64(i) & 1) != 0 ? load.present[i] : load.absent[i]);
  }

  static filter_subject<portable_bloom> make(std::uint64_t keys) {
    return filter_subject(*portable_bloom::make({.keys = keys, .fpr = 0.01}));
  }

  std::uint64_t keys;
  filter_subject<portable_bloom> filter;
  workload load;
  std::vector<key> mixed;
};

fixture& fixture_of(std::size_t bytes) {
  static std::map<std::size_t, std::unique_ptr<fixture>> made;
  auto& f = made[bytes];
  if (!f) f = std::make_unique<fixture>(bytes);
  return *f;
}

template <class Loop>  // (fixture&) -> keys that may be present
void run(benchmark::State& state, std::size_t bytes, Loop loop) {
  fixture& f = fixture_of(bytes);
  for (auto _ : state) benchmark::DoNotOptimize(loop(f));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(queries));
  state.counters["keys"] = static_cast<double>(f.keys);
}

template <class Loop>
void add(const level& l, const char* what, Loop loop) {
  const std::string name = std::string("portable/") + what + "/" + l.name;
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    run(state, l.bytes, loop);
  })->Unit(benchmark::kMillisecond);
}

void register_all() {
  for (const level& l : levels()) {
    add(l, "present/single",
        [](fixture& f) { return f.filter.count_each(f.load.present); });
    add(l, "present/batched",
        [](fixture& f) { return f.filter.count_batched(f.load.present); });
    add(l, "absent/single",
        [](fixture& f) { return f.filter.count_each(f.load.absent); });
    add(l, "absent/batched",
        [](fixture& f) { return f.filter.count_batched(f.load.absent); });
    add(l, "half_present/single",
        [](fixture& f) { return f.filter.count_each(f.mixed); });
    add(l, "half_present/batched",
        [](fixture& f) { return f.filter.count_batched(f.mixed); });
    add(l, "absent_strings/batched",
        [](fixture& f) { return f.filter.count_batched(f.load.absent_texts.views()); });
    // Keys that are in already: the writes are the same and the filter stays as it is.
    add(l, "insert/single",
        [](fixture& f) { return f.filter.insert_each(f.load.present), 0; });
    add(l, "insert/batched",
        [](fixture& f) { return f.filter.insert_batched(f.load.present), 0; });
    add(l, "insert_strings/batched", [](fixture& f) {
      return f.filter.insert_batched(f.load.present_texts.views()), 0;
    });
  }
}

}  // namespace
}  // namespace bloomery::bench

int main(int argc, char** argv) {
  bloomery::bench::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();  // prints the load at the start
  std::fputs(bloomery::bench::describe_load_at_end().c_str(), stderr);
}
