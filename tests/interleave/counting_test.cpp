// Protocol 9: counters with sticky saturation, the library's shared_cells.hpp.
//
// Cells of two bits, stuck from 2 on, so that three threads reach every edge; one cell
// lies above another in the same word, so that an overflow does harm.  A key that is in
// is found; a count is never too low; a cell that is not stuck is exact.
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/detail/kind/counting/protocol.hpp>
#include <bloomery/detail/sync/thread_numbers.hpp>

#include "check.hpp"
#include "checked_words.hpp"
#include "toy_filter.hpp"

namespace interleave::counting_test {
namespace {

constexpr const char* protocol = "counting";
constexpr const char* undercount = "a count is too low";
constexpr const char* overflow = "a cell overflows into its neighbour";
constexpr const char* inexact = "a cell that is not stuck is not exact";

// As cell_words.hpp, for `bits`.
template <unsigned bits>
struct toy_cells {
  static constexpr unsigned width = bits, per_word = 64 / width;
  static constexpr std::uint64_t sticky = 1U << (width - 1), cell_mask = 2 * sticky - 1;
  static constexpr unsigned shift(std::uint64_t cell) {
    return static_cast<unsigned>(cell % per_word) * width;
  }
  static constexpr std::uint64_t step(std::uint64_t word, unsigned at) {
    return (~word >> (at + width - 1) & 1) << at;
  }
};

template <unsigned bits>
using cells_of = bloomery::shared_cells<toy_cells<bits>, checked_words, strict_machine>;

// Two words; cells 0 and 1 are neighbours.
template <class Cells>
struct shared {
  std::array<atomic<std::uint64_t>, 2> words;
  checked_words all{words.data()};
  Cells cells{all};
  std::array<signal, 4> done;
  std::array<unsigned, 4> erased{};  // a place a thread

  explicit shared(std::uint64_t first) { words[0].store(first, relaxed); }
};

enum class op { add, take };
using ops = std::vector<op>;

// Threads add to cell 0 and take from it, which holds `first` from the beginning; each
// take is of a key that was in, so a program has no more of them than `first`, or its own
// thread added before.  At the end the cell is exact, or stuck; the cell above is
// untouched.
template <class Cells, std::uint64_t sticky = 2>
std::function<program()> at_one_cell(std::uint64_t first, std::vector<ops> threads) {
  return [first, threads] {
    const auto s = std::make_shared<shared<Cells>>(first);
    program p;
    std::uint64_t expected = first;
    for (const ops& mine : threads) {
      for (const op o : mine) expected += o == op::add ? 1 : ~std::uint64_t{0};
      p.threads.push_back({"thread", [s, mine] {
                             for (const op o : mine)
                               if (o == op::add)
                                 s->cells.add(0, Cells::is_within_bound());
                               else
                                 require(s->cells.take(0), undercount);
                           }});
    }
    p.at_end = [s, expected] {
      require(s->cells.get(1) == 0, overflow);
      const std::uint64_t is = s->cells.get(0);
      require(is >= std::min(expected, sticky), undercount);
      require(is >= sticky || is == expected, inexact);
    };
    return p;
  };
}

using sound = cells_of<2>;

TEST(Counting, AddsAndTakesAreExactOrStuck) {
  const auto holds = [](std::uint64_t first, std::vector<ops> t) {
    expect_holds(protocol, "any", at_one_cell<sound>(first, std::move(t)));
  };
  using enum op;
  for (const std::uint64_t first : {0U, 1U}) {
    holds(first, {{add}, {add}});
    holds(first, {{add}, {add}, {add}});
    holds(first, {{add, add}, {add, add}});
    holds(first, {{add, take}, {add, take}});
    holds(first, {{add, take}, {add, take}, {add}});
    holds(first, {{add}, {add}, {add}, {add}});
  }
  holds(1, {{take}, {add, add}});  // the counterexample to a blind subtraction
  holds(1, {{take}, {add}, {add}});
  holds(1, {{take}, {add, take}, {add}});
  holds(1, {{take}, {add}, {add}, {add, take}});
}

TEST(Counting, WiderCells) {
  using enum op;
  using wide = cells_of<3>;  // stuck from 4 on; three threads within the bound
  const auto holds = [](std::uint64_t first, std::vector<ops> t) {
    expect_holds(protocol, "any", at_one_cell<wide, 4>(first, std::move(t)));
  };
  holds(3, {{add}, {add}, {add}, {add}});
  holds(2, {{add, add}, {add}, {add}, {take}});
  holds(3, {{take}, {add, add}, {add}});
}

// Keys of two cells, in two words.
constexpr std::array<std::uint64_t, 2> a{0, 33}, b{1, 33};

template <class Cells>
std::function<program()> keys() {
  return [] {
    const auto s = std::make_shared<shared<Cells>>(0);
    program p;
    p.threads.push_back({"inserts a", [s] {
                           s->cells.insert(a);
                           s->done[0].send();
                         }});
    p.threads.push_back({"inserts b, erases it", [s] {
                           s->cells.insert(b);
                           require(s->cells.erase(b), undercount);
                         }});
    p.threads.push_back({"reader", [s] {
                           if (s->done[0].received() == 0) return;
                           for (const std::uint64_t c : a)
                             require(s->cells.get(c) != 0, undercount);
                         }});
    p.at_end = [s] {
      for (const std::uint64_t c : a) require(s->cells.get(c) != 0, undercount);
      require(s->cells.get(1) == 0, inexact);
    };
    return p;
  };
}

TEST(Counting, AKeyThatIsInIsFound) { expect_holds(protocol, "any", keys<sound>()); }

// Erased twice, inserted once, each in a thread of its own: one is refused, and gives
// back what it took; the key with the same cells is left alone.
TEST(Counting, OneOfTwoErasesIsRefused) {
  expect_holds(protocol, "any", [] {
    const auto s = std::make_shared<shared<sound>>(1);  // cell 0 of `a`
    s->words[1].store(std::uint64_t{1} << 2, relaxed);  // cell 33
    program p;
    for (unsigned t = 0; t < 2; ++t)
      p.threads.push_back({"eraser", [s, t] { s->erased[t] = s->cells.erase(a); }});
    p.at_end = [s] {
      require(s->erased[0] + s->erased[1] == 1, "not one of two erases is refused");
      for (const std::uint64_t c : a) require(s->cells.get(c) == 0, inexact);
    };
    return p;
  });
}

// --- faults ---

struct blind_subtraction : sound {
  using sound::sound;
  explicit blind_subtraction(const checked_words& w) : sound(w), words(w) {}
  bool take(std::uint64_t) const {
    if (words.load(0, relaxed) % 4 >= 2) return true;
    words.fetch_add(0, ~std::uint64_t{0});
    return true;
  }
  const checked_words& words;
};

// Everybody adds without compare-exchange.
struct without_bound : sound {
  using sound::sound;
  static bool is_within_bound() { return true; }
};
// As many as the sticky value, beside others that use compare-exchange.
struct one_too_many : sound {
  using sound::sound;
  static bool is_within_bound() { return strict_machine::thread_number() < 2; }
};

struct adds_by_store : sound {
  explicit adds_by_store(const checked_words& w) : sound(w), words(w) {}
  void add(std::uint64_t, bool) const {
    words.store(0, words.load(0, relaxed) + 1, relaxed);
  }
  const checked_words& words;
};

template <class Cells>
void caught(const char* fault, const char* what, std::uint64_t first,
            std::vector<ops> threads) {
  expect_caught(protocol, "any", fault, what,
                at_one_cell<Cells>(first, std::move(threads)));
}

TEST(CountingBroken, BlindSubtraction) {
  using enum op;
  caught<blind_subtraction>("blind subtraction", undercount, 1, {{take}, {add, add}});
}
TEST(CountingBroken, NoWriterBound) {
  using enum op;
  caught<without_bound>("no writer bound", overflow, 1, {{add}, {add}, {add}});
}
TEST(CountingBroken, AWriterTooMany) {
  using enum op;
  caught<one_too_many>("as many writers as the sticky value", overflow, 1,
                       {{add}, {add}, {add}});
}
TEST(CountingBroken, AddByLoadAndStore) {
  using enum op;
  caught<adds_by_store>("add by load and store", undercount, 0, {{add}, {add}});
}

// --- numbers that pass from thread to thread ---
// A thread that has a number adds within the bound, and gives the number back; the next
// one to take it knows what the first one did.
template <std::memory_order GiveBack>
struct number {
  atomic<unsigned> taken{0, "number"};
  bool take() { return taken.exchange(1, acquire) == 0; }
  void give_back() { taken.store(0, GiveBack); }
};

template <std::memory_order GiveBack>
std::function<program()> one_number_for_all() {
  return [] {
    struct all : shared<sound> {
      all() : shared<sound>(1) {}
      number<GiveBack> mine;
    };
    const auto s = std::make_shared<all>();
    program p;
    for (int t = 0; t < 3; ++t)
      p.threads.push_back({"thread", [s] {
                             const bool within_bound = s->mine.take();
                             s->cells.add(0, within_bound);
                             if (within_bound) s->mine.give_back();
                           }});
    p.at_end = [s] {
      require(s->cells.get(1) == 0, overflow);
      require(s->cells.get(0) >= 2, undercount);
    };
    return p;
  };
}

TEST(Counting, NumbersPassFromThreadToThread) {
  expect_holds(protocol, "any", one_number_for_all<release>());
}
TEST(CountingBroken, NumbersReturnedRelaxed) {
  expect_caught(protocol, "any", "number returned relaxed", overflow,
                one_number_for_all<relaxed>());
}

}  // namespace
}  // namespace interleave::counting_test
