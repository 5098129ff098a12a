// Batches over filters of bits without blocks: bit_storage.
// No state, no allocation, no errors.
//
// They set and test exactly the bits of the one-key calls, which are the definition.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/probe/bit_sequence.hpp>
#include <bloomery/key.hpp>

#include "kernel/deferred_ors.hpp"
#include "kernel/fetch_ahead.hpp"

namespace bloomery::kernel {

template <class Probe>
struct bit_layout {
  Probe probe;
  std::uint32_t probes;  // bits a key has
  bool in_cache;         // the bits fit the L2 cache: prefetching would only cost
};

// Keys in flight: enough lines to cover memory latency, few enough for the L1 cache.
inline constexpr std::size_t bit_group = 64;

template <class Probe>
using sequence_of = typename Probe::sequence;

// Inlined always, as all that only fetches: fetch_ahead.hpp says why.
BLOOMERY_INLINE void prefetch(const std::byte* data, const bit_position& w) noexcept {
  __builtin_prefetch(data + (w.at >> 3));
}

// The keys of a group that have passed every probe so far.
template <class Probe>
struct survivors {
  sequence_of<Probe> at[bit_group];
  std::uint8_t who[bit_group];
  std::size_t count;
};

// Tests `n` probes of every survivor and keeps those that pass, without a branch: each
// is written to the next free place, which moves on only if it passed.  A line is
// fetched only for a key that is still alive, one round before it is read.
template <bool fetch, class Probe>
void next_round(const Probe& probe, const std::byte* data, unsigned n,
                survivors<Probe>& s) noexcept {
  const std::uint64_t bits = probe.range();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < s.count; ++i) {
    sequence_of<Probe> w = s.at[i];
    unsigned all = 1;
    for (unsigned j = 0; j < n; ++j, w.advance(bits)) all &= w.bit_in(data);
    if constexpr (fetch) prefetch(data, w);
    s.at[kept] = w;
    s.who[kept] = s.who[i];
    kept += all;
  }
  s.count = kept;
}

template <bool fetch, class Probe>
void start_group(const Probe& probe, const std::byte* data, const key* ks, std::size_t n,
                 bool* out, survivors<Probe>& s) noexcept {
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
template <class Probe>
std::size_t query_near(const bit_layout<Probe>& f, const std::byte* data, const key* ks,
                       std::size_t n, bool* out) noexcept {
  survivors<Probe> s;
  start_group<false>(f.probe, data, ks, n, out, s);
  std::uint32_t left = f.probes;
  if (left > 1) next_round<false>(f.probe, data, 1, s), left -= 1;
  if (left > 2) next_round<false>(f.probe, data, 2, s), left -= 2;
  std::size_t hits = 0;
  for (std::size_t i = 0; i < s.count; ++i) {
    const bool hit = all_set(data, s.at[i], left, f.probe.range());
    out[s.who[i]] = hit;
    hits += hit;
  }
  return hits;
}

// Out of cache a wasted line costs more than a round: probe by probe.
template <class Probe>
std::size_t query_far(const bit_layout<Probe>& f, const std::byte* data, const key* ks,
                      std::size_t n, bool* out) noexcept {
  survivors<Probe> s;
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
template <class Probe>
std::size_t query_present(const bit_layout<Probe>& f, const std::byte* data,
                          const key* ks, std::size_t n, bool* out) noexcept {
  const Probe probe = f.probe;
  std::size_t hits = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sequence_of<Probe> w = probe.start(ks[i]);
    std::uint32_t left = f.probes;
    for (; left != 0 && w.bit_in(data) != 0; --left) w.advance(probe.range());
    out[i] = left == 0;
    hits += left == 0;
  }
  return hits;
}

// All lines of some keys.  Unlike loads, stores that miss the cache wait for each other,
// so an insert does gain from fetching them all.
template <class Probe>
struct fetch_bits {
  const bit_layout<Probe>& f;
  const std::byte* data;
  std::span<const key> ks;
  BLOOMERY_INLINE void operator()(std::size_t first, std::size_t count) const noexcept {
    for (const key k : ks.subspan(first, count)) {
      sequence_of<Probe> w = f.probe.start(k);
      for (std::uint32_t n = f.probes; n != 0; --n, w.advance(f.probe.range()))
        prefetch(data, w);
    }
  }
};

// Calls use(keys) for all of them, a few at a time, with their lines on the way.
template <class Probe, class Use>
BLOOMERY_INLINE void for_each_fetched(const bit_layout<Probe>& f, const std::byte* data,
                                      std::span<const key> ks, Use use) noexcept {
  const auto use_some = [=](std::size_t first, std::size_t count) noexcept {
    use(ks.subspan(first, count));
  };
  if (!f.in_cache)
    return fetch_ahead<bit_inserts>(ks.size(), fetch_bits<Probe>{f, data, ks}, use_some);
  for (std::size_t i = 0; i < ks.size(); i += bit_inserts.ahead)
    use_some(i, std::min(bit_inserts.ahead, ks.size() - i));
}

template <class Probe>
void insert(const bit_layout<Probe>& f, std::byte* data,
            std::span<const key> ks) noexcept {
  const bit_layout<Probe> local = f;  // stores cannot alias it: no reloads
  for_each_fetched(local, data, ks, [&](std::span<const key> some) noexcept {
    for (const key k : some)
      set_all(data, local.probe.start(k), local.probes, local.probe.range());
  });
}

template <class Probe>
void insert_shared(const bit_layout<Probe>& f, std::byte* data,
                   std::span<const key> ks) noexcept {
  const bit_layout<Probe> local = f;
  const std::uint64_t bits = local.probe.range();
  deferred_ors todo;
  for_each_fetched(local, data, ks, [&](std::span<const key> some) noexcept {
    for (const key k : some) {
      sequence_of<Probe> w = local.probe.start(k);
      for (std::uint32_t n = local.probes; n != 0; --n, w.advance(bits)) {
        if (todo.count == deferred_ors::room) todo.apply();
        todo.note(data + w.word(), w.mask(), w.bit_in(data) == 0);
      }
    }
    todo.apply();
  });
}

template <class Probe>
void query(const bit_layout<Probe>& f, const std::byte* data, std::span<const key> ks,
           bool* out) noexcept {
  bool present = false;  // of the group before: more than 7 of 8 keys
  for (std::size_t i = 0; i < ks.size(); i += bit_group) {
    const std::size_t n = std::min(bit_group, ks.size() - i);
    const auto ask = present      ? query_present<Probe>
                     : f.in_cache ? query_near<Probe>
                                  : query_far<Probe>;
    present = 8 * ask(f, data, &ks[i], n, out + i) > 7 * n;
  }
}

}  // namespace bloomery::kernel
