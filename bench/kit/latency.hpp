// How long one lookup takes when nothing overlaps it: percentiles, not throughput.
//
// Each lookup stands between two time stamps, fenced so that it begins after the first
// and has ended before the second.  The same pair around nothing gives the cost of
// stamping, of which the median is subtracted; what is left resolves a few nanoseconds.
// On x86 the stamps are RDTSC between LFENCEs, scaled by the steady clock; elsewhere the
// steady clock itself.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include <bloomery/key.hpp>

#include "kit/keep.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace bloomery::bench {

inline std::uint64_t stamp() noexcept {
#if defined(__x86_64__)
  _mm_lfence();
  const std::uint64_t ticks = __rdtsc();
  _mm_lfence();
  return ticks;
#else
  asm volatile("" : : : "memory");
  return static_cast<std::uint64_t>(
      std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// Ticks of each lookup, stamping included.
template <class Lookup>  // key -> bool
std::vector<std::uint64_t> ticks_of_each(std::span<const key> ks, Lookup lookup) {
  std::vector<std::uint64_t> ticks(ks.size());
  for (std::size_t i = 0; i < ks.size(); ++i) {
    const key k = ks[i];
    keep(k.bits());  // loaded before the clock starts
    const std::uint64_t start = stamp();
    keep(lookup(k));
    ticks[i] = stamp() - start;
  }
  return ticks;
}

struct percentiles {  // nanoseconds
  double p50 = 0, p99 = 0, p999 = 0;
};

// The cost of stamping is measured here, and subtracted.
percentiles percentiles_of(std::vector<std::uint64_t> ticks);

}  // namespace bloomery::bench
