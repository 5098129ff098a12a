// The loops of counting.hpp, written once over an instruction set `Isa`
// (counting_line.hpp).
//
// Each kernel's file includes this under its own target attributes.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/counting/line.hpp>
#include <bloomery/key.hpp>

#include "kernel/fetch_ahead.hpp"
#include "kind/counting/kernel/table.hpp"

namespace bloomery::kernel {

template <class Isa>
struct counting_loops_of {
  using one = cell_probe::one_line<Isa>;

  static bool may_contain(const std::byte* data, std::uint64_t blocks,
                          std::uint64_t h) noexcept {
    return one::may_contain(data, blocks, h);
  }
  static void insert_one(std::byte* data, std::uint64_t blocks,
                         std::uint64_t h) noexcept {
    one::insert(data, blocks, h);
  }
  static bool erase_one(std::byte* data, std::uint64_t blocks, std::uint64_t h) noexcept {
    return one::erase(data, blocks, h);
  }

  // Inlined always, as all that only fetches: fetch_ahead.hpp says why.
  struct fetch_lines {
    line_array a;
    const key* ks;
    BLOOMERY_INLINE void operator()(std::size_t first, std::size_t count) const noexcept {
      for (std::size_t i = first; i < first + count; ++i)
        __builtin_prefetch(a.data + one::offset(ks[i].bits(), a.blocks));
    }
  };
  // use(i) for all keys in order, with their lines on the way.
  template <fetch_plan plan, class Use>
  BLOOMERY_INLINE static void for_each(line_array a, const key* ks, std::size_t n,
                                       Use use) noexcept {
    const auto use_some = [=](std::size_t first, std::size_t count) noexcept {
      for (std::size_t i = first; i < first + count; ++i) use(i);
    };
    if (a.in_cache) return use_some(0, n);
    fetch_ahead<plan>(n, fetch_lines{a, ks}, use_some);
  }

  static void insert(line_array a, const key* ks, std::size_t n) noexcept {
    for_each<block_inserts>(
        a, ks, n, [=](std::size_t i) noexcept { one::insert(a.data, a.blocks, ks + i); });
  }
  static void erase(line_array a, const key* ks, std::size_t n, bool* out) noexcept {
    for_each<block_inserts>(a, ks, n, [=](std::size_t i) noexcept {
      out[i] = one::erase(a.data, a.blocks, ks + i);
    });
  }
  static void query(line_array a, const key* ks, std::size_t n, bool* out) noexcept {
    for_each<block_lookups>(a, ks, n, [=](std::size_t i) noexcept {
      out[i] = one::may_contain(a.data, a.blocks, ks + i);
    });
  }

  static constexpr counting_kernel table(const char* name) noexcept {
    return {name, may_contain, insert_one, erase_one, insert, erase, query};
  }
};

extern const counting_kernel counting_portable;
extern const counting_kernel counting_avx2;

}  // namespace bloomery::kernel
