#include "kernel/portable_bloom.hpp"

#include <algorithm>

namespace bloomery::kernel {
namespace {

using walk = portable_probe::walk;

// Keys in flight: enough lines to cover memory latency, few enough for the L1 cache.
constexpr std::size_t group = 64;

inline void prefetch(const std::byte* data, const walk& w) noexcept {
  __builtin_prefetch(data + (w.at >> 3));
}

// The keys of a group that have passed every probe so far.
struct survivors {
  walk at[group];
  std::uint8_t who[group];
  std::size_t count;
};

// Tests `n` probes of every survivor and keeps those that pass, without a branch: each
// is written to the next free place, which moves on only if it passed.  A line is
// fetched only for a key that is still alive, one round before it is read.
template <bool fetch>
void next_round(const portable_probe& probe, const std::byte* data, unsigned n,
                survivors& s) noexcept {
  const std::uint64_t bits = probe.bits();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < s.count; ++i) {
    walk w = s.at[i];
    unsigned all = 1;
    for (unsigned j = 0; j < n; ++j, w.advance(bits)) all &= w.bit_in(data);
    if constexpr (fetch) prefetch(data, w);
    s.at[kept] = w;
    s.who[kept] = s.who[i];
    kept += all;
  }
  s.count = kept;
}

template <bool fetch>
void start_group(const portable_probe& probe, const std::byte* data, const key* ks,
                 std::size_t n, bool* out, survivors& s) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    s.at[i] = probe.start(ks[i]);
    if constexpr (fetch) prefetch(data, s.at[i]);
    s.who[i] = static_cast<std::uint8_t>(i);
    out[i] = false;
  }
  s.count = n;
}

// Each of the three ways to answer a group returns how many of its keys may be present.

// In cache a round costs more than a wasted probe: one probe, then two, then the rest.
std::size_t query_near(const portable_layout& f, const std::byte* data, const key* ks,
                       std::size_t n, bool* out) noexcept {
  survivors s;
  start_group<false>(f.probe, data, ks, n, out, s);
  std::uint32_t left = f.probes;
  if (left > 1) next_round<false>(f.probe, data, 1, s), left -= 1;
  if (left > 2) next_round<false>(f.probe, data, 2, s), left -= 2;
  std::size_t hits = 0;
  for (std::size_t i = 0; i < s.count; ++i) {
    const bool hit = f.probe.all_set(data, s.at[i], left);
    out[s.who[i]] = hit;
    hits += hit;
  }
  return hits;
}

// Out of cache a wasted line costs more than a round: probe by probe.
std::size_t query_far(const portable_layout& f, const std::byte* data, const key* ks,
                      std::size_t n, bool* out) noexcept {
  survivors s;
  start_group<true>(f.probe, data, ks, n, out, s);
  for (std::uint32_t left = f.probes; left != 0 && s.count != 0; --left)
    next_round<true>(f.probe, data, 1, s);
  for (std::size_t i = 0; i < s.count; ++i) out[s.who[i]] = true;
  return s.count;
}

// Where most keys are present every probe is made anyway: key by key, no survivors.  A
// branch for each probe is then predicted so well that the processor runs ahead into the
// lines of the next keys by itself; four probes a branch, or prefetching, took a third
// longer out of cache (docs/dead_ends.md).
std::size_t query_present(const portable_layout& f, const std::byte* data, const key* ks,
                          std::size_t n, bool* out) noexcept {
  const portable_probe probe = f.probe;
  std::size_t hits = 0;
  for (std::size_t i = 0; i < n; ++i) {
    walk w = probe.start(ks[i]);
    std::uint32_t left = f.probes;
    for (; left != 0 && w.bit_in(data) != 0; --left) w.advance(probe.bits());
    out[i] = left == 0;
    hits += left == 0;
  }
  return hits;
}

// Keys between the fetch of a key's lines and their use.  Unlike loads, stores that miss
// the cache wait for each other, so an insert does gain from fetching them all.
constexpr std::size_t ahead = 8;

void fetch_all(const portable_layout& f, const std::byte* data, key k) noexcept {
  walk w = f.probe.start(k);
  for (std::uint32_t n = f.probes; n != 0; --n, w.advance(f.probe.bits()))
    prefetch(data, w);
}

}  // namespace

void insert(const portable_layout& f, std::byte* data, std::span<const key> ks) noexcept {
  const portable_layout local = f;  // stores cannot alias it: no reloads
  for (std::size_t i = 0; i < ks.size(); ++i) {
    if (!local.in_cache && i + ahead < ks.size()) fetch_all(local, data, ks[i + ahead]);
    local.probe.set_all(data, local.probe.start(ks[i]), local.probes);
  }
}

void query(const portable_layout& f, const std::byte* data, std::span<const key> ks,
           bool* out) noexcept {
  bool present = false;  // of the group before: more than 7 of 8 keys
  for (std::size_t i = 0; i < ks.size(); i += group) {
    const std::size_t n = std::min(group, ks.size() - i);
    const auto ask = present ? query_present : f.in_cache ? query_near : query_far;
    present = 8 * ask(f, data, &ks[i], n, out + i) > 7 * n;
  }
}

}  // namespace bloomery::kernel
