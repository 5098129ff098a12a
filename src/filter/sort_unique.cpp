#include "filter/sort_unique.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include "base/parallel_for.hpp"
#include "filter/radix_sort.hpp"

namespace bloomery::inline v1 {
namespace {

constexpr std::size_t ranges = 256;
// Below this, the tables of a radix sort cost more than comparing.
constexpr std::size_t few_keys = 512;

constexpr auto ascending = [](key a, key b) noexcept { return a.bits() < b.bits(); };

std::size_t unique_into(std::span<const key> sorted, key* out) noexcept {
  return static_cast<std::size_t>(std::unique_copy(sorted.begin(), sorted.end(), out) -
                                  out);
}

std::size_t unique_in(std::span<key> sorted) noexcept {
  return static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) -
                                  sorted.begin());
}

std::size_t sort_few(std::span<key> keys) noexcept {
  std::ranges::sort(keys, ascending);
  return unique_in(keys);
}

// Bits below the first in which the keys differ, it included.
unsigned differing_bits(std::span<const key> keys) noexcept {
  std::uint64_t any = 0;
  for (const key k : keys) any |= k.bits() ^ keys.front().bits();
  return static_cast<unsigned>(std::bit_width(any));
}

}  // namespace

std::size_t sort_unique(std::span<key> keys, std::span<key> scratch,
                        unsigned threads) noexcept {
  scratch = scratch.first(keys.size());
  if (keys.size() < few_keys) return sort_few(keys);
  const unsigned bits = differing_bits(keys);
  const unsigned shift = bits > 8 ? bits - 8 : 0;
  const auto range_of = [&](key k) noexcept {
    return (k.bits() >> shift) & (ranges - 1);
  };

  std::array<std::size_t, ranges + 1> begins{};
  for (const key k : keys) ++begins[range_of(k) + 1];
  for (std::size_t r = 0; r < ranges; ++r) begins[r + 1] += begins[r];
  {
    std::array<std::size_t, ranges> next;
    std::ranges::copy(std::span(begins).first(ranges), next.begin());
    for (const key k : keys) scratch[next[range_of(k)]++] = k;
  }

  std::array<std::size_t, ranges> distinct{};
  std::atomic<std::size_t> next_range{0};
  base::parallel_for(threads, [&](unsigned) noexcept {
    for (std::size_t r;
         (r = next_range.fetch_add(1, std::memory_order_relaxed)) < ranges;) {
      const std::size_t first = begins[r], count = begins[r + 1] - first;
      const auto here = keys.subspan(first, count), dealt = scratch.subspan(first, count);
      if (count < few_keys) {
        std::ranges::sort(dealt, ascending);
        distinct[r] = unique_into(dealt, here.data());
      } else {
        const auto sorted = radix_sort(dealt, here, (shift + 7) / 8);
        distinct[r] = sorted.data() == here.data() ? unique_in(here)
                                                   : unique_into(sorted, here.data());
      }
    }
  });

  std::size_t kept = 0;
  for (std::size_t r = 0; r < ranges; ++r) {
    std::memmove(static_cast<void*>(keys.data() + kept), keys.data() + begins[r],
                 distinct[r] * sizeof(key));
    kept += distinct[r];
  }
  return kept;
}

}  // namespace bloomery::inline v1
