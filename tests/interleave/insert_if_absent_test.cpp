// Protocol 2: insert_if_absent, under the library's stripe locks.
//
// At most one of all threads that insert the same new key gets true, that it was first;
// exactly one, unless bits of other keys cover the key.  Plain inserts of other keys take
// no lock.
#include <array>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/detail/sync/stripe_locks.hpp>

#include "check.hpp"
#include "toy_filter.hpp"

namespace interleave::insert_if_absent_test {
namespace {

constexpr const char* protocol = "insert_if_absent";
constexpr const char* two_first = "two threads are told that they were first";
constexpr const char* none_first = "no thread is told that it was first";

// The second has bits in common with the first, and does not cover it.
constexpr toy_key a{{1, 1}, 0}, b{{2, 1}, 1};

// The library's, on the machine.
template <class Platform>
struct real_locks {
  using lock = bloomery::stripe_lock<Platform>;
  bloomery::stripe_locks<Platform> locks = *bloomery::stripe_locks<Platform>::make(2);
  lock& of(std::uint64_t i) { return locks.of(i); }
};

template <class Platform>
struct absent_filter : toy_filter {
  real_locks<Platform> locks;

  bool insert_if_absent(const toy_key& k) {
    const bloomery::stripe_guard hold(locks.of(k.hash));
    return set_missing(k);
  }
  bool set_missing(const toy_key& k) {
    const auto lacks = missing(k);
    bool any = false;
    for (std::size_t i = 0; i < toy_words; ++i) {
      if (lacks[i]) words[i].fetch_or(k.bits[i], relaxed);
      any = any || lacks[i];
    }
    return any;
  }
};

template <class Filter>
struct shared {
  Filter filter;
  std::array<unsigned, 4> told{};  // a place a thread
};

// `callers` threads insert `a` if it is absent; beside them, `b` is inserted.
template <class Filter>
std::function<program()> race(unsigned callers, bool beside) {
  return [callers, beside] {
    const auto s = std::make_shared<shared<Filter>>();
    program p;
    for (unsigned i = 0; i < callers; ++i)
      p.threads.push_back(
          {"caller", [s, i] { s->told[i] = s->filter.insert_if_absent(a) ? 1 : 0; }});
    if (beside) p.threads.push_back({"inserter", [s] { s->filter.insert(b); }});
    p.at_end = [s] {
      const unsigned first = std::accumulate(s->told.begin(), s->told.end(), 0U);
      require(first < 2, two_first);
      require(first > 0, none_first);
      require(s->filter.may_contain(a), "the key is lost");
    };
    return p;
  };
}

template <class Platform>
void holds() {
  using filter = absent_filter<Platform>;
  expect_holds(protocol, Platform::name, race<filter>(2, false));
  expect_holds(protocol, Platform::name, race<filter>(2, true));
  expect_holds(protocol, Platform::name, race<filter>(3, false));
  // Two keys in two stripes, each inserted if absent by two: `b` covers nothing of `a`.
  expect_holds(protocol, Platform::name, [] {
    const auto s = std::make_shared<shared<filter>>();
    program p;
    for (unsigned i = 0; i < 4; ++i)
      p.threads.push_back({"caller", [s, i] {
                             const toy_key& k = i < 2 ? a : b;
                             s->told[i] = s->filter.insert_if_absent(k) ? 1 : 0;
                           }});
    p.at_end = [s] {
      require(s->told[0] + s->told[1] == 1, "not one was first with the first key");
      require(s->told[2] + s->told[3] == 1, "not one was first with the second key");
    };
    return p;
  });
}

TEST(InsertIfAbsent, OneIsTold) {
  holds<strict_machine>();
  holds<membarrier_machine>();
}

// A plain insert of the same key may make it none, and never makes it two.
TEST(InsertIfAbsent, APlainInsertOfTheSameKeyMayBeFirst) {
  using filter = absent_filter<membarrier_machine>;
  bool none_seen = false;
  expect_holds(protocol, membarrier_machine::name, [&] {
    const auto s = std::make_shared<shared<filter>>();
    const auto call = [s](unsigned i) {
      return [s, i] { s->told[i] = s->filter.insert_if_absent(a) ? 1 : 0; };
    };
    return program{{{"caller", call(0)},
                    {"caller", call(1)},
                    {"inserter", [s] { s->filter.insert(a); }}},
                   [s, &none_seen] {
                     none_seen = none_seen || s->told[0] + s->told[1] == 0;
                     require(s->told[0] + s->told[1] < 2, two_first);
                   }};
  });
  EXPECT_TRUE(none_seen);
}

using sound = absent_filter<membarrier_machine>;

struct without_lock : sound {
  bool insert_if_absent(const toy_key& k) { return set_missing(k); }
};

struct told_by_any_bit : sound {
  bool insert_if_absent(const toy_key& k) {
    bool flipped = false;
    for (std::size_t i = 0; i < toy_words; ++i)
      flipped = (~words[i].fetch_or(k.bits[i], relaxed) & k.bits[i]) != 0 || flipped;
    return flipped;
  }
};

struct told_by_the_last_bit : sound {
  bool insert_if_absent(const toy_key& k) {
    bool flipped = false;
    for (std::size_t i = 0; i < toy_words; ++i)
      flipped = (~words[i].fetch_or(k.bits[i], relaxed) & k.bits[i]) != 0;
    return flipped;
  }
};

struct unlocks_before_it_sets : sound {
  bool insert_if_absent(const toy_key& k) {
    {
      const bloomery::stripe_guard hold(locks.of(k.hash));
      if (may_contain(k)) return false;
    }
    insert(k);
    return true;
  }
};

struct locks_by_thread : sound {
  bool insert_if_absent(const toy_key& k) {
    const bloomery::stripe_guard hold(locks.of(membarrier_machine::thread_number()));
    return set_missing(k);
  }
};

// stripe_lock with two orders to choose.
template <std::memory_order Lock, std::memory_order Unlock>
struct lock_variant : toy_filter {
  atomic<std::uint32_t> taken{0, "lock"};

  bool insert_if_absent(const toy_key& k) {
    for (unsigned n = 0; taken.exchange(1, Lock) != 0;)
      while (taken.load(relaxed) != 0) membarrier_machine::back_off(n++);
    const auto lacks = missing(k);
    for (std::size_t i = 0; i < toy_words; ++i)
      if (lacks[i]) words[i].fetch_or(k.bits[i], relaxed);
    taken.store(0, Unlock);
    return lacks[0] || lacks[1];
  }
};

template <class Filter>
void caught(const char* fault, const char* what, bool beside = false) {
  expect_caught(protocol, membarrier_machine::name, fault, what, race<Filter>(2, beside));
}

TEST(InsertIfAbsentBroken, NoLock) { caught<without_lock>("no lock", two_first); }

TEST(InsertIfAbsentBroken, ToldByAnyBit) {
  caught<told_by_any_bit>("told by any bit flipped", two_first);
}

TEST(InsertIfAbsentBroken, ToldByTheLastBit) {
  caught<told_by_the_last_bit>("told by the last bit flipped", none_first, true);
}

TEST(InsertIfAbsentBroken, UnlocksBeforeItSets) {
  caught<unlocks_before_it_sets>("unlock before the bits are set", two_first);
}

TEST(InsertIfAbsentBroken, LocksByThread) {
  caught<locks_by_thread>("a stripe a thread, not a key", two_first);
}

TEST(InsertIfAbsentBroken, RelaxedOrders) {
  caught<lock_variant<acquire, relaxed>>("relaxed unlock", two_first);
  caught<lock_variant<relaxed, release>>("relaxed lock", two_first);
  expect_holds(protocol, "copy", race<lock_variant<acquire, release>>(2, true));
}

}  // namespace
}  // namespace interleave::insert_if_absent_test
