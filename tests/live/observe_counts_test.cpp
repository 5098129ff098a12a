// Counts of threads, in the lines of their pins.
#include <bloomery/thread_counts.hpp>

#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "must.hpp"

namespace bloomery {
namespace {

using testing::must;
using slots = reader_slots<thread_counts<>>;

TEST(ThreadCounts, KeepsItsNumbersApart) {
  thread_counts<> c;
  c.add(count_of::maybes, 1, false);
  c.add(count_of::negatives, 2, true);
  c.add(count_of::inserted, 3, false);
  c.add(count_of::confirmed_present, 4, true);
  c.add(count_of::confirmed_absent, 5, false);
  c.add(count_of::confirmed_absent, 50, true);
  EXPECT_EQ(c.read(count_of::maybes), 1);
  EXPECT_EQ(c.read(count_of::negatives), 2);
  EXPECT_EQ(c.read(count_of::inserted), 3);
  EXPECT_EQ(c.read(count_of::confirmed_present), 4);
  EXPECT_EQ(c.read(count_of::confirmed_absent), 55);
}

// Some threads have lines of their own, the others one together; and two waves of them,
// as lines of ended threads are used again.  A reader never sees a sum fall.
TEST(ThreadCounts, SumsOverThreadsWithAndWithoutLines) {
  const auto all = must(slots::make(3));
  constexpr unsigned threads = 6, each = 20000;
  std::atomic<bool> done{false};
  std::thread reader([&] {
    std::uint64_t before = 0;
    while (!done.load()) {
      const std::uint64_t now = sum_counts(all).lookups.maybes;
      EXPECT_GE(now, before);
      before = now;
    }
  });
  for (int wave = 0; wave < 2; ++wave) {
    std::vector<std::thread> team;
    for (unsigned t = 0; t < threads; ++t)
      team.emplace_back([&] {
        for (unsigned i = 0; i < each; ++i) {
          const slots::pin pin(all);
          pin.extra().add(i % 4 == 0 ? count_of::negatives : count_of::maybes, 1,
                          pin.is_shared());
          pin.extra().add(count_of::inserted, 2, pin.is_shared());
        }
      });
    for (std::thread& t : team) t.join();
  }
  done = true;
  reader.join();
  const counted sum = sum_counts(all);
  EXPECT_EQ(sum.lookups,
            (lookup_counts{2 * threads * each / 4, 2 * threads * each / 4 * 3, 0, 0}));
  EXPECT_EQ(sum.inserted, 4 * threads * each);
}

}  // namespace
}  // namespace bloomery
