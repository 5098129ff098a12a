#include "kit/build_pair.hpp"

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
result<double> by_inserts(const subject_spec& s, std::unique_ptr<subject>& into) {
  into.reset();
  const auto start = clock::now();
  auto made = s.make();
  clock::duration took = clock::now() - start;
  if (!made) return made.error();
  growing_subject& filter = **made;
  for_each_key(s.keys, filter.hasher(), [&](std::span<const key> ks) {
    const auto before = clock::now();
    filter.insert_batched(ks);
    took += clock::now() - before;
  });
  into = *std::move(made);
  return per_key(took, s.keys);
}

result<double> whole(const subject_spec& s, std::span<const key> ks, unsigned threads,
                     std::unique_ptr<subject>& into) {
  into.reset();
  const auto start = clock::now();
  auto made = s.build(ks, threads);
  const clock::duration took = clock::now() - start;
  if (!made) return made.error();
  into = *std::move(made);
  return per_key(took, s.keys);
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

result<subject_pair> build_pair(const subject_spec& s, const options& o, figures& f) {
  subject_pair pair;
  if (s.make) {
    auto scratch = s.make();
    if (!scratch) return scratch.error();
    pair.scratch = *std::move(scratch);
  }
  std::vector<key> all;
  if (s.build) all = all_keys(s.keys, s.hash);
  std::vector<double> alone, threaded;
  for (unsigned i = 0; i < build_rounds(s.keys, o.rounds); ++i) {
    if (s.build_takes_threads && o.threads > 1) {
      const auto ns = whole(s, all, o.threads, pair.full);
      if (!ns) return ns.error();
      threaded.push_back(*ns);
    }
    const auto ns = s.build ? whole(s, all, 1, pair.full) : by_inserts(s, pair.full);
    if (!ns) return ns.error();
    alone.push_back(*ns);
  }
  f.build = summary_of(std::move(alone));
  if (!threaded.empty()) f.build_threaded = summary_of(std::move(threaded));
  return pair;
}

}  // namespace bloomery::bench
