// Counters of a counting filter as several threads add to them and take from them.
//
//   add    wait-free: a load, and one locked add unless the cell is stuck.  Between the
//          two others may add, so a cell may go beyond the sticky value, by one for each
//          of them.
//   take   lock-free: by compare-exchange, so that a cell that got stuck meanwhile
//          stays as it is, and none falls below 0.  A subtraction without a look would
//          undercount: from 1, with the sticky value 2, {take} beside {add, add} can end
//          at 1 where two keys are in.
//
// The writer bound.  Only threads whose number is below sticky - 1 add in this way: 7
// with cells of 4 bits, 127 with 8.  Threads with larger numbers add by compare-exchange,
// which never goes beyond the sticky value: lock-free.  Each number adds at most one too
// many: its thread sees what it did by the result of its own add, and so does the next
// thread with that number (thread_numbers.hpp).  So no cell exceeds sticky + (sticky -
// 1), its largest value, and none overflows into its neighbour.  (One more would be safe
// if nobody used compare-exchange to reach the sticky value; the checker finds the
// overflow.)
//
// All relaxed: who knows of an add reads the cell no older (read-read coherence), and
// later values contain it, because all changes are read-modify-writes.
// Proof: tests/interleave runs this code over every interleaving of small programs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/words.hpp>
#include <bloomery/detail/sync/platform.hpp>

namespace bloomery::inline v1 {

// Cells: cell_words<bits>.  Words: atomic_words, or those of a checker.
template <class Cells, class Words, class Platform = this_platform>
class shared_cells {
 public:
  explicit shared_cells(const Words& all) noexcept : words_(all) {}

  // Whether this thread may add without compare-exchange.
  static bool is_within_bound() noexcept {
    return Platform::thread_number() + 1 < Cells::sticky;
  }

  std::uint64_t get(std::uint64_t cell) const noexcept {
    return value(words_.load(word_of(cell), std::memory_order_relaxed), cell);
  }

  void add(std::uint64_t cell, bool within_bound) const noexcept {
    std::uint64_t seen = words_.load(word_of(cell), std::memory_order_relaxed);
    if (within_bound) {
      if (const std::uint64_t step = Cells::step(seen, Cells::shift(cell)); step != 0)
        words_.fetch_add(word_of(cell), step);
      return;
    }
    while (const std::uint64_t step = Cells::step(seen, Cells::shift(cell)))
      if (words_.compare_exchange(word_of(cell), seen, seen + step)) return;
  }

  // False: it is 0.
  bool take(std::uint64_t cell) const noexcept {
    std::uint64_t seen = words_.load(word_of(cell), std::memory_order_relaxed);
    while (value(seen, cell) != 0) {
      const std::uint64_t step = Cells::step(seen, Cells::shift(cell));
      if (step == 0 || words_.compare_exchange(word_of(cell), seen, seen - step))
        return true;
    }
    return false;
  }

  // --- the cells of a key: a range of numbers ---
  template <class KeyCells>
  void insert(const KeyCells& cells) const noexcept {
    const bool within_bound = is_within_bound();
    for (const std::uint64_t c : cells) add(c, within_bound);
  }
  // False: a cell is 0, and nothing has changed.  If each erase is of a key that was
  // inserted, no cell becomes 0 between the two loops: that happens when a key is erased
  // more often than it was inserted, and what was taken is then given back.
  template <class KeyCells>
  bool erase(const KeyCells& cells) const noexcept {
    for (const std::uint64_t c : cells)
      if (get(c) == 0) return false;
    for (auto c = cells.begin(); c != cells.end(); ++c) {
      if (take(*c)) continue;
      for (auto back = cells.begin(); back != c; ++back) add(*back, false);
      return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t word_of(std::uint64_t cell) noexcept {
    return static_cast<std::size_t>(cell / Cells::per_word);
  }
  static constexpr std::uint64_t value(std::uint64_t word, std::uint64_t cell) noexcept {
    return word >> Cells::shift(cell) & Cells::cell_mask;
  }

  const Words& words_;
};

}  // namespace bloomery::inline v1
