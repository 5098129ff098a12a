// Lookups of many keys in the slots of a fuse or xor filter.  No state, no allocation, no
// errors; the answers are those of slot_table::has.
//
// There are no vector instructions here: the 64-bit multiplications that mix a key have
// none before AVX-512, and three loads at random take most of the time.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include <bloomery/detail/probe/slot_table.hpp>
#include <bloomery/key.hpp>

#include "kernel/fetch_ahead.hpp"

namespace bloomery::kernel {

// Three or four lines for each key (fetch_ahead.hpp).
inline constexpr fetch_plan slot_lookups{.group = 8, .ahead = 16};

// `far`: the slots are not in a near cache.  Near, out-of-order execution overlaps as
// many loads as fetching ahead would.  The table is a copy: the stores of answers cannot
// then force its members to be loaded again.
template <class Table>
void query(Table t, std::span<const key> ks, bool* out, bool far) noexcept {
  if (!far) {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = t.has(ks[i]);
    return;
  }
  constexpr std::size_t room = 32;
  static_assert(slot_lookups.group + slot_lookups.ahead <= room);
  std::array<typename Table::place, room> places;
  fetch_ahead<slot_lookups>(
      ks.size(),
      [&](std::size_t first, std::size_t count) noexcept {
        for (std::size_t i = first; i < first + count; ++i) {
          places[i % room] = t.start(ks[i]);
          t.fetch(places[i % room]);
        }
      },
      [&](std::size_t first, std::size_t count) noexcept {
        for (std::size_t i = first; i < first + count; ++i)
          out[i] = t.matches(places[i % room]);
      });
}

}  // namespace bloomery::kernel
