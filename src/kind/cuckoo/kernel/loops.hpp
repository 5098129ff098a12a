// Inserts, erases and lookups in the buckets of a cuckoo filter, one by one and in
// batches. No state, no allocation, no errors.  Batches do exactly what the one-key calls
// do, in the order of the keys.
//
// Table: cuckoo_table, over tags of a width that is known when this is compiled, or not.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include <bloomery/detail/kind/cuckoo/search.hpp>
#include <bloomery/detail/kind/cuckoo/table.hpp>
#include <bloomery/key.hpp>

#include "kernel/fetch_ahead.hpp"

namespace bloomery::kernel {

using cuckoo_place = cuckoo_probe::place;

// Two lines for each key (fetch_ahead.hpp).
inline constexpr fetch_plan cuckoo_lookups{.group = 16, .ahead = 32};
// Keys whose buckets are read before the first of them is inserted or erased.
inline constexpr std::size_t cuckoo_changes = 16;

enum class cuckoo_outcome : std::uint8_t { done, full, too_many_copies };

struct any_bucket {
  constexpr bool operator()(std::uint64_t) const noexcept { return true; }
};

// Where a tag of a full bucket may be moved to, for each: use(i, bucket).
template <class Table, class Use>
BLOOMERY_INLINE void for_each_move(const Table& t, const cuckoo_place& p,
                                   typename Table::word a, typename Table::word b,
                                   Use use) noexcept {
  const unsigned f = t.tags().bits();
  for (unsigned i = 0; i < cuckoo_probe::slots; ++i)
    use(i, t.probe().other(p.first, t.tags().get(a, i * f)));
  for (unsigned i = 0; i < cuckoo_probe::slots; ++i)
    use(cuckoo_probe::slots + i, t.probe().other(p.second, t.tags().get(b, i * f)));
}

// The search below up to three moves (of 8 million keys up to 94 % load, one needed
// more), without looking whether a bucket was read before.  So the buckets are a heap,
// the children of i from 2 + 4 i, and eight of them are read together: one branch is
// predicted wrong instead of one for each.
//
// It finds the same moves: they lead to the first bucket with room in this order.  One
// that was read before is full, and its children come first where it did.  The bound on
// what the search keeps is far away: these are 170 buckets.
template <class Table>
class cuckoo_heap {
  using word = typename Table::word;
  static constexpr unsigned slots = cuckoo_probe::slots, at_once = 2 * slots;
  static constexpr unsigned parents = 2 + 8 + 32;

 public:
  // REQUIRES: the buckets of p are full, a and b
  BLOOMERY_INLINE cuckoo_heap(const Table& t, const cuckoo_place& p, word a,
                              word b) noexcept
      : t_(t), tag_(p.tag) {
    bucket_[0] = p.first, word_[0] = a;
    bucket_[1] = p.second, word_[1] = b;
  }

  // Whether the key is in.  If not, nothing was changed.
  BLOOMERY_INLINE bool insert() noexcept {
    if (const unsigned room = read_children(0); room != 0) {
      move_to(2 + first(room));
      return true;
    }
    for (unsigned at = 2; at < parents; at += 2)
      if (const unsigned room = read_children(at); room != 0) {
        move_to(child(at) + first(room));
        return true;
      }
    return false;
  }

 private:
  static constexpr unsigned child(unsigned i) noexcept { return 2 + slots * i; }
  static constexpr unsigned parent(unsigned i) noexcept { return (i - 2) / slots; }
  BLOOMERY_INLINE static unsigned first(unsigned set) noexcept {
    return static_cast<unsigned>(__builtin_ctz(set));
  }

  // Reads two buckets; sets a bit for each child that has room.
  BLOOMERY_INLINE unsigned read_children(unsigned at) noexcept {
    unsigned room = 0;
    for (unsigned k = 0; k < at_once; ++k) {
      const unsigned i = child(at) + k;
      bucket_[i] = t_.probe().other(bucket_[at + k / slots], moved(i, at + k / slots));
      word_[i] = t_.load(bucket_[i]);
      room |= unsigned{!t_.tags().is_full(word_[i])} << k;
    }
    return room;
  }

  BLOOMERY_INLINE unsigned slot_before(unsigned i) const noexcept {
    return (i - 2) % slots * t_.tags().bits();
  }
  // The tag that moves from a parent to a child.
  BLOOMERY_INLINE std::uint32_t moved(unsigned i, unsigned parent) const noexcept {
    return t_.tags().get(word_[parent], slot_before(i));
  }
  // Each tag is in its new place before its old one is written over.
  BLOOMERY_INLINE void move_to(unsigned i) noexcept {
    std::uint32_t tag = moved(i, parent(i));
    t_.flip(bucket_[i], t_.tags().first_empty(word_[i]), tag);
    for (; parent(i) >= 2; i = parent(i)) {
      const unsigned from = parent(i);
      const std::uint32_t next = moved(from, parent(from));
      t_.flip(bucket_[from], slot_before(i), tag ^ next);
      tag = next;
    }
    t_.flip(bucket_[parent(i)], slot_before(i), tag ^ tag_);
  }

  const Table& t_;
  const std::uint32_t tag_;
  std::array<std::uint64_t, child(parents)> bucket_;
  std::array<word, child(parents)> word_;
};

// Where both buckets are full: moves tags to make room, or changes nothing.  Usable:
// buckets that may be touched.  The place comes in registers: a struct that was stored in
// parts would be read as a whole, and wait for the stores.
template <class Table, class Usable = any_bucket>
[[gnu::noinline]] cuckoo_outcome insert_by_moving(const Table& t, std::uint64_t first,
                                                  std::uint64_t second, std::uint32_t tag,
                                                  Usable usable = {}) noexcept {
  const cuckoo_place p{first, second, tag};
  const auto tags = t.tags();
  using word = typename Table::word;
  const word a = t.load(first), b = t.load(second);
  if (tags.fills(a, b, tag)) return cuckoo_outcome::too_many_copies;
  if constexpr (std::is_same_v<Usable, any_bucket>)
    if (cuckoo_heap<Table>(t, p, a, b).insert()) return cuckoo_outcome::done;
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
  t.store(bucket, slot, tag);
  return cuckoo_outcome::done;
}

// Into the bucket whose first empty slot comes first: mostly the emptier one, which keeps
// both from filling up, and costs no count.  False if both are full.
template <class Table>
BLOOMERY_INLINE bool insert_at_once(const Table& t, const cuckoo_place& p) noexcept {
  const auto& tags = t.tags();
  const unsigned a = tags.first_empty(t.load(p.first)),
                 b = tags.first_empty(t.load(p.second));
  const unsigned slot = std::min(a, b);
  if (slot >= 4 * tags.bits()) [[unlikely]]
    return false;
  t.flip(words::select(b < a, p.first, p.second), slot, p.tag);
  return true;
}
template <class Table, class Usable = any_bucket>
BLOOMERY_INLINE cuckoo_outcome insert(const Table& t, const cuckoo_place& p,
                                      Usable usable = {}) noexcept {
  if (insert_at_once(t, p)) [[likely]]
    return cuckoo_outcome::done;
  return insert_by_moving(t, p.first, p.second, p.tag, usable);
}

// Whether there was one.
template <class Table>
BLOOMERY_INLINE bool erase(const Table& t, const cuckoo_place& p) noexcept {
  const auto& tags = t.tags();
  const auto a = tags.equal(t.load(p.first), p.tag),
             b = tags.equal(t.load(p.second), p.tag);
  if ((a | b) == 0) return false;
  const bool second = a == 0;
  t.flip(words::select(second, p.first, p.second),
         tags.first(words::select(second, a, b)), p.tag);
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

// The same for calls that change the buckets: read for some keys, before the first of
// them is used.  By loads: on a Zen 3 fetches take 6 ns more of each key in the caches.
// next(places): for each group, after that.
template <class Table, class Next, class Use>
BLOOMERY_INLINE std::size_t change_each(const Table& t, std::span<const key> ks,
                                        Next next, Use use) noexcept {
  std::array<cuckoo_place, cuckoo_changes> places;
  for (std::size_t first = 0; first < ks.size(); first += cuckoo_changes) {
    const std::size_t n = std::min(cuckoo_changes, ks.size() - first);
    for (std::size_t i = 0; i < n; ++i) {
      places[i] = t.start(ks[first + i]);
      t.touch(places[i].first);
      t.touch(places[i].second);
    }
    next(std::span<const cuckoo_place>(places).first(n));
    for (std::size_t i = 0; i < n; ++i)
      if (!use(first + i, places[i])) return first + i;
  }
  return ks.size();
}

// All keys in order, up to the first that is refused; how many are in.
template <class Table>
std::size_t insert_each(const Table& t, std::span<const key> ks) noexcept {
  const auto& tags = t.tags();
  bool crowded = false;  // a key of the last group found no room at once
  return change_each(
      t, ks,
      [&](std::span<const cuckoo_place> places) noexcept {
        if (!std::exchange(crowded, false)) return;
        std::array<cuckoo_place, cuckoo_changes> full;
        std::size_t n = 0;
        for (const cuckoo_place& p : places) {
          full[n] = p;  // A branch would be predicted wrong.
          const std::size_t first = tags.is_full(t.load(p.first));
          const std::size_t second = tags.is_full(t.load(p.second));
          n += first & second;
        }
        for (const cuckoo_place& p : std::span(full).first(n))
          for_each_move(
              t, p, t.load(p.first), t.load(p.second),
              [&](unsigned, std::uint64_t bucket) noexcept { t.touch(bucket); });
      },
      [&](std::size_t, const cuckoo_place& p) noexcept {
        if (insert_at_once(t, p)) return true;
        crowded = true;
        return insert_by_moving(t, p.first, p.second, p.tag) == cuckoo_outcome::done;
      });
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
