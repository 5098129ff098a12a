// The loops of stable.hpp, written once over an instruction set `Isa`, which has
//   reach                          bytes that it reads and writes at once
//   decrease<Cells>(p, head, end)  every cell in the bits head .. end - 1 from p on that
//                                  is not 0 becomes 1 less.  Bytes up to the next
//                                  multiple of `reach` are read and written as they are
//
// A run begins at its first byte and not at a word: whether it ends in the same word as
// it begins is a branch that no processor can predict, and costs as much as the rest.
//
// Each kernel's file includes this under its own target attributes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernel/fetch_ahead.hpp"
#include "kind/stable/kernel/probe.hpp"
#include "kind/stable/kernel/table.hpp"

namespace bloomery::kernel {

template <class Isa>
struct stable_loops_of {
  // Word by word, near the end of the array: cells first .. last, both included.
  template <class Cells>
  static void decrease_slowly(std::byte* data, std::uint64_t first,
                              std::uint64_t last) noexcept {
    std::byte* place = data + Cells::offset(first);
    std::byte* const to = data + Cells::offset(last);
    std::uint64_t chosen = ~std::uint64_t{0} << Cells::shift(first);
    const std::uint64_t tail =
        ~std::uint64_t{0} >> (64 - Cells::width - Cells::shift(last));
    for (; place != to; place += 8, chosen = ~std::uint64_t{0})
      Cells::decrease(place, chosen);
    Cells::decrease(to, chosen & tail);
  }

  template <class Cells>
  BLOOMERY_INLINE static void decrease(std::byte* data, std::uint64_t cells,
                                       stable_probe::decreased_run run) noexcept {
    if (run.steps == 0) return;
    const std::uint64_t first = run.start * Cells::width;
    const std::uint64_t end = first % 8 + run.steps * Cells::width;
    const std::uint64_t reached = first / 8 + (end / (8 * Isa::reach) + 1) * Isa::reach;
    if (reached <= cells * Cells::width / 8) [[likely]]
      return Isa::template decrease<Cells>(data + first / 8,
                                           static_cast<unsigned>(first % 8), end);
    const std::uint64_t before_end = std::min(run.steps, cells - run.start);
    decrease_slowly<Cells>(data, run.start, run.start + before_end - 1);
    if (before_end < run.steps)
      decrease_slowly<Cells>(data, 0, run.steps - before_end - 1);
  }

  template <class Cells>
  BLOOMERY_INLINE static void insert_one(std::byte* data, const stable_shape& s,
                                         stable_probe::decreased_run run,
                                         key k) noexcept {
    decrease<Cells>(data, s.cells, run);
    auto walk = stable_probe::walk_probe<Cells>(s.cells).start(k);
    for (std::uint32_t n = s.hashes; n != 0; --n, walk.advance(s.cells)) {
      std::byte* const place = data + walk.word();
      const unsigned at = walk.at & 63;
      const auto word = words::load_le<std::uint64_t>(place);
      words::store(place, words::as_little_endian((word & ~(Cells::cell_mask << at)) |
                                                  std::uint64_t{s.max} << at));
    }
  }

  // All lines of some inserts, those that are decreased too.  Inlined always, as all that
  // only fetches: fetch_ahead.hpp says why.
  template <class Cells>
  struct fetch_lines {
    const stable_array& a;
    const key* ks;
    BLOOMERY_INLINE void operator()(std::size_t first, std::size_t count) const noexcept {
      for (std::size_t i = first; i < first + count; ++i) {
        const auto run = stable_probe::run_of(a.shape, a.seed, a.inserts + i);
        const std::byte* const from = a.data + run.start * Cells::width / 8;
        __builtin_prefetch(from);
        if (run.steps * Cells::width > 256) __builtin_prefetch(from + 64);
        auto walk = stable_probe::walk_probe<Cells>(a.shape.cells).start(ks[i]);
        for (std::uint32_t n = a.shape.hashes; n != 0; --n, walk.advance(a.shape.cells))
          __builtin_prefetch(a.data + (walk.at >> 3));
      }
    }
  };

  // before(i, key), then the insert, for all keys in order.
  template <class Cells, class Before>
  BLOOMERY_INLINE static void for_each(const stable_array& array, const key* ks,
                                       std::size_t n, Before before) noexcept {
    const stable_array a = array;  // stores cannot alias it: no reloads
    const auto use_some = [&](std::size_t first, std::size_t count) noexcept {
      for (std::size_t i = first; i < first + count; ++i) {
        before(i, ks[i]);
        insert_one<Cells>(a.data, a.shape,
                          stable_probe::run_of(a.shape, a.seed, a.inserts + i), ks[i]);
      }
    };
    if (a.in_cache || n == 1) return use_some(0, n);
    fetch_ahead<bit_inserts>(n, fetch_lines<Cells>{a, ks}, use_some);
  }

  static void insert(const stable_array& a, const key* ks, std::size_t n) noexcept {
    stable_probe::with_width(a.shape.cell_bits, [&]<class Cells>(Cells) noexcept {
      for_each<Cells>(a, ks, n, [](std::size_t, key) noexcept {});
    });
  }
  static void insert_if_absent(const stable_array& a, const key* ks, std::size_t n,
                               bool* absent) noexcept {
    stable_probe::with_width(a.shape.cell_bits, [&]<class Cells>(Cells) noexcept {
      for_each<Cells>(a, ks, n, [&](std::size_t i, key k) noexcept {
        absent[i] =
            !all_set(a.data, stable_probe::walk_probe<Cells>(a.shape.cells).start(k),
                     a.shape.hashes, a.shape.cells);
      });
    });
  }

  static constexpr stable_kernel table(const char* name) noexcept {
    return {name, insert, insert_if_absent};
  }
};

extern const stable_kernel stable_portable;
extern const stable_kernel stable_avx2;

}  // namespace bloomery::kernel
