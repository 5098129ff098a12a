// Counts of threads, in the lines of their pins.
#include <bloomery/detail/live/thread_counts.hpp>

#include <atomic>
#include <cstdint>
#include <latch>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "must.hpp"

namespace bloomery {
namespace {

using testing::must;
using slots = rcu_domain<thread_counts<>>;

TEST(ThreadCounts, KeepsItsNumbersApart) {
  thread_counts<> c;
  c.add(count_of::maybes, 1, false);
  c.add(count_of::lookups, 2, true);
  c.add(count_of::inserted, 3, false);
  c.add(count_of::confirmed_present, 4, true);
  c.add(count_of::confirmed_absent, 5, false);
  c.add(count_of::confirmed_absent, 50, true);
  EXPECT_EQ(c.read(count_of::maybes), 1);
  EXPECT_EQ(c.read(count_of::lookups), 2);
  EXPECT_EQ(c.read(count_of::inserted), 3);
  EXPECT_EQ(c.read(count_of::confirmed_present), 4);
  EXPECT_EQ(c.read(count_of::confirmed_absent), 55);
}

// A machine that tells what was done to its numbers.
struct told_machine {
  template <class T>
  struct atomic {
    T value{};
    unsigned locked = 0, stored = 0;

    T load(std::memory_order) const { return value; }
    void store(T x, std::memory_order) { value = x, ++stored; }
    void fetch_add(T x, std::memory_order) { value += x, ++locked; }
  };
};

// One's own line costs no locked instruction; a shared one loses nothing for having one.
TEST(ThreadCounts, AddsByOneLockedInstructionOnlyWhereOthersAdd) {
  told_machine::atomic<std::uint64_t> number;
  add_to<told_machine>(number, 3, false);
  EXPECT_EQ(number.stored, 1);
  EXPECT_EQ(number.locked, 0);
  add_to<told_machine>(number, 4, true);
  EXPECT_EQ(number.stored, 1);
  EXPECT_EQ(number.locked, 1);
  EXPECT_EQ(number.value, 7);
}

// Some threads have lines of their own, the others one together; and two waves of them,
// as lines of ended threads are used again.  A reader never sees a sum fall.
TEST(ThreadCounts, SumsOverThreadsWithAndWithoutLines) {
  const auto all = must(slots::make(3));
  constexpr unsigned threads = 6, each = 20000;
  std::atomic<bool> done{false};
  std::atomic<std::uint64_t> most{0};
  std::thread reader([&] {
    std::uint64_t before = 0;
    while (!done.load()) {
      const std::uint64_t now = sum_counts(all, most).lookups.maybes;
      EXPECT_GE(now, before);
      before = now;
    }
  });
  for (int wave = 0; wave < 2; ++wave) {
    std::latch all_have_numbers(threads);
    std::vector<std::thread> team;
    for (unsigned t = 0; t < threads; ++t)
      team.emplace_back([&] {
        this_platform::thread_number();
        all_have_numbers.arrive_and_wait();
        for (unsigned i = 0; i < each; ++i) {
          const slots::pin pin(all);
          if (i % 4 != 0) pin.extra().add(count_of::maybes, 1, pin.is_shared());
          pin.extra().add(count_of::lookups, 1, pin.is_shared());
          pin.extra().add(count_of::inserted, 2, pin.is_shared());
        }
      });
    for (std::thread& t : team) t.join();
  }
  done = true;
  reader.join();
  const counted sum = sum_counts(all, most);
  EXPECT_EQ(sum.lookups,
            (lookup_counts{2 * threads * each / 4, 2 * threads * each / 4 * 3, 0, 0}));
  EXPECT_EQ(sum.inserted, 4 * threads * each);
}

}  // namespace
}  // namespace bloomery
