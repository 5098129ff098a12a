// ns/key of every hash, by length of the key, one at a time and batched; and of integers.
//
//   hash_bench --benchmark_repetitions=9 --benchmark_report_aggregates_only
//
// The keys are 4096 random strings, read in order: neither the branch predictor nor a
// constant folder can learn them, and they stay in the L2 cache.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/hasher.hpp>

#include "kit/machine.hpp"
#include "kit/mix.hpp"

namespace bloomery::bench {
namespace {

constexpr std::size_t count = 4096;

struct texts {
  explicit texts(std::size_t size) : buffer(count * size, '\0') {
    for (std::size_t i = 0; i < buffer.size(); ++i)
      buffer[i] = static_cast<char>(splitmix64(i) & 0x7f);
    for (std::size_t i = 0; i < count; ++i)
      views.push_back(std::string_view(buffer).substr(i * size, size));
  }
  std::string buffer;
  std::vector<std::string_view> views;
};

void one_by_one(benchmark::State& state, hasher h) {
  const texts t(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (const std::string_view k : t.views) sum += h.hash(k).bits();
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

void batched(benchmark::State& state, hasher h) {
  const texts t(static_cast<std::size_t>(state.range(0)));
  std::vector<key> out(count);
  for (auto _ : state) {
    h.hash(t.views, out);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

void integers(benchmark::State& state, hasher h) {
  h = h.of(key_source::integers);
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) sum += h.hash_u64(i).bits();
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

void register_all() {
  const std::array hashers{hasher::xxh3(), hasher::fnv1a_splitmix(), hasher::xxh64(),
                           hasher::siphash13({})};
  for (const hasher& h : hashers) {
    const std::string name = name_of(h.id());
    for (auto* b :
         {benchmark::RegisterBenchmark((name + "/single").c_str(), one_by_one, h),
          benchmark::RegisterBenchmark((name + "/batched").c_str(), batched, h)})
      b->ArgName("bytes")->Arg(8)->Arg(16)->Arg(32)->Arg(64);
    benchmark::RegisterBenchmark((name + "/integers").c_str(), integers, h);
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
