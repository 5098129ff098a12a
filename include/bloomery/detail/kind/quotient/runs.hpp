// Where the run of a quotient lies, and what is in it (spec/filters.md, 15.5).
//
// Words: how the 64-bit words of a filter are read, and which may be:
//   word(i)           word i of the payload
//   can_read(block)   before words of the block are read; false: they are damaged
//   can_read_offset(block)
// Select: bit_at(word, n), the position of the n-th bit that is 1, from 0.
//
// Nothing here trusts the words: whatever they are, every call ends, reads no word beyond
// the payload, and where they contradict each other the run is `unknown`, which means
// "possibly present".  A lookup also reads max_blocks blocks at the most, and runs of
// max_run slots: a file that was made to be slow costs tens of microseconds per lookup.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include <bloomery/detail/kind/quotient/probe.hpp>
#include <bloomery/detail/probe/words.hpp>

namespace bloomery::inline v1 {

enum class run_state : std::uint8_t { none, found, unknown };

struct quotient_run {
  run_state state = run_state::none;
  std::uint64_t first = 0, last = 0;  // slots; if there is none, first: where it would be
  std::uint64_t from = 0;             // the first block that was needed to find it
};

// Remainders side by side that are equal, or a counter.
struct quotient_group {
  std::uint64_t remainder = 0;
  std::uint64_t count = 0;
  std::uint64_t end = 0;  // the slot after its last
};

template <class Words, class Select>
class quotient_runs {
 public:
  static constexpr unsigned saturated = 255;
  // What a lookup goes through (15.5).  Runs of keys whose hashes are uniform come
  // nowhere near, at any load that a filter is sized for.
  static constexpr std::uint64_t max_blocks = 4096, max_run = 1024;

  quotient_runs(const quotient_layout& layout, Words words) noexcept
      : layout_(layout), words_(words) {}

  const quotient_layout& layout() const noexcept { return layout_; }
  const Words& memory() const noexcept { return words_; }

  BLOOMERY_INLINE std::uint64_t occupieds(std::uint64_t b) const noexcept {
    return words_.word(b * layout_.block_words());
  }
  BLOOMERY_INLINE std::uint64_t runends(std::uint64_t b) const noexcept {
    return words_.word(b * layout_.block_words() + 1);
  }
  BLOOMERY_INLINE unsigned offset(std::uint64_t b) const noexcept {
    return static_cast<unsigned>(words_.word(layout_.offsets_at() + b / 8) >>
                                 (8 * (b % 8))) &
           0xff;
  }
  std::uint64_t value(std::uint64_t slot) const noexcept {
    const std::uint64_t at = slot / 64 * layout_.block_words() + 2;
    std::uint64_t v = 0;
    for (unsigned j = 0; j < layout_.remainder_bits; ++j)
      v |= (words_.word(at + j) >> (slot % 64) & 1) << j;
    return v;
  }

  // Slots of the block that hold `x`, as bits.
  BLOOMERY_INLINE std::uint64_t equal(std::uint64_t b, std::uint64_t x) const noexcept {
    const std::uint64_t at = b * layout_.block_words() + 2;
    std::uint64_t differ = 0;
    for (unsigned j = 0; j < layout_.remainder_bits; ++j)
      differ |= words_.word(at + j) ^ (0 - (x >> j & 1));
    return ~differ;
  }

  // The n-th slot from `from` on that ends a run, n >= 1; false if there is none before
  // the block `end`.
  BLOOMERY_INLINE bool nth_end(std::uint64_t from, unsigned n, std::uint64_t& slot,
                               std::uint64_t end) const noexcept {
    std::uint64_t b = from / 64;
    std::uint64_t ends = ~std::uint64_t{0} << (from % 64);
    for (; b < end; ++b) {
      if (!words_.can_read(b)) return false;
      ends &= runends(b);
      const auto here = static_cast<unsigned>(std::popcount(ends));
      if (n <= here) {
        slot = 64 * b + Select::bit_at(ends, n - 1);
        return true;
      }
      n -= here;
      ends = ~std::uint64_t{0};
    }
    return false;
  }

  BLOOMERY_INLINE bool nth_end(std::uint64_t from, unsigned n,
                               std::uint64_t& slot) const noexcept {
    return nth_end(from, n, slot, layout_.blocks);
  }

  // The first slot, not before the block, that runs of earlier blocks do not use.
  // `from`: the first block that was needed for it.  Near: as a lookup goes.
  template <bool Near = false>
  BLOOMERY_INLINE bool first_free(std::uint64_t b, std::uint64_t& slot,
                                  std::uint64_t& from) const noexcept {
    from = b;
    if (b == 0) {
      slot = 0;
      return true;
    }
    if (!words_.can_read_offset(b)) return false;
    const unsigned distance = offset(b);
    slot = 64 * b + distance;
    if (distance != saturated) [[likely]]
      return true;
    return first_free_by_walking<Near>(b, slot, from);
  }

  // Moves `slot` from that of block b to that of the next.
  bool step(std::uint64_t b, std::uint64_t& slot, std::uint64_t end) const noexcept {
    if (!words_.can_read(b)) return false;
    const auto runs = static_cast<unsigned>(std::popcount(occupieds(b)));
    if (runs != 0) {
      if (!nth_end(slot, runs, slot, end)) return false;
      ++slot;
    }
    slot = std::max(slot, 64 * (b + 1));
    return true;
  }

  // Near: `unknown` as well if a lookup does not go so far.
  template <bool Near = false>
  BLOOMERY_INLINE quotient_run find(std::uint64_t q) const noexcept {
    const std::uint64_t b = q / 64;
    if (!words_.can_read(b)) return {run_state::unknown};
    const std::uint64_t occupied = occupieds(b);
    if ((occupied >> (q % 64) & 1) == 0) return {};
    quotient_run run = place<Near>(q, occupied);
    if (run.state == run_state::unknown) return run;
    if (!nth_end(run.first, 1, run.last, end_of<Near>(run.from)) ||
        (Near && run.last - run.first >= max_run))
      return {run_state::unknown};
    for (std::uint64_t c = run.from; c <= run.last / 64; ++c)
      if (!words_.can_read(c)) return {run_state::unknown};
    run.state = run_state::found;
    return run;
  }

  // Where the run of q begins, or would.
  template <bool Near = false>
  BLOOMERY_INLINE quotient_run place(std::uint64_t q,
                                     std::uint64_t occupied) const noexcept {
    std::uint64_t slot, from;
    if (!first_free<Near>(q / 64, slot, from)) return {run_state::unknown};
    const std::uint64_t below = occupied & ((std::uint64_t{1} << (q % 64)) - 1);
    if (below != 0) {
      if (!nth_end(slot, static_cast<unsigned>(std::popcount(below)), slot,
                   end_of<Near>(from)))
        return {run_state::unknown};
      ++slot;
    }
    return {run_state::none, std::max(q, slot), 0, from};
  }

  // Whether a lookup goes as far as this run, which was found.
  static bool is_near(const quotient_run& run) noexcept {
    return run.last - run.first < max_run && run.last / 64 - run.from < max_blocks;
  }

  // The group that begins at `slot` of a run that ends at `last`.  Its count is at most
  // max_count, and its end at most last + 1, whatever the values are.
  quotient_group group_at(std::uint64_t slot, std::uint64_t last) const noexcept {
    const std::uint64_t x = value(slot);
    if (slot == last || value(slot + 1) != x) return {x, 1, slot + 1};
    if (slot + 1 == last || value(slot + 2) != x) return {x, 2, slot + 2};
    std::uint64_t more = 0;
    const unsigned digit_bits = layout_.remainder_bits - 1;
    slot += 3;
    for (unsigned shift = 0; slot <= last; shift += digit_bits) {
      const std::uint64_t d = value(slot++);
      const std::uint64_t low = d & ((std::uint64_t{1} << digit_bits) - 1);
      if (shift < 48)
        more |= low << shift;
      else if (low != 0)
        more = quotient_layout::max_count;
      if (d >> digit_bits == 0) break;
    }
    return {x, std::min(3 + more, quotient_layout::max_count), slot};
  }

  // Copies of the remainder in the run; 0: none.
  std::uint64_t count_in(const quotient_run& run, std::uint64_t x) const noexcept {
    for (std::uint64_t i = run.first; i <= run.last;) {
      const quotient_group g = group_at(i, run.last);
      if (g.remainder == x) return g.count;
      i = g.end;
    }
    return 0;
  }

  BLOOMERY_INLINE bool may_contain(std::uint64_t fingerprint) const noexcept {
    const unsigned r = layout_.remainder_bits;
    const quotient_run run = find<true>(fingerprint >> r);
    if (run.state != run_state::found) return run.state == run_state::unknown;
    const std::uint64_t x = fingerprint & ((std::uint64_t{1} << r) - 1);
    return holds(run, x);
  }

  // A value that is equal may be a digit, if it is the fourth of the run or later.
  BLOOMERY_INLINE bool holds(const quotient_run& run, std::uint64_t x) const noexcept {
    std::uint64_t b = run.first / 64;
    std::uint64_t in_run = ~std::uint64_t{0} << (run.first % 64);
    for (; b <= run.last / 64; ++b, in_run = ~std::uint64_t{0}) {
      if (b == run.last / 64) in_run &= ~std::uint64_t{0} >> (63 - run.last % 64);
      const std::uint64_t same = equal(b, x) & in_run;
      if (same == 0) continue;
      const auto at = 64 * b + static_cast<unsigned>(std::countr_zero(same));
      return at - run.first < 3 || count_in(run, x) != 0;
    }
    return false;
  }

 private:
  // The block at which a search that began with block `from` ends.
  template <bool Near>
  BLOOMERY_INLINE std::uint64_t end_of(std::uint64_t from) const noexcept {
    return Near ? std::min(layout_.blocks, from + max_blocks) : layout_.blocks;
  }

  template <bool Near>
  [[gnu::noinline]] bool first_free_by_walking(std::uint64_t b, std::uint64_t& slot,
                                               std::uint64_t& from) const noexcept {
    std::uint64_t a = b;
    while (a > 0) {
      if (!words_.can_read_offset(a)) return false;
      if (offset(a) != saturated) break;
      if (Near && b - a == max_blocks - 1) return false;
      --a;
    }
    slot = a == 0 ? 0 : 64 * a + offset(a);
    from = a;
    for (; a < b; ++a)
      if (!step(a, slot, end_of<Near>(from))) return false;
    return true;
  }

  quotient_layout layout_;
  Words words_;
};

}  // namespace bloomery::inline v1
