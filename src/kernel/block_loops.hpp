// The loops of block.hpp, written once over an instruction set `Isa` (block_probe.hpp).
//
// Each kernel's file includes this under its own target attributes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <bloomery/block_probe.hpp>
#include <bloomery/key.hpp>

#include "kernel/block.hpp"

namespace bloomery::kernel {

// Keys between the fetch of a line and its use: enough to cover memory latency, few
// enough that none is evicted before.  16 and 32 leave misses uncovered, 128 gains
// nothing (docs/performance.md).
inline constexpr std::size_t ahead = 64;

// Filters answered at once in a set: one word of its bitmap.
inline constexpr std::size_t word_bits = 64;

// Starts to fetch what key h will need.
template <class Layout>
BLOOMERY_INLINE void fetch(const std::byte* data, std::uint64_t blocks,
                           std::uint64_t h) noexcept {
  __builtin_prefetch(data + Layout::offset(h, blocks));
  if constexpr (Layout::choices == 2)
    __builtin_prefetch(data + Layout::offset(block_probe::second(h), blocks));
}

// Answers for a group of keys; instruction sets may have something better.
template <class Isa>
struct answers {
  // REQUIRES: n <= word_bits.  With `ring`, fetches the lines of the keys that come
  // `ahead` later, one for each that is answered; REQUIRES: there are as many.
  template <class Layout, bool ring>
  BLOOMERY_INLINE static void few(const std::byte* data, std::uint64_t blocks,
                                  const key* ks, std::size_t n, bool* out) noexcept {
    for (std::size_t i = 0; i < n; ++i) {
      if constexpr (ring) fetch<Layout>(data, blocks, ks[i + ahead].bits());
      out[i] = block_probe::one_key<Isa, Layout>::may_contain(data, blocks, ks + i);
    }
  }
  // Bit i of the result is out[i].  REQUIRES: n <= word_bits
  BLOOMERY_INLINE static std::uint64_t pack(const bool* out, std::size_t n) noexcept {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < n; ++i) bits |= std::uint64_t{out[i]} << i;
    return bits;
  }
};

template <class Isa, class Layout>
struct block_loops_of {
  using block = typename Layout::block;
  using one = block_probe::one_key<Isa, Layout>;

  static bool may_contain(const std::byte* data, std::uint64_t blocks,
                          std::uint64_t h) noexcept {
    return one::may_contain(data, blocks, h);
  }
  static void insert_one(std::byte* data, std::uint64_t blocks,
                         std::uint64_t h) noexcept {
    one::insert(data, blocks, h);
  }

  static void prefetch(block_array a, const key* ks, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) fetch<Layout>(a.data, a.blocks, ks[i].bits());
  }

  static void insert(block_array a, const key* ks, std::size_t n) noexcept {
    std::size_t i = 0;
    if (!a.in_cache) {
      prefetch(a, ks, std::min(n, ahead));
      for (; i + ahead < n; ++i) {
        fetch<Layout>(a.data, a.blocks, ks[i + ahead].bits());
        one::insert(a.data, a.blocks, ks + i);
      }
    }
    for (; i < n; ++i) one::insert(a.data, a.blocks, ks + i);
  }

  // Calls take(first, count) for each group, with its answers in place(first).
  template <class Place, class Take>
  BLOOMERY_INLINE static void by_group(block_array a, const key* ks, std::size_t n,
                                       Place place, Take take) noexcept {
    std::size_t i = 0;
    if (!a.in_cache) {
      prefetch(a, ks, std::min(n, ahead));
      for (; i + word_bits + ahead <= n; i += word_bits) {
        answers<Isa>::template few<Layout, true>(a.data, a.blocks, ks + i, word_bits,
                                                 place(i));
        take(i, word_bits);
      }
      if (i + ahead < n) prefetch(a, ks + i + ahead, n - i - ahead);
    }
    for (; i < n; i += word_bits) {
      const std::size_t count = std::min(n - i, word_bits);
      answers<Isa>::template few<Layout, false>(a.data, a.blocks, ks + i, count,
                                                place(i));
      take(i, count);
    }
  }

  static void query(block_array a, const key* ks, std::size_t n, bool* out) noexcept {
    by_group(
        a, ks, n, [out](std::size_t i) noexcept { return out + i; },
        [](std::size_t, std::size_t) noexcept {});
  }

  static void query_bits(block_array a, const key* ks, std::size_t n,
                         std::uint64_t* out) noexcept {
    bool some[word_bits];
    by_group(
        a, ks, n, [&some](std::size_t) noexcept { return some; },
        [&some, out](std::size_t i, std::size_t count) noexcept {
          out[i / word_bits] = answers<Isa>::pack(some, count);
        });
  }

  // The bits of a key are worked out once, for all filters.
  BLOOMERY_INLINE static std::uint64_t one_against(const block_view* filters,
                                                   std::size_t count,
                                                   std::uint64_t h) noexcept {
    const auto m = Isa::template mask_of<block>(h);
    bool some[word_bits];
    if constexpr (Layout::choices == 2) {
      const std::uint64_t g = block_probe::second(h);
      const auto m2 = Isa::template mask_of<block>(g);
      for (std::size_t f = 0; f < count; ++f) {
        const block_view& v = filters[f];
        bool hit = Isa::template test<block>(v.data + Layout::offset(h, v.blocks), m);
        hit &= Isa::template test<block>(v.data + Layout::offset(g, v.blocks), m2);
        some[f] = hit;
      }
    } else {
      for (std::size_t f = 0; f < count; ++f)
        some[f] = Isa::template test<block>(
            filters[f].data + Layout::offset(h, filters[f].blocks), m);
    }
    return answers<Isa>::pack(some, count);
  }

  static void query_set(const block_view* filters, std::size_t count, bool in_cache,
                        const key* ks, std::size_t n, std::uint64_t* out) noexcept {
    const std::size_t words = (count + word_bits - 1) / word_bits;
    const auto fetch_all = [&](std::size_t step) {  // step: key by key, word by word
      const std::size_t from = step % words * word_bits;
      const std::size_t to = std::min(count, from + word_bits);
      const std::uint64_t h = ks[step / words].bits();
      for (std::size_t f = from; f < to; ++f)
        fetch<Layout>(filters[f].data, filters[f].blocks, h);
    };
    const std::size_t steps = n * words;
    if (!in_cache && steps != 0) fetch_all(0);
    for (std::size_t s = 0; s < steps; ++s) {
      if (!in_cache && s + 1 < steps) fetch_all(s + 1);
      const std::size_t from = s % words * word_bits;
      out[s] = one_against(filters + from, std::min(count - from, word_bits),
                           ks[s / words].bits());
    }
  }

  static constexpr block_loops table{may_contain, insert_one, insert,   query,
                                     query_bits,  prefetch,   query_set};
};

template <class Isa>
constexpr block_kernel kernel_of(const char* name) noexcept {
  return {name,
          {{},
           block_loops_of<Isa, block_probe::half_line>::table,
           block_loops_of<Isa, block_probe::line>::table,
           block_loops_of<Isa, block_probe::two_lines>::table,
           block_loops_of<Isa, block_probe::split>::table}};
}

extern const block_kernel block_portable;
extern const block_kernel block_avx2;
extern const block_kernel block_avx512;
extern const block_kernel block_neon;

}  // namespace bloomery::kernel
