// Inserts, erases and lookups in the buckets of a cuckoo filter, one by one and in
// batches. No state, no allocation, no errors.  Batches do exactly what the one-key calls
// do, in the order of the keys.
//
// Table: cuckoo_table, over tags of a width that is known when this is compiled, or not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/probe/cuckoo_search.hpp>
#include <bloomery/detail/probe/cuckoo_table.hpp>
#include <bloomery/key.hpp>

#include "kernel/fetch_ahead.hpp"

namespace bloomery::kernel {

using cuckoo_place = cuckoo_probe::place;

// Two lines for each key (fetch_ahead.hpp).
inline constexpr fetch_plan cuckoo_lookups{.group = 16, .ahead = 32};
inline constexpr fetch_plan cuckoo_changes{.group = 16, .ahead = 32};

enum class cuckoo_outcome : std::uint8_t { done, full, too_many_copies };

struct any_bucket {
  constexpr bool operator()(std::uint64_t) const noexcept { return true; }
};

// Moves tags to make room, or changes nothing.  Usable: buckets that may be touched.
template <class Table, class Usable>
[[gnu::noinline]] cuckoo_outcome insert_by_moving(Table t, cuckoo_place p,
                                                  Usable usable) noexcept {
  const auto tags = t.tags();
  using word = typename Table::word;
  const word a = t.load(p.first), b = t.load(p.second);
  if (tags.equal(a, p.tag) == tags.highs() && tags.equal(b, p.tag) == tags.highs())
    return cuckoo_outcome::too_many_copies;
  cuckoo_search<typename Table::width> search;
  const auto read = [&](std::uint64_t bucket, word& to) noexcept {
    if (!usable(bucket)) return false;
    to = t.load(bucket);
    return true;
  };
  if (!search.find(t.probe(), tags, p, a, b, read)) return cuckoo_outcome::full;
  // Each tag is in its new place before its old one is written over.
  unsigned slot = tags.first(tags.empty(search.end_word()));
  std::uint64_t bucket = 0;
  search.for_each_move([&](const auto& m) noexcept {
    t.store(m.to, slot, m.tag);
    slot = m.slot;
    bucket = m.from;
  });
  t.store(bucket, slot, p.tag);
  return cuckoo_outcome::done;
}

// Into the bucket whose first empty slot comes first: mostly the emptier one, which keeps
// both from filling up, and costs no count.
template <class Table, class Usable = any_bucket>
BLOOMERY_INLINE cuckoo_outcome insert(const Table& t, const cuckoo_place& p,
                                      Usable usable = {}) noexcept {
  const auto& tags = t.tags();
  using word = typename Table::word;
  const word a = tags.empty(t.load(p.first)), b = tags.empty(t.load(p.second));
  if ((a | b) == 0) [[unlikely]]
    return insert_by_moving(t, p, usable);
  // The bits below the lowest set one; all of them if there is none.
  const word below_a = ~a & (a - 1), below_b = ~b & (b - 1);
  const bool second = below_b < below_a;
  t.store(second ? p.second : p.first, tags.first(second ? b : a), p.tag);
  return cuckoo_outcome::done;
}

// Whether there was one.
template <class Table>
BLOOMERY_INLINE bool erase(const Table& t, const cuckoo_place& p) noexcept {
  const auto& tags = t.tags();
  const auto a = tags.equal(t.load(p.first), p.tag),
             b = tags.equal(t.load(p.second), p.tag);
  if ((a | b) == 0) return false;
  t.store(a != 0 ? p.first : p.second, tags.first(a != 0 ? a : b), 0);
  return true;
}

template <class Table>
unsigned count(const Table& t, const cuckoo_place& p) noexcept {
  const auto& tags = t.tags();
  return tags.size(tags.equal(t.load(p.first), p.tag)) +
         tags.size(tags.equal(t.load(p.second), p.tag));
}

// use(i, place) for every key, in order, with its lines on the way; until it is false.
// Returns how many were used.
template <fetch_plan plan, class Table, class Use>
BLOOMERY_INLINE std::size_t for_each_place(const Table& t, std::span<const key> ks,
                                           Use use) noexcept {
  // Where the keys are that were fetched and not used yet.
  constexpr std::size_t room = 64;
  static_assert(plan.group + plan.ahead <= room);
  std::array<cuckoo_place, room> places;
  std::size_t done = 0;
  bool go_on = true;
  fetch_ahead<plan>(
      ks.size(),
      [&](std::size_t first, std::size_t count) noexcept {
        for (std::size_t i = first; i < first + count; ++i) {
          const cuckoo_place p = t.start(ks[i]);
          t.fetch(p.first);
          t.fetch(p.second);
          places[i % room] = p;
        }
      },
      [&](std::size_t first, std::size_t count) noexcept {
        for (std::size_t i = first; go_on && i < first + count; ++i) {
          go_on = use(i, places[i % room]);
          done += go_on;
        }
      });
  return done;
}

// Near, out-of-order execution overlaps as many loads as a ring would, which costs more
// than it saves; far, two lines per key are fetched ahead.
template <class Table>
void query(const Table& t, std::span<const key> ks, bool* out, bool far) noexcept {
  if (!far) {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = t.has(ks[i]);
    return;
  }
  for_each_place<cuckoo_lookups>(t, ks,
                                 [&](std::size_t i, const cuckoo_place& p) noexcept {
                                   out[i] = t.has(p);
                                   return true;
                                 });
}

}  // namespace bloomery::kernel
