// bench_cuckoo: how near lookups in a cuckoo filter come to what any of them must do.
//
//   bench_cuckoo                     1M and 100M keys, 12-bit tags
//   bench_cuckoo --keys 10000000
//
// Beside the floors of two random lines: a loop that finds both buckets of each key, with
// d(tag) from a table, loads them and compares nothing.  A lookup does that and more, so
// one at a time it cannot be faster.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <bloomery/cuckoo.hpp>
#include <bloomery/detail/kind/cuckoo/offsets.hpp>
#include <bloomery/detail/kind/cuckoo/table.hpp>

#include "kit/floor.hpp"
#include "kit/interleave.hpp"
#include "kit/machine.hpp"
#include "kit/mix.hpp"
#include "kit/require_present.hpp"

namespace bloomery::bench {
namespace {

constexpr double fpr = 0.002;
constexpr std::size_t queries = std::size_t{1} << 20;
constexpr int rounds = 15;

template <class T>
T must(result<T> r) {
  if (!r) throw std::runtime_error(r.error().what);
  return *std::move(r);
}

std::vector<key> keys_from(std::uint64_t seed, std::size_t count) {
  std::vector<key> ks(count);
  for (std::size_t i = 0; i < count; ++i) ks[i] = key::from_bits(splitmix64(seed + i));
  return ks;
}

cuckoo filled(std::uint64_t keys) {
  auto filter = must(cuckoo::make({.keys = keys, .fpr = fpr}));
  constexpr std::size_t some = std::size_t{1} << 20;
  for (std::uint64_t at = 0; at < keys; at += some) {
    const auto ks =
        keys_from(at, static_cast<std::size_t>(std::min<std::uint64_t>(some, keys - at)));
    if (filter.try_insert(std::span<const key>(ks)) != ks.size())
      throw std::runtime_error("the filter is full below its capacity");
  }
  return filter;
}

// Both buckets of every key, by the table that the filter has too.
class bucket_loads {
  using table = cuckoo_table<const std::byte, fixed_tags<12>, cuckoo_offset_probe>;

 public:
  explicit bucket_loads(const cuckoo& f) : filter_(f), probe_(f.buckets(), f.tag_bits()) {
    if (f.tag_bits() != 12) throw std::runtime_error("tags of 12 bits were expected");
    offsets_.reset(new std::uint32_t[std::size_t{1} << 12]());
    for (std::uint32_t tag = 1; tag < 1u << 12; ++tag)
      offsets_[tag] = static_cast<std::uint32_t>(probe_.offset(tag));
  }

  std::uint64_t sum(std::span<const key> ks) const {
    const table t(filter_.bytes().data(), {probe_, offsets_.get()}, {});
    std::uint64_t all = 0;
    for (const key k : ks) {
      const auto p = t.start(k);
      all += t.load(p.first) + t.load(p.second);
    }
    return all;
  }

 private:
  const cuckoo& filter_;
  cuckoo_probe probe_;
  cuckoo_offsets offsets_;
};

void measure(std::uint64_t keys) {
  const cuckoo filter = filled(keys);
  const bucket_loads loads(filter);
  const line_floor floor = must(line_floor::make(filter.size_in_bytes()));
  const auto present = keys_from(0, std::min<std::size_t>(queries, keys)),
             absent = keys_from(std::uint64_t{1} << 40, queries);
  const auto out = std::make_unique<bool[]>(queries);
  require_present(filter, present, "cuckoo");

  std::vector<std::string> names{"two lines, plain", "two lines, batched",
                                 "two buckets, nothing compared"};
  std::vector<task> tasks{
      {line_floor::accesses, [&] { return floor.load_two_plain(); }},
      {line_floor::batched_pairs, [&] { return floor.load_two_batched(); }},
      {absent.size(), [&] { return loads.sum(absent); }}};
  for (const auto* ks : {&present, &absent}) {
    const char* const which = ks == &present ? "present" : "absent";
    names.push_back(which);
    tasks.push_back({ks->size(), [&filter, ks] {
                       std::uint64_t yes = 0;
                       for (const key k : *ks) yes += filter.may_contain(k);
                       return yes;
                     }});
    names.push_back(fmt::format("{}, batched", which));
    tasks.push_back({ks->size(), [&filter, ks, &out] {
                       filter.may_contain(*ks, {out.get(), ks->size()});
                       return std::uint64_t{out[0]};
                     }});
  }
  const auto times = interleave(tasks, rounds);
  fmt::print("\n{} keys, {} KiB, batches by {}\n\n", keys, filter.size_in_bytes() / 1024,
             cuckoo::kernel_name());
  fmt::print("| | ns/key | of two lines, plain | batched |\n|:--|--:|--:|--:|\n");
  for (std::size_t i = 0; i < names.size(); ++i)
    fmt::print("| {} | {:.2f} ({:.2f}) | {:.2f} ({:.2f}) | {:.2f} ({:.2f}) |\n", names[i],
               times[i].min, times[i].median, times[i].min / times[0].min,
               times[i].median / times[0].median, times[i].min / times[1].min,
               times[i].median / times[1].median);
}

}  // namespace
}  // namespace bloomery::bench

int main(int argc, char** argv) try {
  std::vector<std::uint64_t> sizes{1'000'000, 100'000'000};
  if (argc == 3 && std::strcmp(argv[1], "--keys") == 0)
    sizes = {std::strtoull(argv[2], nullptr, 10)};
  else if (argc != 1)
    return fmt::print(stderr, "usage: bench_cuckoo [--keys N]\n"), 2;
  fmt::print("{}", bloomery::bench::describe_machine());
  for (const std::uint64_t keys : sizes) bloomery::bench::measure(keys);
  fmt::print("\n{}", bloomery::bench::describe_load_at_end());
  return 0;
} catch (const std::exception& e) {
  fmt::print(stderr, "bench_cuckoo: {}\n", e.what());
  return 2;
}
