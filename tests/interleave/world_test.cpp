// What programs can do wrong, and that it is found.
#include <memory>

#include <gtest/gtest.h>

#include "check.hpp"
#include "toy_filter.hpp"

namespace interleave::world_test {
namespace {

std::string what_fails(const std::function<program()>& make) {
  const verdict v = explore(make);
  return v.found ? v.found->what : "";
}

struct cell {
  plain<int> data{1, "data"};
};

struct shared {
  atomic<int> x{0, "x"}, y{0, "y"};
  atomic<cell*> pointer{nullptr};
  plain<int> data{0, "data"};
};

template <class... Bodies>
std::function<program()> threads(Bodies... bodies) {
  return [=] {
    const auto s = std::make_shared<shared>();
    return program{{{"thread", [s, bodies] { bodies(*s); }}...}};
  };
}

void wait_for(const atomic<int>& a) {
  for (unsigned n = 0; a.load(acquire) == 0; ++n) membarrier_machine::back_off(n);
}

TEST(World, WaitingEndsWhenTheOtherIsDone) {
  EXPECT_EQ(what_fails(threads(
                [](shared& s) {
                  s.data.set(1);
                  s.x.store(1, release);
                },
                [](shared& s) {
                  wait_for(s.x);
                  require(s.data.get() == 1, "stale data");
                })),
            "");
}

TEST(World, DeadlockIsFound) {
  EXPECT_EQ(what_fails(threads(
                [](shared& s) {
                  wait_for(s.x);
                  s.y.store(1);
                },
                [](shared& s) {
                  wait_for(s.y);
                  s.x.store(1);
                })),
            "deadlock: every thread waits");
}

TEST(World, ASpinWithoutAWaitDoesNotEnd) {
  EXPECT_EQ(what_fails(threads([](shared& s) { s.x.store(1); },
                               [](shared& s) {
                                 while (s.x.load(relaxed) == 0) {
                                 }
                               })),
            "an execution that does not end");
}

// Either of two locations ends the wait.
TEST(World, AWaitForTwoThingsEndsWithEither) {
  const auto wait_for_either = [](shared& s) {
    for (unsigned n = 0; s.x.load(acquire) == 0 && s.y.load(acquire) == 0; ++n)
      membarrier_machine::back_off(n);
  };
  EXPECT_EQ(what_fails(threads([](shared& s) { s.x.store(1); }, wait_for_either)), "");
  EXPECT_EQ(what_fails(threads([](shared& s) { s.y.store(1); }, wait_for_either)), "");
}

TEST(World, RacesAreFound) {
  const auto write = [](shared& s) { s.data.set(1); };
  const auto read = [](shared& s) { s.data.get(); };
  EXPECT_EQ(what_fails(threads(read, read)), "");
  EXPECT_EQ(what_fails(threads(write, write)), "data race: two writes");
  EXPECT_EQ(what_fails(threads(write, read)).substr(0, 9), "data race");
  EXPECT_EQ(what_fails(threads(read, write)).substr(0, 9), "data race");
}

TEST(World, LivesOfObjectsAreWatched) {
  const auto publish = [](std::memory_order o) {
    return [o](shared& s) { s.pointer.store(make<cell>("cell"), o); };
  };
  const auto use = [](shared& s) {
    if (const cell* const c = s.pointer.load(acquire)) c->data.get();
  };
  EXPECT_EQ(what_fails(threads(publish(release), use)), "");
  EXPECT_EQ(what_fails(threads(publish(relaxed), use)),
            "use of an object before it is known to be made");
  EXPECT_EQ(what_fails(threads([](shared& s) {
              cell* const c = make<cell>("cell");
              s.pointer.store(c, release);
              free(c);
              c->data.get();
            })),
            "freed too early: it is used");
  EXPECT_EQ(what_fails(threads([](shared&) {
              cell* const c = make<cell>("cell");
              free(c);
              free(c);
            })),
            "freed twice");
  EXPECT_EQ(what_fails(threads(publish(release), use,
                               [](shared& s) {
                                 if (cell* const c = s.pointer.exchange(nullptr, acq_rel))
                                   free(c);
                               }))
                .substr(0, 15),
            "freed too early");
}

TEST(World, TheScheduleIsTold) {
  const verdict v =
      explore(threads([](shared& s) { s.x.store(1, relaxed); },
                      [](shared& s) { require(s.x.load(relaxed) == 0, "it is one"); }));
  ASSERT_TRUE(v.found);
  EXPECT_EQ(text_of(*v.found),
            "it is one, after 2 steps\n"
            "    thread: store x #0 writes 1\n"
            "    thread: load x #0 reads 1\n");
}

}  // namespace
}  // namespace interleave::world_test
