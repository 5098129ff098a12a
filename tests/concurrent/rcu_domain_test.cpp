// Slots of readers at their edges: more threads than slots, and threads that end.
#include <bloomery/detail/sync/rcu_domain.hpp>

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "crew.hpp"
#include "must.hpp"

namespace bloomery::testing {
namespace {

struct nothing {};
using slots = rcu_domain<nothing>;

// There is always somebody inside, and never the same for long: a wait that wanted nobody
// at all would not end.
TEST(ReaderSlots, ManyWhoShareASlotDoNotHoldUpAWait) {
  const auto all = must(slots::make(0));
  std::atomic<bool> done = false;
  std::atomic<unsigned> inside = 0;
  with_threads(4, [&](std::size_t t) {
    if (t == 3) {
      while (inside < 3) std::this_thread::yield();
      for (int i = 0; i < 20; ++i) all.synchronize();
      done = true;
      return;
    }
    ++inside;
    // Two pins that overlap: at no moment does this thread hold none.
    auto held = std::make_unique<slots::pin>(all);
    while (!done) {
      auto next = std::make_unique<slots::pin>(all);
      std::this_thread::yield();
      held = std::move(next);
    }
  });
  EXPECT_TRUE(done);
}

unsigned number_at_the_end = 0;
struct asks_late {
  ~asks_late() { number_at_the_end = this_platform::thread_number(); }
};

// Its number may be another's by then.
TEST(ReaderSlots, AThreadThatHasEndedHasNoSlotOfItsOwn) {
  std::thread([] {
    thread_local asks_late before_the_number;
    (void)&before_the_number;
    EXPECT_LT(this_platform::thread_number(), this_platform::max_thread_numbers);
  }).join();
  EXPECT_EQ(number_at_the_end, this_platform::max_thread_numbers);
}

}  // namespace
}  // namespace bloomery::testing
