// Protocol 3: insert under a lock of the line, the words ORed by plain load and store;
// lookups take no lock.
#include <array>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/detail/sync/stripe_locks.hpp>

#include "check.hpp"
#include "inserters.hpp"
#include "toy_filter.hpp"

namespace interleave::locked_insert_test {
namespace {

constexpr const char* protocol = "locked insert";

// A line is a toy_filter; a key has its bits in one of them.
struct line_key {
  std::uint64_t line;
  toy_key key;
};
constexpr line_key a{0, {{1, 1}, 0}}, b{0, {{2, 3}, 1}}, elsewhere{1, {{1, 1}, 2}};

template <class Platform>
struct locked_filter {
  std::array<toy_filter, 2> lines;
  bloomery::stripe_locks<Platform> locks = *bloomery::stripe_locks<Platform>::make(2);

  void insert(const line_key& k) {
    const bloomery::stripe_guard hold(locks.of(k.line));
    or_by_store(k);
  }
  void or_by_store(const line_key& k) {
    auto& words = lines[k.line].words;
    for (std::size_t i = 0; i < toy_words; ++i)
      words[i].store(words[i].load(relaxed) | k.key.bits[i], relaxed);
  }
  bool may_contain(const line_key& k) const { return lines[k.line].may_contain(k.key); }
};

template <class Platform>
void holds() {
  using filter = locked_filter<Platform>;
  expect_holds(protocol, Platform::name, inserters<filter, line_key>({a, b}));
  expect_holds(protocol, Platform::name, inserters<filter, line_key>({a, elsewhere}));
  expect_holds(protocol, Platform::name, inserters<filter, line_key>({a, b, elsewhere}));
}

TEST(LockedInsert, EveryInsertIsSeen) {
  holds<strict_machine>();
  holds<membarrier_machine>();
}

using sound = locked_filter<membarrier_machine>;

struct locks_by_key : sound {
  void insert(const line_key& k) {
    const bloomery::stripe_guard hold(locks.of(k.key.hash));
    or_by_store(k);
  }
};

struct unlocks_relaxed : sound {
  atomic<std::uint32_t> taken{0, "lock"};

  void insert(const line_key& k) {
    for (unsigned n = 0; taken.exchange(1, acquire) != 0;)
      while (taken.load(relaxed) != 0) membarrier_machine::back_off(n++);
    or_by_store(k);
    taken.store(0, relaxed);
  }
};

struct wait_free_beside : sound {
  void insert(const line_key& k) {
    if (k.key.hash == a.key.hash)
      sound::insert(k);
    else
      lines[k.line].insert(k.key);
  }
};

template <class Filter>
void caught(const char* fault) {
  expect_caught(protocol, membarrier_machine::name, fault, false_negative,
                inserters<Filter, line_key>({a, b}));
}

TEST(LockedInsertBroken, LockByKey) { caught<locks_by_key>("lock by key, not by line"); }

TEST(LockedInsertBroken, RelaxedUnlock) { caught<unlocks_relaxed>("relaxed unlock"); }

// The two policies do not mix: a store by the one undoes an OR by the other.
TEST(LockedInsertBroken, WaitFreeInsertBeside) {
  caught<wait_free_beside>("a wait-free insert beside it");
}

}  // namespace
}  // namespace interleave::locked_insert_test
