#include "kit/growth.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kit/workload.hpp"

namespace bloomery::bench {
namespace {

using clock = std::chrono::steady_clock;
using inserter = std::function<void(std::span<const key>)>;

constexpr std::size_t tenths = 10;

struct samples {
  std::vector<double> all, first, last;
};

double per_key(clock::duration took, std::size_t keys) {
  return std::chrono::duration<double, std::nano>(took).count() /
         static_cast<double>(keys);
}

// One time from empty to the last key.
void grow(growing_subject& filter, std::span<const key> ks, const inserter& insert,
          samples& into) {
  filter.clear();
  const std::size_t some = ks.size() / tenths;
  const auto start = clock::now();
  insert(ks.first(some));
  const auto early = clock::now();
  insert(ks.subspan(some, ks.size() - 2 * some));
  const auto late = clock::now();
  insert(ks.last(some));
  const auto end = clock::now();
  into.all.push_back(per_key(end - start, ks.size()));
  into.first.push_back(per_key(early - start, some));
  into.last.push_back(per_key(end - late, some));
}

growth summary(samples s, double load) {
  return {load, summary_of(std::move(s.all)), summary_of(std::move(s.first)),
          summary_of(std::move(s.last))};
}

std::vector<key> first_keys(std::uint64_t count, const hasher& h) {
  std::vector<key> all;
  all.reserve(count);
  for_each_key(count, h, [&](std::span<const key> ks) {
    all.insert(all.end(), ks.begin(), ks.end());
  });
  return all;
}

// Large filters take long enough to be steady, and too long to be repeated much.
unsigned rounds_of(std::uint64_t keys, unsigned rounds) {
  if (keys <= queries) return rounds;
  return std::min(rounds, keys <= 16 * queries ? 3u : 1u);
}

// Nothing if a key is refused.
std::optional<double> load_with(growing_subject& filter, std::span<const key> ks) {
  filter.clear();
  try {
    filter.insert_batched(ks);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
  return filter.fill();
}

}  // namespace

void measure_growth(const subject_spec& s, const subject_pair& pair, const options& o,
                    figures& f) {
  if (pair.scratch == nullptr || pair.scratch->sets_bits()) return;
  growing_subject& filter = *pair.scratch;
  const double designed = pair.full->fill();  // with s.keys in it
  const double wanted = full_load / designed * static_cast<double>(s.keys);
  if (!(wanted >= tenths) || !std::isfinite(wanted)) return;
  const auto ks = first_keys(static_cast<std::uint64_t>(wanted), s.hash);
  const auto load = load_with(filter, ks);
  if (!load) return;
  samples single, batched;
  for (unsigned i = 0; i < rounds_of(ks.size(), o.rounds); ++i) {
    grow(
        filter, ks, [&](std::span<const key> some) { filter.insert_each(some); }, single);
    grow(
        filter, ks, [&](std::span<const key> some) { filter.insert_batched(some); },
        batched);
  }
  f.growing = summary(std::move(single), *load);
  f.growing_batched = summary(std::move(batched), *load);
}

}  // namespace bloomery::bench
