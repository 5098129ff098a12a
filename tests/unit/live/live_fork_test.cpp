// A process with readers, writers and a rebuild under way forks: its child, in which only
// one thread goes on, can do with its filters all that the parent can.
#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/live/live_filter.hpp>
#include <bloomery/live/live_watch.hpp>
#include <bloomery/live/rekeyable_filter.hpp>
#include <bloomery/live/tenant_rates.hpp>

#include "cases.hpp"
#include "forked.hpp"
#include "live_samples.hpp"
#include "must.hpp"
#include "scripted_filter.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

using block = concurrent<block_bloom>;
using locked_block = concurrent<block_bloom, locked>;

class LiveFork : public WithWatchdog {
 protected:
  void TearDown() override {
    script::now() = {};
    WithWatchdog::TearDown();
  }
};

void until(const std::function<bool()>& happened) {
  while (!happened()) std::this_thread::yield();
}

template <class F>
F with_keys(const std::vector<key>& ks) {
  auto f = must(F::make({.keys = 1000}));
  f.insert(std::span(ks));
  return f;
}

// Threads that are somewhere inside f all the time.
template <class Live>
std::vector<std::jthread> busy_with(Live& f, const std::vector<key>& ks) {
  return threads_that_repeat(
      [&] {
        for (const key k : ks) f.may_contain(k);
      },
      [&] {
        for (const key k : ks) f.insert_if_absent(k);
      },
      [&] {
        const auto r = f.read();
        for (const key k : ks) r.may_contain(k);
      });
}

// All that a child may do.
template <class F>
void use_in_child(live_filter<F>& f, const std::vector<key>& ks) {
  in_child_expect(count_denied(f, ks) == 0, "a key is denied");
  const key k = f.hash("of the child");
  f.insert(k);
  f.insert_if_absent(f.hash("another"));
  for (const key one : ks) f.insert_if_absent(one);  // each lock once
  in_child_expect(f.may_contain(k), "its own key is denied");
  in_child_expect(f.swap(with_keys<F>(ks)).has_value(), "no swap");
  in_child_expect(count_denied(f, ks) == 0, "a key is denied after a swap");
  in_child_expect(
      f.rebuild({.params = {.keys = 2000}, .min_keys = 1}, source_of(ks)).has_value(),
      "no rebuild");
  in_child_expect(count_denied(f, ks) == 0, "a key is denied after a rebuild");
  in_child_expect(f.status().rebuild.phase == rebuild_phase::idle, "not idle");
  in_child_expect(f.clear().has_value(), "no clear");
}

// Threads of the child take the numbers of threads that it does not have.
template <class Live>
void use_by_threads_of_child(Live& f, const std::vector<key>& ks) {
  if (!child_may_start_threads) return;
  std::vector<std::jthread> crew;
  for (int t = 0; t < 4; ++t)
    crew.emplace_back([&] {
      for (int n = 0; n < 5; ++n) {
        const auto r = f.read();
        for (const key k : ks) r.may_contain(k);
      }
      for (const key k : ks) f.insert_if_absent(k), f.may_contain(k);
    });
  for (int n = 0; n < 5; ++n)
    in_child_expect(f.clear().has_value(), "no clear beside threads");
}

template <class F>
void fork_sixty_times(unsigned slots) {
  const auto ks = keys(1, 200);
  auto f = must(live_filter<F>::make(with_keys<F>(ks), {.threads = slots}));
  const auto crew = busy_with(f, ks);
  for (int i = 0; i < 60; ++i)
    ASSERT_TRUE(ends_well_in_child([&] {
      use_in_child(f, ks);
      use_by_threads_of_child(f, ks);
    })) << "child "
        << i;
  count_cases("forks", 60);
  EXPECT_EQ(count_denied(f, ks), 0U);
  EXPECT_TRUE(f.swap(with_keys<F>(ks)));
}

TEST_F(LiveFork, SixtyTimesBesideReaders) { fork_sixty_times<block>(128); }
TEST_F(LiveFork, SixtyTimesBesideReadersThatShareASlot) { fork_sixty_times<block>(0); }
TEST_F(LiveFork, SixtyTimesBesideLockedInserts) { fork_sixty_times<locked_block>(2); }

// A child of a child, with threads and without.
TEST_F(LiveFork, AGrandchild) {
  const auto ks = keys(1, 200);
  auto f = must(live_filter<block>::make(with_keys<block>(ks)));
  const auto crew = busy_with(f, ks);
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(ends_well_in_child([&] {
      std::vector<std::jthread> more;
      if (child_may_start_threads) more = busy_with(f, ks);
      in_child_expect(ends_well_in_child([&] { use_in_child(f, ks); }), "the grandchild");
      for (auto& t : more) t.request_stop();
      more.clear();
      use_in_child(f, ks);
    }));
}

void keeps_its_readers(unsigned slots) {
  const auto ks = keys(1, 200);
  auto f = must(live_filter<block>::make(with_keys<block>(ks), {.threads = slots}));
  const auto crew = busy_with(f, ks);
  using reader = live_filter<block>::reader;
  std::unique_ptr<reader> outer(new reader(f.read())), inner(new reader(f.read()));
  EXPECT_TRUE(ends_well_in_child([&] {
    in_child_expect(outer->may_contain(ks[0]), "the reader denies a key");
    in_child_expect(!f.swap(with_keys<block>(ks)).has_value(), "a swap under a reader");
    outer.reset();
    in_child_expect(!f.clear().has_value(), "a clear under a reader");
    in_child_expect(inner->may_contain(ks[0]), "the second reader denies a key");
    inner.reset();
    use_in_child(f, ks);
  }));
  EXPECT_FALSE(f.swap(with_keys<block>(ks)));
}

TEST_F(LiveFork, TheForkingThreadKeepsItsReaders) { keeps_its_readers(128); }
TEST_F(LiveFork, TheForkingThreadKeepsItsReadersInASharedSlot) { keeps_its_readers(0); }

// Somebody in the parent waits for readers, and holds the lock of those who replace.
TEST_F(LiveFork, WhileAnotherThreadSwaps) {
  const auto ks = keys(1, 200);
  auto f = must(live_filter<block>::make(with_keys<block>(ks)));
  std::atomic<bool> reads{false}, swaps{false}, over{false};
  std::jthread reader([&] {
    const auto r = f.read();
    reads = true;
    until([&] { return over.load(); });
  });
  until([&] { return reads.load(); });
  std::jthread swapper([&] {
    swaps = true;
    EXPECT_TRUE(f.swap(with_keys<block>(ks)));
  });
  until([&] { return swaps && f.status().generation == 2; });
  EXPECT_TRUE(ends_well_in_child([&] { use_in_child(f, ks); }));
  over = true;
}

// The rebuild of a thread that the child does not have is one that was rolled back.
TEST_F(LiveFork, WhileAnotherThreadRebuilds) {
  const auto ks = keys(1, 200);
  auto f = must(live_filter<block>::make(with_keys<block>(ks)));
  std::atomic<bool> asked{false}, over{false};
  std::jthread rebuilder([&] {
    EXPECT_TRUE(f.rebuild({.params = {.keys = 2000}, .min_keys = 0},
                          [&](std::span<key>) -> result<std::size_t> {
                            asked = true;
                            until([&] { return over.load(); });
                            return 0;
                          }));
  });
  until([&] { return asked.load(); });
  EXPECT_TRUE(ends_well_in_child([&] {
    const rebuild_status r = f.status().rebuild;
    in_child_expect(r.phase == rebuild_phase::idle, "a rebuild that nobody runs");
    in_child_expect(r.started == 1 && r.rolled_back == 1, "not counted as rolled back");
    in_child_expect(r.last_error && r.last_error->what != nullptr, "no reason given");
    in_child_expect(!f.stop_rebuild(), "something to stop");
    use_in_child(f, ks);
  }));
  EXPECT_EQ(f.status().rebuild.phase, rebuild_phase::filling);
  over = true;
}

// The thread that rebuilds forks, from its source: both go on with it.
TEST_F(LiveFork, FromTheSourceOfARebuild) {
  const auto ks = keys(1, 200);
  auto f = must(live_filter<block>::make(with_keys<block>(ks)));
  const auto crew = busy_with(f, ks);
  pid_t child = -1;
  auto give = source_of(ks);
  const auto rebuilt = f.rebuild({.params = {.keys = 2000}, .min_keys = 1},
                                 [&](std::span<key> out) -> result<std::size_t> {
                                   if (child < 0) child = fork_with_watchdog();
                                   return give(out);
                                 });
  if (child == 0) {
    in_child_expect(rebuilt.has_value(), "the rebuild failed");
    in_child_expect(f.status().rebuild.succeeded == 1, "not counted");
    use_in_child(f, ks);
    ::_exit(0);
  }
  EXPECT_TRUE(ended_well(child));
  EXPECT_TRUE(rebuilt);
  EXPECT_EQ(count_denied(f, ks), 0U);
}

// One died while it held the lock of a stripe.
TEST_F(LiveFork, WhileAnotherThreadHoldsTheLockOfAKey) {
  auto f = live_of(1000);
  const key k = f.hash("slow");
  std::atomic<bool> held{false}, go_on{false};
  script::now().on_insert = [&](key) {
    if (!held.exchange(true)) until([&] { return go_on.load(); });
  };
  std::jthread inserter([&] { EXPECT_TRUE(f.insert_if_absent(k)); });
  until([&] { return held.load(); });
  EXPECT_TRUE(ends_well_in_child([&] {
    in_child_expect(f.insert_if_absent(k), "the key is new to the child");
    in_child_expect(!f.insert_if_absent(k), "now it is not");
    in_child_expect(f.clear().has_value(), "no clear");
  }));
  go_on = true;
}

#if defined(__linux__)
// The fence that a writer sends to readers reaches those of the child.
TEST_F(LiveFork, TheFenceOfWritersWorksInTheChild) {
  const auto ks = keys(1, 10);
  auto f = must(live_filter<block>::make(with_keys<block>(ks)));
  const auto fence = [] {
    return ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  };
  const auto here = fence();
  EXPECT_TRUE(ends_well_in_child(
      [&] { in_child_expect(fence() == here, "another answer of membarrier"); }));
}
#endif

// The other objects that count by thread.
TEST_F(LiveFork, RekeyableFiltersAndWatches) {
  auto f = must(rekeyable_filter<block>::make(must(block::make({.keys = 1000}))));
  auto rates = must(tenant_rates::make(2));
  f.insert("alice");
  std::vector<std::jthread> crew;
  for (int t = 0; t < 3; ++t)
    crew.emplace_back([&](const std::stop_token& over) {
      while (!over.stop_requested()) {
        rates.lookup(0, f.may_contain("alice"));
        f.insert_if_absent("bob");
        f.examine([](const auto& serving) { (void)serving.fill(); });
      }
    });
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(ends_well_in_child([&] {
      live_watch watch({.kind = "block_bloom", .asked_fpr = 0.01});
      in_child_expect(f.may_contain("alice"), "alice is denied");
      in_child_expect(watch.sample(f, 1).has_value(), "no sample");
      in_child_expect(watch.metrics(f).generation == 1, "another generation");
      rates.lookup(1, true);
      in_child_expect(rates.counts(1).maybes == 1, "a count is lost");
      const auto give = [](auto& put) -> result<void> {
        put(std::string_view("alice"));
        return {};
      };
      in_child_expect(
          f.rebuild({.params = {.keys = 1000, .hasher = hasher::xxh3(7)}, .min_keys = 1},
                    give)
              .has_value(),
          "no rebuild");
      in_child_expect(f.may_contain("alice"), "alice is denied after a rebuild");
      in_child_expect(f.clear().has_value(), "no clear");
    }));
}

}  // namespace
}  // namespace bloomery::testing
