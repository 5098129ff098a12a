// Inserts and erases in a quotient filter: one copy of a fingerprint (spec/filters.md,
// 15.7).  What is refused has changed nothing.
//
// Words: as for quotient_runs, and set_word(i, value).  All that a change depends on, up
// to the last block that it changes, is read before the first set_word: where can_read
// takes locks, none is missing then.  If it refuses a block the change is `unreadable`.
//
// Slots between the home slot of a run and the first empty slot behind it are all in use:
// an insert moves those behind its place one slot up, an erase moves them down as far as
// no run would begin before its quotient.
//
// REQUIRES of every call: the words are those of a filter (they were checked, or made
// here).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include <bloomery/detail/kind/quotient/runs.hpp>

namespace bloomery::inline v1 {

enum class quotient_outcome : std::uint8_t {
  done,
  full,
  too_many_copies,
  not_present,
  unreadable
};

template <class Words, class Select>
class quotient_changes : public quotient_runs<Words, Select> {
  using base = quotient_runs<Words, Select>;
  using base::layout;
  using base::memory;
  using base::saturated;

 public:
  using base::base;

  quotient_outcome insert(std::uint64_t fingerprint) noexcept {
    const unsigned r = layout().remainder_bits;
    const std::uint64_t q = fingerprint >> r, x = fingerprint & bits(r);
    if (!memory().can_read(q / 64)) return quotient_outcome::unreadable;
    const std::uint64_t occupied = this->occupieds(q / 64);
    std::uint64_t empty = 0;
    quotient_run run = this->place(q, occupied);
    if (run.state == run_state::unknown) return quotient_outcome::unreadable;
    if ((occupied >> (q % 64) & 1) == 0) {
      if (const auto room = first_empty(run.first, empty); room != quotient_outcome::done)
        return room;
      memory().set_word(q / 64 * layout().block_words(),
                        occupied | std::uint64_t{1} << (q % 64));
      move_up(q, run.first, empty, x, 1);
      return quotient_outcome::done;
    }
    if (!this->nth_end(run.first, 1, run.last)) return quotient_outcome::unreadable;
    if (run.last - run.first < 3 && run.first / 64 == run.last / 64) [[likely]]
      return insert_into_few(q, x, run);
    std::uint64_t i = run.first;
    quotient_group g{};
    for (; i <= run.last; i = g.end) {
      g = this->group_at(i, run.last);
      if (g.remainder >= x) break;
    }
    if (i > run.last || g.remainder != x) return add_slots(q, i, run.last, x, 1);
    if (g.count == 1) return add_slots(q, g.end, run.last, x, 1);
    // The third copy is followed by a digit that is 0.
    if (g.count == 2) return add_slots(q, g.end, run.last, x, 2);
    return count_up(q, g, i + 3, run.last);
  }

  quotient_outcome erase(std::uint64_t fingerprint) noexcept {
    const unsigned r = layout().remainder_bits;
    const std::uint64_t q = fingerprint >> r, x = fingerprint & bits(r);
    quotient_run run = this->find(q);
    if (run.state != run_state::found)
      return run.state == run_state::unknown ? quotient_outcome::unreadable
                                             : quotient_outcome::not_present;
    for (std::uint64_t i = run.first; i <= run.last;) {
      const quotient_group g = this->group_at(i, run.last);
      if (g.remainder == x) {
        if (g.count > 3) return count_down(q, i + 3, run);
        // Where the first of two is gone, the second moves no more than that did.
        for (unsigned n = g.count == 3 ? 2 : 1; n != 0; --n, --run.last) {
          std::uint64_t end;
          if (!end_of_shift(run, end)) return quotient_outcome::unreadable;
          move_down(q, i + (g.count == 3 ? n + 1 : n - 1), run, end);
        }
        return quotient_outcome::done;
      }
      i = g.end;
    }
    return quotient_outcome::not_present;
  }

 private:
  // Into a run of up to three slots in one block, which has no counter.
  quotient_outcome insert_into_few(std::uint64_t q, std::uint64_t x,
                                   const quotient_run& run) noexcept {
    const std::uint64_t at = ends_at(run.first / 64) + 1;
    std::uint64_t less = 0, same = ~std::uint64_t{0};
    for (unsigned j = layout().remainder_bits; j-- > 0;) {
      const std::uint64_t column = memory().word(at + j), bit = 0 - (x >> j & 1);
      less |= same & bit & ~column;
      same &= ~(column ^ bit);
    }
    const std::uint64_t in_run =
        (~std::uint64_t{0} >> (63 - run.last % 64)) & ~bits(run.first % 64);
    const std::uint64_t below =
        run.first + static_cast<unsigned>(std::popcount(less & in_run));
    const auto copies = static_cast<unsigned>(std::popcount(same & in_run));
    return add_slots(q, below + copies, run.last, x, copies == 2 ? 2 : 1);
  }

  static constexpr std::uint64_t bits(unsigned n) noexcept {
    return (std::uint64_t{1} << n) - 1;
  }

  // The slot after the last run of quotients up to i: above i if slot i is in use.
  // False: it cannot be read.
  bool stop(std::uint64_t i, std::uint64_t& slot) const noexcept {
    std::uint64_t from;
    if (!memory().can_read(i / 64) || !this->first_free(i / 64, slot, from)) return false;
    const std::uint64_t upto =
        this->occupieds(i / 64) & (~std::uint64_t{0} >> (63 - i % 64));
    if (upto != 0) {
      if (!this->nth_end(slot, static_cast<unsigned>(std::popcount(upto)), slot))
        return false;
      ++slot;
    }
    return true;
  }

  // Starts at slot i.  Returns `done`, `full`, or `unreadable`.
  quotient_outcome first_empty(std::uint64_t i, std::uint64_t& slot) const noexcept {
    while (i < layout().slots()) {
      std::uint64_t next;
      if (!stop(i, next)) return quotient_outcome::unreadable;
      if (next <= i) {
        slot = i;
        return quotient_outcome::done;
      }
      i = next;
    }
    return quotient_outcome::full;
  }

  // The first slot behind the run that stays where it is when a slot of the run goes.
  // False: it cannot be read.
  bool end_of_shift(const quotient_run& run, std::uint64_t& end) const noexcept {
    end = run.last + 1;
    for (;;) {
      std::uint64_t next;
      if (!stop(end - 1, next)) return false;
      if (next <= end) return true;
      end = next;
    }
  }

  // One slot with the value x at `at`, and a second one with 0 behind it if n is 2, in
  // the run of q that ends at `last`.
  quotient_outcome add_slots(std::uint64_t q, std::uint64_t at, std::uint64_t last,
                             std::uint64_t x, unsigned n) noexcept {
    std::uint64_t empty = 0, second = 0;
    auto room = first_empty(last, empty);
    if (room == quotient_outcome::done && n == 2) room = first_empty(empty + 1, second);
    if (room != quotient_outcome::done) return room;
    add_slot(q, at, last, empty, x);
    if (n == 2) add_slot(q, at + 1, last + 1, second, 0);
    return quotient_outcome::done;
  }
  void add_slot(std::uint64_t q, std::uint64_t at, std::uint64_t last,
                std::uint64_t empty, std::uint64_t x) noexcept {
    const bool behind = at == last + 1;
    if (behind) {
      const std::uint64_t w = ends_at(last / 64);
      memory().set_word(w, memory().word(w) & ~(std::uint64_t{1} << (last % 64)));
    }
    move_up(q, at, empty, x, behind);
  }

  // Slots at .. empty - 1 move up by one, and `at` becomes x.
  void move_up(std::uint64_t q, std::uint64_t at, std::uint64_t empty, std::uint64_t x,
               bool is_end) noexcept {
    const std::uint64_t first = at / 64, last = empty / 64;
    for (std::uint64_t b = last;; --b) {
      const unsigned low = b == first ? at % 64 : 0, high = b == last ? empty % 64 : 63;
      const std::uint64_t moved = ~std::uint64_t{0} >> (63 - high) & ~bits(low);
      const std::uint64_t lowest = std::uint64_t{1} << low;
      for (unsigned j = 0; j <= layout().remainder_bits; ++j) {
        const std::uint64_t i = ends_at(b) + j, w = memory().word(i);
        const std::uint64_t in = b != first
                                     ? memory().word(i - layout().block_words()) >> 63
                                 : j == 0 ? std::uint64_t{is_end}
                                          : x >> (j - 1) & 1;
        memory().set_word(i, (w & ~moved) | (w << 1 & moved & ~lowest) | in << low);
      }
      if (b == first) break;
    }
    for (std::uint64_t b = q / 64 + 1; b <= last; ++b) {
      const std::uint64_t i = offset_at(b);
      if (this->offset(b) != saturated)
        memory().set_word(i, memory().word(i) + (std::uint64_t{1} << (8 * (b % 8))));
    }
  }

  // Slot `at` of the run disappears: those behind it, up to `end`, move down by one.
  void move_down(std::uint64_t q, std::uint64_t at, const quotient_run& run,
                 std::uint64_t end) noexcept {
    std::uint64_t slot = 0, from;
    this->first_free(q / 64, slot, from);  // before anything changes
    const std::uint64_t first = at / 64, last = (end - 1) / 64;
    for (std::uint64_t b = first; b <= last; ++b) {
      const unsigned low = b == first ? at % 64 : 0,
                     high = b == last ? (end - 1) % 64 : 63;
      const std::uint64_t moved = ~std::uint64_t{0} >> (63 - high) & ~bits(low);
      const std::uint64_t highest = std::uint64_t{1} << high;
      for (unsigned j = 0; j <= layout().remainder_bits; ++j) {
        const std::uint64_t i = ends_at(b) + j, w = memory().word(i);
        const std::uint64_t in =
            b != last ? memory().word(i + layout().block_words()) & 1 : 0;
        memory().set_word(i, (w & ~moved) | (w >> 1 & moved & ~highest) | in << high);
      }
    }
    if (run.first == run.last) {
      const std::uint64_t i = q / 64 * layout().block_words();
      memory().set_word(i, memory().word(i) & ~(std::uint64_t{1} << (q % 64)));
    } else if (at == run.last) {
      const std::uint64_t i = ends_at((at - 1) / 64);
      memory().set_word(i, memory().word(i) | std::uint64_t{1} << ((at - 1) % 64));
    }
    lower_offsets(q / 64, last, slot);
  }

  // Lowers the offsets of the blocks after `block`, up to `last`.  `slot`: the first free
  // one of `block`.
  void lower_offsets(std::uint64_t block, std::uint64_t last,
                     std::uint64_t slot) noexcept {
    for (std::uint64_t b = block + 1; b <= last; ++b) {
      unsigned distance = this->offset(b);
      if (distance != saturated) {
        --distance;
        slot = 64 * b + distance;
      } else {
        this->step(b - 1, slot, layout().blocks);
        distance =
            static_cast<unsigned>(std::min<std::uint64_t>(slot - 64 * b, saturated));
      }
      const std::uint64_t i = offset_at(b);
      const unsigned shift = 8 * (b % 8);
      memory().set_word(i, (memory().word(i) & ~(std::uint64_t{0xff} << shift)) |
                               std::uint64_t{distance} << shift);
    }
  }

  // One more in a counter whose digits begin at `digits`.
  quotient_outcome count_up(std::uint64_t q, const quotient_group& g,
                            std::uint64_t digits, std::uint64_t last) noexcept {
    if (g.count == quotient_layout::max_count) return quotient_outcome::too_many_copies;
    const unsigned digit_bits = layout().remainder_bits - 1;
    const std::uint64_t most = bits(digit_bits);
    std::uint64_t i = digits;
    while (i < g.end && (this->value(i) & most) == most) ++i;
    if (i == g.end) {
      // All digits are the greatest: they become 0, and a 1 comes behind them.
      if (const auto added = add_slots(q, g.end, last, 1, 1);
          added != quotient_outcome::done)
        return added;
      for (std::uint64_t j = digits; j < g.end; ++j) set_value(j, most + 1);
      return quotient_outcome::done;
    }
    for (std::uint64_t j = digits; j < i; ++j) set_value(j, most + 1);
    set_value(i, this->value(i) + 1);
    return quotient_outcome::done;
  }

  // One less, of four or more.
  quotient_outcome count_down(std::uint64_t q, std::uint64_t digits,
                              const quotient_run& run) noexcept {
    const unsigned digit_bits = layout().remainder_bits - 1;
    const std::uint64_t most = bits(digit_bits);
    std::uint64_t i = digits;
    while ((this->value(i) & most) == 0) ++i;
    const std::uint64_t d = this->value(i) - 1;
    // A last digit that is 0 disappears, unless it is the only one.
    const bool disappears = d == 0 && i != digits;
    std::uint64_t end = 0;
    if (disappears && !end_of_shift(run, end)) return quotient_outcome::unreadable;
    for (std::uint64_t j = digits; j < i; ++j) set_value(j, 2 * most + 1);
    set_value(i, d);
    if (disappears) {
      set_value(i - 1, this->value(i - 1) & most);
      move_down(q, i, run, end);
    }
    return quotient_outcome::done;
  }

  void set_value(std::uint64_t slot, std::uint64_t v) noexcept {
    const std::uint64_t at = ends_at(slot / 64) + 1;
    for (unsigned j = 0; j < layout().remainder_bits; ++j)
      memory().set_word(at + j,
                        (memory().word(at + j) & ~(std::uint64_t{1} << (slot % 64))) |
                            (v >> j & 1) << (slot % 64));
  }

  std::uint64_t ends_at(std::uint64_t b) const noexcept {
    return b * layout().block_words() + 1;
  }
  std::uint64_t offset_at(std::uint64_t b) const noexcept {
    return layout().offsets_at() + b / 8;
  }
};

}  // namespace bloomery::inline v1
