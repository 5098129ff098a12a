// bench_scalable: what a filter that grows costs, against one that was sized in advance.
//
//   bench_scalable                 1000 keys, grown 1024 times, at 1 %
//   bench_scalable --keys 10000    from 10,000
//
// Memory at every number of levels, rates from the bits and measured, and lookups and
// inserts as ratios within one run.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <bloomery/block_bloom.hpp>
#include <bloomery/detail/kind/block/sizing.hpp>
#include <bloomery/scalable_bloom.hpp>

#include "kit/interleave.hpp"
#include "kit/machine.hpp"
#include "kit/mix.hpp"
#include "kit/require_present.hpp"

namespace bloomery::bench {
namespace {

constexpr double fpr = 0.01;

template <class T>
T must(result<T> r) {
  if (!r) throw std::runtime_error(r.error().what);
  return *std::move(r);
}

std::vector<key> some_keys(std::uint64_t seed, std::size_t n) {
  std::vector<key> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = key::from_bits(splitmix64(seed + i));
  return out;
}

std::uint64_t count_in(const auto& f, std::span<const key> ks, std::span<bool> out) {
  f.may_contain(ks, out);
  std::uint64_t n = 0;
  for (const bool b : out) n += b;
  return n;
}

// Keys and bytes of the chain when so many of its levels are full, against one filter.
void print_memory(const scalable_shape& s, unsigned levels) {
  fmt::print("\n{} by {}: factor over one filter of that rate and as many keys\n\n",
             name_of(s.policy), s.growth);
  fmt::print(
      "| levels | keys when full | bits/key when full | factor | just grown | at "
      "that moment |\n|---|---|---|---|---|---|\n");
  double keys = 0, bytes = 0;
  for (unsigned i = 0; i < levels; ++i) {
    const double before = keys, old = bytes;
    keys += static_cast<double>(scalable_level_keys(s, i));
    bytes += static_cast<double>(s.level(i).size_in_bytes());
    const auto one = [](double n) {
      return static_cast<double>(
          must(size_blocks_by_rate(static_cast<std::uint64_t>(n), fpr)).size_in_bytes());
    };
    fmt::print(
        "| {} | {:.0f} | {:.2f} | {:.2f} | {} | {} |\n", i + 1, keys, 8 * bytes / keys,
        bytes / one(keys),
        i == 0 ? std::string("-") : fmt::format("{:.2f}", bytes / one(before)),
        i == 0 ? std::string("-") : fmt::format("{:.2f}", (bytes + old) / one(before)));
  }
}

void measure(std::uint64_t first, const growth_plan& plan, unsigned levels) {
  const auto shape = must(size_scalable_by_rate(first, fpr, plan));
  print_memory(shape, levels);
  auto chain = must(scalable_bloom::make(shape, first));
  std::uint64_t n = 0;
  for (unsigned i = 0; i < levels; ++i) n += scalable_level_keys(shape, i);
  const auto in = some_keys(1, n - n / 100);
  chain.insert(std::span<const key>(in));
  const block_shape last = shape.level(chain.levels() - 1);
  auto one = must(block_bloom::make(last));
  one.insert(std::span<const key>(in).last(in.size() / 2));

  const auto absent = some_keys(std::uint64_t{1} << 40, std::size_t{1} << 20);
  const auto out = std::make_unique<bool[]>(absent.size());
  const std::span<bool> answers(out.get(), absent.size());
  const std::uint64_t hits = count_in(chain, absent, answers);
  fmt::print("\n{} levels, {} keys: rate {:.4f} % from the bits, {:.4f} % measured\n",
             chain.levels(), in.size(), 100 * chain.realised_fpr(),
             100.0 * static_cast<double>(hits) / static_cast<double>(absent.size()));

  const std::span<const key> present =
      std::span(in).first(absent.size() < in.size() ? absent.size() : in.size());
  require_present(chain, in, "scalable");
  std::vector<task> tasks;
  const auto ask = [&](const auto& f, std::span<const key> ks) {
    tasks.push_back({ks.size(), [&f, ks, answers] {
                       return count_in(f, ks, answers.first(ks.size()));
                     }});
  };
  ask(one, absent);
  ask(chain, absent);
  ask(chain, present);
  tasks.push_back({absent.size(), [&] {
                     std::uint64_t found = 0;
                     for (const key k : absent) found += one.may_contain(k);
                     return found;
                   }});
  tasks.push_back({absent.size(), [&] {
                     std::uint64_t found = 0;
                     for (const key k : absent) found += chain.may_contain(k);
                     return found;
                   }});
  tasks.push_back({in.size(), [&] {
                     auto f = must(block_bloom::make({.keys = in.size(), .fpr = fpr}));
                     f.insert(std::span<const key>(in));
                     return f.ones();
                   }});
  tasks.push_back({in.size(), [&] {
                     auto f = must(scalable_bloom::make(shape, first));
                     f.insert(std::span<const key>(in));
                     return std::uint64_t{f.levels()};
                   }});
  const auto t = interleave(tasks, 9);
  const double ratio = t[1].median / t[0].median;
  fmt::print("\n| | ns per key | ratio |\n|---|---|---|\n");
  fmt::print(
      "| absent, batched: one block filter of the last level's size | {:.2f} | |\n",
      t[0].median);
  fmt::print("| absent, batched: chain | {:.2f} | {:.2f} = {:.2f} per level |\n",
             t[1].median, ratio, ratio / chain.levels());
  fmt::print("| present, batched: chain | {:.2f} | {:.2f} |\n", t[2].median,
             t[2].median / t[0].median);
  fmt::print("| absent, one by one: one block filter | {:.2f} | |\n", t[3].median);
  fmt::print("| absent, one by one: chain | {:.2f} | {:.2f} |\n", t[4].median,
             t[4].median / t[3].median);
  fmt::print("| inserts, batched: one filter for all | {:.2f} | |\n", t[5].median);
  fmt::print("| inserts, batched: chain, growing | {:.2f} | {:.2f} |\n", t[6].median,
             t[6].median / t[5].median);
}

}  // namespace
}  // namespace bloomery::bench

int main(int argc, char** argv) {
  using namespace bloomery::bench;
  std::uint64_t first = 1000;
  for (int i = 1; i + 1 < argc; i += 2)
    if (std::strcmp(argv[i], "--keys") == 0)
      first = std::strtoull(argv[i + 1], nullptr, 10);
  fmt::print("{}", describe_machine());
  measure(first, {.max_growth = 1024}, 11);
  measure(first, {.max_growth = 1024, .growth = 4}, 6);
  measure(first, {}, 11);
  measure(first, {.dynamic = true}, 11);
  fmt::print("\n{}", describe_load_at_end());
}
