// bench_stable: what inserts into a stable filter of 1 MiB cost, for each width of cells.
//
//   bench_stable                   at 1 %, for keys that return within 100,000 inserts
//   bench_stable --gap 1000000
//
// Batched and one by one, at the stable point, beside block_bloom of the same memory in
// the same run.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include <bloomery/block_bloom.hpp>
#include <bloomery/stable_bloom.hpp>

#include "kit/interleave.hpp"
#include "kit/machine.hpp"
#include "kit/mix.hpp"

namespace bloomery::bench {
namespace {

constexpr double fpr = 0.01;
constexpr std::uint64_t memory = std::uint64_t{1} << 20;

template <class T>
T must(result<T> r) {
  if (!r) throw std::runtime_error(r.error().what);
  return *std::move(r);
}

// Inserts never end: a round begins where the last one ended.
void measure(std::uint64_t gap) {
  std::vector<key> ks(std::size_t{1} << 20);
  for (std::size_t i = 0; i < ks.size(); ++i) ks[i] = key::from_bits(splitmix64(i));
  std::vector<stable_bloom> filters;
  for (const unsigned width : {1u, 2u, 4u})
    filters.push_back(must(stable_bloom::make(
        {.keys = gap, .fpr = fpr, .memory = memory, .cell_bits = width})));
  auto block = must(block_bloom::make({.keys = 8 * memory / 10, .fpr = fpr}));

  std::vector<task> tasks{{ks.size(), [&] {
                             block.insert(std::span<const key>(ks));
                             return std::uint64_t{0};
                           }}};
  for (stable_bloom& f : filters) {
    for (int i = 0; i < 8; ++i) f.insert(std::span<const key>(ks));
    tasks.push_back({ks.size(), [&] {
                       f.insert(std::span<const key>(ks));
                       return std::uint64_t{0};
                     }});
    tasks.push_back({ks.size(), [&] {
                       for (const key k : ks) f.insert(k);
                       return std::uint64_t{0};
                     }});
  }
  const auto times = interleave(tasks, 9);
  fmt::print(
      "| cells | hashes | decreased | batched, ns | / block | one by one, ns |\n"
      "|---|---|---|---|---|---|\n");
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const stable_shape s = filters[i].shape();
    const auto& many = times[1 + 2 * i];
    const auto& one = times[2 + 2 * i];
    fmt::print(
        "| {} bits, max {} | {} | {:.1f} | {:.1f} ({:.1f}) | {:.1f} | {:.1f} ({:.1f}) "
        "|\n",
        s.cell_bits, s.max, s.hashes, s.steps(), many.min, many.median,
        many.min / times[0].min, one.min, one.median);
  }
}

}  // namespace
}  // namespace bloomery::bench

int main(int argc, char** argv) try {
  std::uint64_t gap = 100'000;
  if (argc == 3 && std::strcmp(argv[1], "--gap") == 0)
    gap = std::strtoull(argv[2], nullptr, 10);
  else if (argc != 1)
    return fmt::print(stderr, "usage: bench_stable [--gap N]\n"), 2;
  fmt::print("{}\n", bloomery::bench::describe_machine());
  bloomery::bench::measure(gap);
  fmt::print("\n{}", bloomery::bench::describe_load_at_end());
  return 0;
} catch (const std::exception& e) {
  fmt::print(stderr, "bench_stable: {}\n", e.what());
  return 2;
}
