// The machine itself: what C++ allows of relaxed, acquire and release must be shown, and
// what it forbids must not.
#include <set>
#include <string>

#include "litmus.hpp"

namespace interleave::litmus {
namespace {

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

// A fence on either side stands for the order of that side.
TEST(Litmus, MessagePassingByFences) {
  const auto pass = [](bool tells_by_fence, bool hears_by_fence) {
    return outcomes({[=](cells& c) {
                       c.x.store(1, relaxed);
                       if (tells_by_fence) world::now().fence();
                       c.y.store(1, tells_by_fence ? relaxed : release);
                     },
                     [=](cells& c) {
                       keep(c, 0, c.y.load(hears_by_fence ? relaxed : acquire));
                       if (hears_by_fence) world::now().fence();
                       keep(c, 1, c.x.load(relaxed));
                     }});
  };
  const std::set<std::string> fresh = {"00..", "01..", "11.."};
  EXPECT_EQ(pass(true, true), fresh);
  EXPECT_EQ(pass(true, false), fresh);
  EXPECT_EQ(pass(false, true), fresh);
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
}  // namespace interleave::litmus
