#include "kit/grow.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "kit/workload.hpp"

namespace bloomery::bench {
namespace {

using clock = std::chrono::steady_clock;

double per_key(clock::duration took, std::uint64_t keys) {
  return std::chrono::duration<double, std::nano>(took).count() /
         static_cast<double>(keys);
}

// Allocation, page faults, every key in batches.  Making the keys is not part of it, so
// the clock runs only while they are inserted.
result<double> by_inserts(const plan& p, std::unique_ptr<subject>& into) {
  into.reset();
  const auto start = clock::now();
  auto made = p.make();
  clock::duration took = clock::now() - start;
  if (!made) return made.error();
  into = *std::move(made);
  for_each_key(p.keys, into->hasher(), [&](std::span<const key> ks) {
    const auto before = clock::now();
    into->insert_batched(ks);
    took += clock::now() - before;
  });
  return per_key(took, p.keys);
}

result<double> whole(const plan& p, std::span<const key> ks, unsigned threads,
                     std::unique_ptr<subject>& into) {
  into.reset();
  const auto start = clock::now();
  auto made = p.build(ks, threads);
  const clock::duration took = clock::now() - start;
  if (!made) return made.error();
  into = *std::move(made);
  return per_key(took, p.keys);
}

// Large builds are long enough to be steady, and too long to be repeated much.
unsigned build_rounds(std::uint64_t keys, unsigned rounds) {
  if (keys <= queries) return rounds;
  return std::min(rounds, keys <= 16 * queries ? 3u : 1u);
}

std::vector<key> all_keys(std::uint64_t keys, const hasher& h) {
  std::vector<key> all;
  all.reserve(keys);
  for_each_key(keys, h, [&](std::span<const key> ks) {
    all.insert(all.end(), ks.begin(), ks.end());
  });
  return all;
}

}  // namespace

result<specimen> grow(const plan& p, const options& o, figures& f) {
  specimen s;
  auto scratch = p.make();
  if (!scratch) return scratch.error();
  s.scratch = *std::move(scratch);
  std::vector<key> all;
  if (p.build) all = all_keys(p.keys, s.scratch->hasher());
  std::vector<double> alone, threaded;
  for (unsigned i = 0; i < build_rounds(p.keys, o.rounds); ++i) {
    if (p.build && o.threads > 1) {
      const auto ns = whole(p, all, o.threads, s.full);
      if (!ns) return ns.error();
      threaded.push_back(*ns);
    }
    const auto ns = p.build ? whole(p, all, 1, s.full) : by_inserts(p, s.full);
    if (!ns) return ns.error();
    alone.push_back(*ns);
  }
  f.build = summary_of(std::move(alone));
  if (!threaded.empty()) f.build_threaded = summary_of(std::move(threaded));
  return s;
}

}  // namespace bloomery::bench
