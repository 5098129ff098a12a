// The machine itself: the small programs by which memory models are told apart.
//
// Each collects the outcomes of all executions; what C++ allows must be among them and
// what it forbids must not.
#include <initializer_list>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "check.hpp"
#include "machine.hpp"

namespace interleave {
namespace {

using order = std::memory_order;
constexpr order relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire,
                release = std::memory_order_release, sc = std::memory_order_seq_cst;

struct cells {
  atomic<int> x{0, "x"}, y{0, "y"};
  std::string result = "....";  // a digit a load
};

void keep(cells& c, std::size_t at, int v) { c.result[at] = static_cast<char>('0' + v); }

using body = std::function<void(cells&)>;

std::set<std::string> outcomes(
    std::initializer_list<body> bodies, const body& at_end = [](cells&) {}) {
  std::set<std::string> all;
  const verdict v = explore([&] {
    const auto c = std::make_shared<cells>();
    program p;
    for (const body& b : bodies) p.threads.push_back({"thread", [c, &b] { b(*c); }});
    p.at_end = [c, &all, &at_end] {
      at_end(*c);
      all.insert(c->result);
    };
    return p;
  });
  EXPECT_FALSE(v.found) << text_of(*v.found);
  return all;
}

// x = 1; r = y  beside  y = 1; r = x.
std::set<std::string> store_buffering(order o, const std::function<void()>& first,
                                      const std::function<void()>& second) {
  return outcomes({[&, o](cells& c) {
                     c.x.store(1, o);
                     first();
                     keep(c, 0, c.y.load(o));
                   },
                   [&, o](cells& c) {
                     c.y.store(1, o);
                     second();
                     keep(c, 1, c.x.load(o));
                   }});
}

const std::set<std::string> all_of_two = {"00..", "01..", "10..", "11.."};
const std::set<std::string> no_zeros = {"01..", "10..", "11.."};

TEST(Litmus, StoreBufferingRelaxed) {
  EXPECT_EQ(store_buffering(
                relaxed, [] {}, [] {}),
            all_of_two);
}

TEST(Litmus, StoreBufferingAcquireRelease) {
  const auto got = outcomes({[](cells& c) {
                               c.x.store(1, release);
                               keep(c, 0, c.y.load(acquire));
                             },
                             [](cells& c) {
                               c.y.store(1, release);
                               keep(c, 1, c.x.load(acquire));
                             }});
  EXPECT_EQ(got, all_of_two);
}

TEST(Litmus, StoreBufferingFences) {
  const auto full = [] { world::now().fence(); };
  EXPECT_EQ(store_buffering(relaxed, full, full), no_zeros);
  EXPECT_EQ(store_buffering(relaxed, full, [] {}), all_of_two);
}

TEST(Litmus, StoreBufferingSeqCst) {
  EXPECT_EQ(store_buffering(
                sc, [] {}, [] {}),
            no_zeros);
}

// A seq_cst store binds no relaxed load behind it.
TEST(Litmus, StoreBufferingSeqCstStoresOnly) {
  const auto got = outcomes({[](cells& c) {
                               c.x.store(1, sc);
                               keep(c, 0, c.y.load(relaxed));
                             },
                             [](cells& c) {
                               c.y.store(1, sc);
                               keep(c, 1, c.x.load(relaxed));
                             }});
  EXPECT_EQ(got, all_of_two);
}

template <class Machine>
std::set<std::string> light_and_heavy() {
  return store_buffering(
      relaxed, [] { Machine::light_fence(); }, [] { Machine::heavy_fence(); });
}

TEST(Litmus, StoreBufferingLightAndHeavy) {
  EXPECT_EQ(light_and_heavy<membarrier_machine>(), no_zeros);
  EXPECT_EQ(light_and_heavy<staged_machine>(), no_zeros);
  EXPECT_EQ(light_and_heavy<full_fence_machine>(), no_zeros);
  EXPECT_EQ(light_and_heavy<strict_machine>(), all_of_two) << "it has no such fences";
  const auto light = [] { membarrier_machine::light_fence(); };
  EXPECT_EQ(store_buffering(relaxed, light, light), all_of_two) << "two light ones";
}

// x = 1; y = 1  beside  r = y; r = x.
std::set<std::string> message_passing(order tell, order hear) {
  return outcomes({[tell](cells& c) {
                     c.x.store(1, relaxed);
                     c.y.store(1, tell);
                   },
                   [hear](cells& c) {
                     keep(c, 0, c.y.load(hear));
                     keep(c, 1, c.x.load(relaxed));
                   }});
}

TEST(Litmus, MessagePassing) {
  EXPECT_EQ(message_passing(relaxed, relaxed), all_of_two);
  EXPECT_EQ(message_passing(release, relaxed), all_of_two);
  EXPECT_EQ(message_passing(relaxed, acquire), all_of_two);
  const std::set<std::string> fresh = {"00..", "01..", "11.."};
  EXPECT_EQ(message_passing(release, acquire), fresh);
  EXPECT_EQ(message_passing(sc, sc), fresh);
}

TEST(Litmus, MessagePassingByFences) {
  const auto got = outcomes({[](cells& c) {
                               c.x.store(1, relaxed);
                               world::now().fence();
                               c.y.store(1, relaxed);
                             },
                             [](cells& c) {
                               keep(c, 0, c.y.load(relaxed));
                               world::now().fence();
                               keep(c, 1, c.x.load(relaxed));
                             }});
  EXPECT_EQ(got, (std::set<std::string>{"00..", "01..", "11.."}));
}

// A relaxed update between store and load continues the release sequence; a store ends
// it.
TEST(Litmus, ReleaseSequence) {
  const body tells = [](cells& c) {
    c.x.store(1, relaxed);
    c.y.store(1, release);
  };
  const body hears = [](cells& c) {
    keep(c, 0, c.y.load(acquire));
    keep(c, 1, c.x.load(relaxed));
  };
  const auto updated =
      outcomes({tells, [](cells& c) { c.y.fetch_add(1, relaxed); }, hears});
  EXPECT_TRUE(updated.contains("21.."));
  EXPECT_FALSE(updated.contains("20.."));
  const auto stored = outcomes({tells, [](cells& c) { c.y.store(2, relaxed); }, hears});
  EXPECT_TRUE(stored.contains("20.."));
}

TEST(Litmus, CoherenceNeverGoesBack) {
  const auto got = outcomes({[](cells& c) {
                               c.x.store(1, relaxed);
                               c.x.store(2, relaxed);
                             },
                             [](cells& c) {
                               keep(c, 0, c.x.load(relaxed));
                               keep(c, 1, c.x.load(relaxed));
                             }});
  EXPECT_EQ(got, (std::set<std::string>{"00..", "01..", "02..", "11..", "12..", "22.."}));
}

TEST(Litmus, UpdatesLoseNothing) {
  const body adds = [](cells& c) { c.x.fetch_add(1, relaxed); };
  std::set<int> sums;
  explore([&] {
    const auto c = std::make_shared<cells>();
    const auto run = [c, adds] { adds(*c); };
    return program{{{"a", run}, {"b", run}, {"c", run}},
                   [c, &sums] { sums.insert(c->x.load()); }};
  });
  EXPECT_EQ(sums, std::set<int>{3});
}

// C++ allows 11 here (and some processors show it).  This machine does not: loads happen
// in the order of the program.  Our protocols' loads decide what is stored after them, so
// that nothing can come of it; a protocol of which this is not true needs another
// checker.
TEST(Litmus, LoadBufferingIsNotShown) {
  const auto got = outcomes({[](cells& c) {
                               keep(c, 0, c.y.load(relaxed));
                               c.x.store(1, relaxed);
                             },
                             [](cells& c) {
                               keep(c, 1, c.x.load(relaxed));
                               c.y.store(1, relaxed);
                             }});
  EXPECT_EQ(got, (std::set<std::string>{"00..", "01..", "10.."}));
}

// C++ allows both locations to end with the first of the two writes of a thread.  This
// machine does not: a write is the last at once.  Locations of our protocols that two
// threads write at a time are written by updates, which no write can precede unread.
TEST(Litmus, WritesInThePastAreNotShown) {
  const auto got = outcomes({[](cells& c) {
                               c.x.store(1, relaxed);
                               c.y.store(2, relaxed);
                             },
                             [](cells& c) {
                               c.y.store(1, relaxed);
                               c.x.store(2, relaxed);
                             }},
                            [](cells& c) {
                              keep(c, 0, c.x.load());
                              keep(c, 1, c.y.load());
                            });
  EXPECT_EQ(got, (std::set<std::string>{"12..", "21..", "22.."}));
}

// Two readers see two independent writes in opposite orders.
std::set<std::string> independent_writes(order store, order load) {
  return outcomes({[store](cells& c) { c.x.store(1, store); },
                   [store](cells& c) { c.y.store(1, store); },
                   [load](cells& c) {
                     keep(c, 0, c.x.load(load));
                     keep(c, 1, c.y.load(load));
                   },
                   [load](cells& c) {
                     keep(c, 2, c.y.load(load));
                     keep(c, 3, c.x.load(load));
                   }});
}

TEST(Litmus, IndependentReadsOfIndependentWrites) {
  EXPECT_TRUE(independent_writes(release, acquire).contains("1010"));
  const auto strong = independent_writes(sc, sc);
  EXPECT_FALSE(strong.contains("1010"));
  EXPECT_EQ(strong.size(), 15U) << "all others are there";
}

TEST(Litmus, ACompareThatLosesMayReadAnOldValue) {
  const auto got = outcomes({[](cells& c) {
                               c.x.store(1, relaxed);
                               c.x.store(2, relaxed);
                             },
                             [](cells& c) {
                               int expected = 2;
                               const bool won = c.x.compare_exchange_strong(
                                   expected, 3, relaxed, relaxed);
                               keep(c, 0, won ? 9 : expected);
                             }});
  EXPECT_EQ(got, (std::set<std::string>{"0...", "1...", "9..."}));
}

}  // namespace
}  // namespace interleave
