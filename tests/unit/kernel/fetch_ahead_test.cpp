// Law: the loop of batched inserts fetches every key once, a fixed number of keys before
// its use, and uses every key once, in order and no more than a group at a time.
#include "kernel/fetch_ahead.hpp"

#include <gtest/gtest.h>

namespace bloomery::kernel {
namespace {

template <fetch_plan plan>
void hold() {
  for (std::size_t n = 0; n <= 3 * (plan.group + plan.ahead); ++n) {
    SCOPED_TRACE(::testing::Message()
                 << "group=" << plan.group << " ahead=" << plan.ahead << " n=" << n);
    std::size_t fetched = 0, used = 0;
    fetch_ahead<plan>(
        n,
        [&](std::size_t first, std::size_t count) noexcept {
          EXPECT_EQ(first, fetched);
          fetched += count;
          EXPECT_LE(fetched - used, plan.ahead + plan.group);
        },
        [&](std::size_t first, std::size_t count) noexcept {
          EXPECT_EQ(first, used);
          EXPECT_LE(count, plan.group);
          used += count;
          // While there are more, as many as planned are on their way.
          EXPECT_TRUE(fetched == n || fetched - used >= plan.ahead);
          EXPECT_LE(used, fetched);
        });
    EXPECT_EQ(fetched, n);
    EXPECT_EQ(used, n);
  }
}

TEST(FetchAhead, FetchesBeforeItUses) {
  hold<block_inserts>();
  hold<block_shared_inserts>();
  hold<block_locked_inserts>();
  hold<bit_inserts>();
  hold<fetch_plan{.group = 1, .ahead = 1}>();
  hold<fetch_plan{.group = 5, .ahead = 3}>();
  hold<fetch_plan{.group = 7, .ahead = 64}>();
}

}  // namespace
}  // namespace bloomery::kernel
