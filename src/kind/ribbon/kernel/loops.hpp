// The loops of ribbon.hpp, written once over an instruction set `Isa`, which has
//   match<few>(window)  whether the equations of a key hold in its window; few: there
//                       are at most eight columns
//   solve_block(...)    as in ribbon_solve.hpp
//
// Each kernel's file includes this under its own target attributes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernel/fetch_ahead.hpp"
#include "kind/ribbon/kernel/last.hpp"
#include "kind/ribbon/kernel/probe.hpp"
#include "kind/ribbon/kernel/solve.hpp"
#include "kind/ribbon/kernel/table.hpp"

namespace bloomery::kernel {
namespace {

// The slots of a key in its two blocks; what the second block has no share of, is masked.
template <unsigned width>
struct ribbon_window {
  using coefficients = typename ribbon_coefficients<width>::type;
  const std::byte *first, *second;
  coefficients low, high;
  std::uint32_t fingerprint, columns;
};

template <unsigned width>
BLOOMERY_INLINE ribbon_window<width> window_of(const std::byte* data,
                                               const ribbon_place& p) noexcept {
  const auto row = row_of<width>(p.hash);
  const std::byte* const first = data + p.at;
  // A window of one block only reads no other: there may be none.
  const std::byte* const second =
      first + (std::size_t{width / 8} * p.columns & (std::size_t{p.shift == 0} - 1));
  return {first,
          second,
          static_cast<decltype(row.c)>(row.c << p.shift),
          static_cast<decltype(row.c)>((row.c >> 1) >> (width - 1 - p.shift)),
          row.fingerprint,
          p.columns};
}

// What instruction sets share.
struct any_ribbon {
  template <class... Arguments>
  BLOOMERY_INLINE static void solve_block(Arguments&&... arguments) noexcept {
    kernel::solve_block(arguments...);
  }
};

// The first layer, which takes nearly all keys, without what lookups do not need of it.
struct ribbon_first_layer {
  explicit ribbon_first_layer(const ribbon_layout& all, const std::byte* data) noexcept
      : layer(all.layer[0]), thresholds(data + all.thresholds_at), columns(all.columns) {}
  ribbon_layer layer;
  const std::byte* thresholds;
  std::uint32_t columns;
};

template <class Isa>
struct ribbon_loops_of {
  // few: at most eight columns.
  template <unsigned width, bool few>
  BLOOMERY_INLINE static bool match(const ribbon_layout& all, const std::byte* data,
                                    const ribbon_place& p) noexcept {
    if (p.columns == 0) [[unlikely]]
      return may_contain_last(all, data, p.hash);
    return Isa::template match<few>(window_of<width>(data, p));
  }
  // What the first layer passed on, one key in thirty.
  template <unsigned width>
  [[gnu::noinline]] static bool is_in_others(const ribbon_layout& all,
                                             const std::byte* data,
                                             std::uint64_t h) noexcept {
    return match<width, false>(all, data, find_place<width>(all, data, next_hash(h), 1));
  }
  template <unsigned width, bool few>
  BLOOMERY_INLINE static bool is_in(const ribbon_layout& all,
                                    const ribbon_first_layer& first,
                                    const std::byte* data, std::uint64_t h) noexcept {
    ribbon_place p;
    if (!is_taken<width>(first.layer, first.thresholds, first.columns, h, p)) [[unlikely]]
      return is_in_others<width>(all, data, h);
    return Isa::template match<few>(window_of<width>(data, p));
  }

  // use(width, few) as constants.
  template <class Use>
  BLOOMERY_INLINE static auto with_shape(const ribbon_layout& all, Use use) noexcept {
    if (all.columns <= 8)
      return all.width == 64 ? use.template operator()<64, true>()
                             : use.template operator()<128, true>();
    return all.width == 64 ? use.template operator()<64, false>()
                           : use.template operator()<128, false>();
  }

  template <unsigned width, bool few>
  static bool one(const ribbon_layout& all, const std::byte* data,
                  std::uint64_t h) noexcept {
    ribbon_place p;
    if (!is_taken<width>(all.layer[0], data + all.thresholds_at, all.columns, h, p))
        [[unlikely]]
      return is_in_others<width>(all, data, h);
    return Isa::template match<few>(window_of<width>(data, p));
  }

  // Two blocks, one after the other: as block_lookups, for twice as many lines.
  static constexpr fetch_plan plan{.group = 8, .ahead = 24};
  static constexpr std::size_t room = 32;

  template <unsigned width, bool few>
  [[gnu::noinline]] static void query_far(const ribbon_layout& all, const std::byte* data,
                                          const key* ks, std::size_t n,
                                          bool* out) noexcept {
    const ribbon_first_layer layer(all, data);
    std::array<ribbon_place, room> places;
    fetch_ahead<plan>(
        n,
        [&](std::size_t first, std::size_t count) noexcept {
          for (std::size_t i = first; i < first + count; ++i) {
            const std::uint64_t h = ks[i].bits();
            ribbon_place p;
            if (!is_taken<width>(layer.layer, layer.thresholds, layer.columns, h, p))
                [[unlikely]]
              p = find_place<width>(all, data, next_hash(h), 1);
            places[i % room] = p;
            const std::byte* const at = data + p.at;
            const std::size_t bytes = std::size_t{2} * (width / 8) * p.columns;
            __builtin_prefetch(at);
            for (std::size_t line = 64; line < bytes; line += 64)
              __builtin_prefetch(at + line);
          }
        },
        [&](std::size_t first, std::size_t count) noexcept {
          for (std::size_t i = first; i < first + count; ++i)
            out[i] = match<width, few>(all, data, places[i % room]);
        });
  }
  // In the cache, keys need not wait for each other's lines.
  template <unsigned width, bool few>
  [[gnu::noinline]] static void query_near(const ribbon_layout& all,
                                           const std::byte* data, const key* ks,
                                           std::size_t n, bool* out) noexcept {
    const ribbon_first_layer first(all, data);
    for (std::size_t i = 0; i < n; ++i)
      out[i] = is_in<width, few>(all, first, data, ks[i].bits());
  }
  static void query(const ribbon_layout& all, const std::byte* data, const key* ks,
                    std::size_t n, bool* out, bool far) noexcept {
    if (all.layers == 0) {
      for (std::size_t i = 0; i < n; ++i)
        out[i] = may_contain_last(all, data, ks[i].bits());
      return;
    }
    with_shape(all, [&]<unsigned width, bool few>() noexcept {
      far ? query_far<width, few>(all, data, ks, n, out)
          : query_near<width, few>(all, data, ks, n, out);
    });
  }

  template <unsigned width>
  static void solve(std::span<const ribbon_segment> some, std::size_t* passed) noexcept {
    using filler = ribbon_filler<width>;
    using coefficients = typename filler::coefficients;
    std::array<filler, max_together> fillers;
    std::array<filler*, max_together> busy;
    std::array<ribbon_rows<coefficients>, max_together> rows;
    for (std::size_t i = 0; i < some.size(); ++i) {
      const ribbon_segment& s = some[i];
      const ribbon_layer& l = s.all->layer[s.layer];
      const auto slots = static_cast<std::size_t>(l.segment_slots);
      std::memset(s.rows, 0, slots * (sizeof(coefficients) + 4));
      rows[i] = {reinterpret_cast<coefficients*>(s.rows),
                 reinterpret_cast<std::uint32_t*>(s.rows + slots * sizeof(coefficients))};
      const auto mask =
          static_cast<std::uint32_t>((std::uint64_t{1} << s.all->columns) - 1);
      fillers[i] = filler(l, s.ks, mask, rows[i], s.thresholds, s.passed_on);
      busy[i] = &fillers[i];
    }
    fill(busy, some.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
      const ribbon_segment& s = some[i];
      const ribbon_layer& l = s.all->layer[s.layer];
      passed[i] = fillers[i].passed();
      solve_segment<Isa, width>(l, s.number * (l.segment_slots / width), s.all->columns,
                                rows[i], s.data);
    }
  }
  template <unsigned width>
  static void fill(std::array<ribbon_filler<width>*, max_together>& busy,
                   std::size_t n) noexcept {
    // A segment without keys is done already.
    for (std::size_t i = 0; i < n;)
      if (busy[i]->is_done())
        busy[i] = busy[--n];
      else
        ++i;
    static_assert(max_together == 4);
    if (n == 4) fill_together<width, 4>(busy.data());
    if (n == 3) fill_together<width, 3>(busy.data());
    if (n == 2) fill_together<width, 2>(busy.data());
    if (n == 1) fill_together<width, 1>(busy.data());
  }
  static void solve(std::span<const ribbon_segment> some, std::size_t* passed) noexcept {
    if (some.empty()) return;
    if (some.front().all->width == 64)
      solve<64>(some, passed);
    else
      solve<128>(some, passed);
  }

  static constexpr ribbon_kernel table(
      const char* name, decltype(ribbon_kernel::query) many = query,
      ribbon_probe::may_contain_call few = one<64, true>,
      ribbon_probe::may_contain_call whole = one<64, true>) noexcept {
    return {
        name,
        {may_contain_last, few, one<64, false>, one<128, true>, one<128, false>, whole},
        many,
        solve};
  }
};

}  // namespace

extern const ribbon_kernel ribbon_portable, ribbon_avx2, ribbon_avx512, ribbon_neon;

}  // namespace bloomery::kernel
