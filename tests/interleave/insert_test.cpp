// Protocol 1: insert and lookup without locks.
//
// Bits only grow, so an insert may skip a word that a relaxed load showed to have its
// bits: whoever learns of that insert knows that load, and by read-read coherence reads
// nothing older.
#include <array>
#include <memory>

#include <gtest/gtest.h>

#include "check.hpp"
#include "inserters.hpp"
#include "toy_filter.hpp"

namespace interleave::insert_test {
namespace {

constexpr const char* protocol = "insert, lookup";

// Two overlap in both words; the third has no bit of its own.
constexpr toy_key a{{1, 1}}, b{{3, 4}}, both{{2, 1}};

TEST(Insert, EveryInsertIsSeen) {
  expect_holds(protocol, "any", inserters<toy_filter, toy_key>({a, b}));
  expect_holds(protocol, "any", inserters<toy_filter, toy_key>({a, both}));
  expect_holds(protocol, "any", inserters<toy_filter, toy_key>({b, both}));
}

TEST(Insert, AnInsertThatFoundItsBitsIsSeen) {
  expect_holds(protocol, "any", inserters<toy_filter, toy_key>({a, a}));
}

TEST(Insert, ThreeInserters) {
  expect_holds(protocol, "any", inserters<toy_filter, toy_key>({a, b, both}));
}

// What a thread read once it reads again.
TEST(Insert, AYesStaysYes) {
  expect_holds(protocol, "any", [] {
    const auto s = std::make_shared<shared<toy_filter>>();
    return program{{{"inserter", [s] { s->filter.insert(a); }},
                    {"inserter", [s] { s->filter.insert(both); }},
                    {"reader", [s] {
                       if (s->filter.may_contain(a))
                         require(s->filter.may_contain(a), "a yes became a no");
                     }}}};
  });
}

struct or_by_store : toy_filter {
  void insert(const toy_key& k) {
    for (std::size_t i = 0; i < toy_words; ++i) {
      const std::uint64_t old = words[i].load(relaxed);
      if ((~old & k.bits[i]) != 0) words[i].store(old | k.bits[i], relaxed);
    }
  }
};

struct skips_when_any_bit_is_there : toy_filter {
  void insert(const toy_key& k) {
    for (std::size_t i = 0; i < toy_words; ++i)
      if ((words[i].load(relaxed) & k.bits[i]) == 0)
        words[i].fetch_or(k.bits[i], relaxed);
  }
};

struct writes_the_first_word_only : toy_filter {
  void insert(const toy_key& k) { words[0].fetch_or(k.bits[0], relaxed); }
};

TEST(InsertBroken, OrByLoadAndStore) {
  expect_caught(protocol, "any", "OR by load and store", false_negative,
                inserters<or_by_store, toy_key>({a, b}));
}

TEST(InsertBroken, SkipWhenAnyBitIsThere) {
  expect_caught(protocol, "any", "skip the write when any bit is there", false_negative,
                inserters<skips_when_any_bit_is_there, toy_key>({a, b}));
}

TEST(InsertBroken, AWordIsForgotten) {
  expect_caught(protocol, "any", "the last word is not written", false_negative,
                inserters<writes_the_first_word_only, toy_key>({a, b}));
}

}  // namespace
}  // namespace interleave::insert_test
