// The loops of block.hpp, written once over an instruction set `Isa` (block_probe.hpp).
//
// Each kernel's file includes this under its own target attributes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/probe/block_probe.hpp>
#include <bloomery/key.hpp>

#include "kernel/block.hpp"
#include "kernel/deferred_ors.hpp"
#include "kernel/fetch_ahead.hpp"

namespace bloomery::kernel {

// Filters answered at once in a set: one word of its bitmap.
inline constexpr std::size_t word_bits = 64;

// Starts to fetch what key h will need; `to_write` takes the line from other cores.
// Inlined always, as all that only fetches: fetch_ahead.hpp says why.
template <class Layout, int to_write = 0>
BLOOMERY_INLINE void fetch(const std::byte* data, std::uint64_t blocks,
                           std::uint64_t h) noexcept {
  __builtin_prefetch(data + Layout::offset(h, blocks), to_write);
  if constexpr (Layout::choices == 2)
    __builtin_prefetch(data + Layout::offset(block_probe::second(h), blocks), to_write);
}

// Answers for word_bits keys, while the lines of those that come `ahead` later are
// fetched.  REQUIRES: there are as many.  One key at a time, whatever the instruction
// set: lines come from memory, so there is time to spare, and more room to overlap them.
template <class Isa, class Layout>
BLOOMERY_INLINE void answer_and_fetch(const std::byte* data, std::uint64_t blocks,
                                      const key* ks, bool* out) noexcept {
  constexpr std::size_t group = block_lookups.group;
  static_assert(word_bits % group == 0);
  for (std::size_t i = 0; i < word_bits; i += group) {
    for (std::size_t j = i; j < i + group; ++j)
      fetch<Layout>(data, blocks, ks[j + block_lookups.ahead].bits());
    for (std::size_t j = i; j < i + group; ++j)
      out[j] = block_probe::one_key<Isa, Layout>::may_contain(data, blocks, ks + j);
  }
}

// Answers for a group of keys; instruction sets may have something better.
template <class Isa>
struct answers {
  // REQUIRES: n <= word_bits
  template <class Layout>
  BLOOMERY_INLINE static void few(const std::byte* data, std::uint64_t blocks,
                                  const key* ks, std::size_t n, bool* out) noexcept {
    for (std::size_t i = 0; i < n; ++i)
      out[i] = block_probe::one_key<Isa, Layout>::may_contain(data, blocks, ks + i);
  }
  // Bit i of the result is out[i].  REQUIRES: n <= word_bits
  BLOOMERY_INLINE static std::uint64_t pack(const bool* out, std::size_t n) noexcept {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < n; ++i) bits |= std::uint64_t{out[i]} << i;
    return bits;
  }
};

// Keys of integers; instruction sets may have something better.
template <class Isa>
struct mixer {
  BLOOMERY_INLINE static void all(const std::uint64_t* xs, std::size_t n,
                                  std::uint64_t mask, key* out) noexcept {
    for (std::size_t i = 0; i < n; ++i)
      out[i] = key::from_bits(hash::fmix64(xs[i] ^ mask));
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

  template <int to_write>
  struct fetch_keys {
    block_array a;
    const key* ks;
    BLOOMERY_INLINE void operator()(std::size_t first, std::size_t count) const noexcept {
      for (std::size_t i = first; i < first + count; ++i)
        fetch<Layout, to_write>(a.data, a.blocks, ks[i].bits());
    }
  };

  static void insert(block_array a, const key* ks, std::size_t n) noexcept {
    const auto set = [=](std::size_t first, std::size_t count) noexcept {
      for (std::size_t i = first; i < first + count; ++i)
        one::insert(a.data, a.blocks, ks + i);
    };
    if (a.in_cache) return set(0, n);
    fetch_ahead<block_inserts>(n, fetch_keys<0>{a, ks}, set);
  }

  // Integers on their way: hashed and fetched `ahead` of their use, in a ring that is
  // larger by at least a group.
  template <fetch_plan plan, class Use>
  BLOOMERY_INLINE static void each_integer(block_array a, const std::uint64_t* xs,
                                           std::size_t n, std::uint64_t mask,
                                           Use use) noexcept {
    constexpr std::size_t size = 2 * plan.ahead;
    static_assert(plan.ahead % plan.group == 0);
    key ring[size];
    const auto hash_and_fetch = [=, &ring](std::size_t first,
                                           std::size_t count) noexcept {
      key* const ks = ring + first % size;
      mixer<Isa>::all(xs + first, count, mask, ks);
      for (std::size_t i = 0; i < count; ++i)
        fetch<Layout>(a.data, a.blocks, ks[i].bits());
    };
    fetch_ahead<plan>(n, hash_and_fetch,
                      [&](std::size_t first, std::size_t count) noexcept {
                        for (std::size_t i = 0; i < count; ++i)
                          use(first + i, ring + first % size + i);
                      });
  }
  static void query_integers(block_array a, const std::uint64_t* xs, std::size_t n,
                             std::uint64_t mask, bool* out) noexcept {
    each_integer<block_lookups>(a, xs, n, mask,
                                [=](std::size_t i, const key* k) noexcept {
                                  out[i] = one::may_contain(a.data, a.blocks, k);
                                });
  }

  static bool insert_shared_one(std::byte* data, std::uint64_t blocks,
                                std::uint64_t h) noexcept {
    return one::insert(data, blocks, h, block_probe::wait_free{});
  }
  static bool insert_locked_one(std::byte* data, std::uint64_t blocks, std::uint64_t h,
                                const stripe_locks<>& lines) noexcept {
    return one::insert(data, blocks, h, block_probe::locked{lines});
  }
  static void fetch_to_write(block_array a, const key* ks, std::size_t n) noexcept {
    fetch_keys<1>{a, ks}(0, n);
  }

  // Lines that other cores may hold are fetched even if they fit the cache.
  static void insert_shared(block_array a, const key* ks, std::size_t n) noexcept {
    static_assert(block_shared_inserts.group <= deferred_ors::keys);
    deferred_ors todo;
    fetch_ahead<block_shared_inserts>(
        n, fetch_keys<1>{a, ks},
        [=, &todo](std::size_t first, std::size_t count) noexcept {
          for (std::size_t i = first; i < first + count; ++i)
            one::insert(a.data, a.blocks, ks + i, collect<Isa>{todo});
          todo.apply();
        });
  }

  struct fetch_keys_and_locks {
    block_array a;
    const key* ks;
    const stripe_locks<>& lines;
    BLOOMERY_INLINE void operator()(std::size_t first, std::size_t count) const noexcept {
      for (std::size_t i = first; i < first + count; ++i) {
        const std::uint64_t h = ks[i].bits();
        fetch<Layout, 1>(a.data, a.blocks, h);
        __builtin_prefetch(&lines.of(Layout::offset(h, a.blocks) / 64), 1);
      }
    }
  };
  static void insert_locked(block_array a, const key* ks, std::size_t n,
                            const stripe_locks<>& lines) noexcept {
    fetch_ahead<block_locked_inserts>(
        n, fetch_keys_and_locks{a, ks, lines},
        [=, &lines](std::size_t first, std::size_t count) noexcept {
          for (std::size_t i = first; i < first + count; ++i)
            one::insert(a.data, a.blocks, ks + i, block_probe::locked{lines});
        });
  }

  // Calls take(first, count) for each group, with its answers in place(first).
  template <class Place, class Take>
  BLOOMERY_INLINE static void by_group(block_array a, const key* ks, std::size_t n,
                                       Place place, Take take) noexcept {
    constexpr std::size_t ahead = block_lookups.ahead;
    std::size_t i = 0;
    if (!a.in_cache) {
      const fetch_keys<0> lines{a, ks};
      lines(0, std::min(n, ahead));
      for (; i + word_bits + ahead <= n; i += word_bits) {
        answer_and_fetch<Isa, Layout>(a.data, a.blocks, ks + i, place(i));
        take(i, word_bits);
      }
      if (i + ahead < n) lines(i + ahead, n - i - ahead);
    }
    for (; i < n; i += word_bits) {
      const std::size_t count = std::min(n - i, word_bits);
      answers<Isa>::template few<Layout>(a.data, a.blocks, ks + i, count, place(i));
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

  // Part of a set of filters, and the key to look up in them.
  struct question {
    const block_view* filters;
    std::size_t count;  // at most word_bits
    std::uint64_t h;
  };

  // The bits of the key are worked out once, for all filters.  While they are tested, the
  // lines of the next question are fetched, one for one: a burst of fetches would stall.
  template <bool ring>
  BLOOMERY_INLINE static std::uint64_t answer(const question& now,
                                              const question& next) noexcept {
    bool some[word_bits];
    const std::uint64_t g = Layout::choices == 2 ? block_probe::second(now.h) : 0;
    const auto m = Isa::template mask_of<block>(now.h);
    const auto m2 = Isa::template mask_of<block>(g);
    for (std::size_t f = 0; f < now.count; ++f) {
      if (ring && f < next.count)
        fetch<Layout>(next.filters[f].data, next.filters[f].blocks, next.h);
      const block_view& v = now.filters[f];
      bool hit = Isa::template test<block>(v.data + Layout::offset(now.h, v.blocks), m);
      if constexpr (Layout::choices == 2)
        hit &= Isa::template test<block>(v.data + Layout::offset(g, v.blocks), m2);
      some[f] = hit;
    }
    return answers<Isa>::pack(some, now.count);
  }

  // The first question is not fetched for: its lines do not depend on each other, so the
  // processor overlaps them by itself.
  static void query_set(const block_view* filters, std::size_t count, bool in_cache,
                        const key* ks, std::size_t n, std::uint64_t* out) noexcept {
    const std::size_t words = (count + word_bits - 1) / word_bits;
    const std::size_t steps = n * words;  // key by key, word by word
    const auto question_at = [&](std::size_t step) noexcept {
      const std::size_t from = step % words * word_bits;
      return question{filters + from, std::min(count - from, word_bits),
                      ks[step / words].bits()};
    };
    for (std::size_t s = 0; s < steps; ++s) {
      const question now = question_at(s);
      if (in_cache || s + 1 == steps)
        out[s] = answer<false>(now, now);
      else
        out[s] = answer<true>(now, question_at(s + 1));
    }
  }

  // Without a branch on the answer: of absent keys every filter is read anyway.
  static void query_any(const block_view* filters, std::size_t count, const key* ks,
                        std::size_t n, bool* out) noexcept {
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t h = ks[i].bits();
      const std::uint64_t g = Layout::choices == 2 ? block_probe::second(h) : 0;
      const auto m = Isa::template mask_of<block>(h);
      const auto m2 = Isa::template mask_of<block>(g);
      bool any = out[i];
      for (std::size_t f = 0; f < count; ++f) {
        const block_view& v = filters[f];
        bool hit = Isa::template test<block>(v.data + Layout::offset(h, v.blocks), m);
        if constexpr (Layout::choices == 2)
          hit &= Isa::template test<block>(v.data + Layout::offset(g, v.blocks), m2);
        any |= hit;
      }
      out[i] = any;
    }
  }

  static constexpr block_loops table{may_contain,       insert_one,     insert,
                                     insert_shared_one, insert_shared,  insert_locked_one,
                                     insert_locked,     fetch_to_write, query,
                                     query_integers,    query_bits,     query_set,
                                     query_any};
};

template <class Isa>
constexpr block_kernel kernel_of(const char* name) noexcept {
  return {name,
          {{},
           block_loops_of<Isa, block_probe::half_line>::table,
           block_loops_of<Isa, block_probe::line>::table,
           block_loops_of<Isa, block_probe::two_lines>::table,
           block_loops_of<Isa, block_probe::split>::table,
           block_loops_of<Isa, block_probe::lanes16>::table}};
}

extern const block_kernel block_portable;
extern const block_kernel block_avx2;
extern const block_kernel block_avx512;
extern const block_kernel block_neon;

}  // namespace bloomery::kernel
