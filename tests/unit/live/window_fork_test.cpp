// A process forks while another of its threads moves a window on, at each point at which
// that can stop: the window of the child is whole.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/live/window_filter.hpp>

#include "forked.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

// Stops in its lookups or when it is cleared, once, if it is told to.
struct stop_sign {
  std::atomic<bool> in_lookup{false}, in_clear{false};
  std::atomic<bool> stopped{false}, go_on{false};

  static stop_sign& now() {
    static stop_sign one;
    return one;
  }
  void reset() { in_lookup = in_clear = stopped = go_on = false; }
  void pass(std::atomic<bool>& here) {
    if (!here.exchange(false)) return;
    stopped = true;
    while (!go_on) std::this_thread::yield();
  }
};

class stopping_filter : public concurrent<block_bloom> {
  using base = concurrent<block_bloom>;

 public:
  explicit stopping_filter(base f) noexcept : base(std::move(f)) {}
  static result<stopping_filter> make(const params& p) noexcept {
    auto f = base::make(p);
    if (!f) return f.error();
    return stopping_filter(*std::move(f));
  }
  using base::may_contain;
  bool may_contain(key k) const noexcept {
    stop_sign::now().pass(stop_sign::now().in_lookup);
    return base::may_contain(k);
  }
  void clear() noexcept {
    stop_sign::now().pass(stop_sign::now().in_clear);
    base::clear();
  }
};

using window = window_filter<stopping_filter>;
constexpr std::uint64_t retention = 3;

std::string name_of_epoch(std::uint64_t e) { return "epoch " + std::to_string(e); }

// Each epoch from `first` on has a key of its name.
window window_with_keys(std::uint64_t last) {
  auto f = must(window::make({.params = {.keys = 1000}, .retention = retention}));
  for (std::uint64_t e = 0; e <= last; ++e) {
    must(f.advance(e));
    f.insert(name_of_epoch(e));
  }
  return f;
}

// Every epoch has a filter of its own, with what was inserted in it alone.
void expect_whole_in_child(window& f, std::uint64_t skipped_from, std::uint64_t now) {
  in_child_expect(f.epoch() == now, "another epoch");
  for (std::uint64_t e = now - retention; e <= now; ++e)
    in_child_expect(f.may_contain(name_of_epoch(e)) == (e < skipped_from),
                    "the window is not what it was");
  for (std::uint64_t e = now - retention; e <= now; ++e)
    in_child_expect(f.insert_at("late " + name_of_epoch(e), e).has_value(), "no insert");
  for (std::uint64_t e = now; e < now + 20; ++e) {
    in_child_expect(f.advance(e).has_value(), "no advance");
    f.insert(name_of_epoch(e));
    for (std::uint64_t then = now; then <= e; ++then)
      in_child_expect(f.may_contain(name_of_epoch(then)) == (then + retention >= e),
                      "a key is not found in its time, or after it");
    for (std::uint64_t then = now - retention; then <= now; ++then)
      in_child_expect(
          f.may_contain("late " + name_of_epoch(then)) == (then + retention >= e),
          "a late key is not found in its time, or after it");
  }
  in_child_expect(f.advance(now + 100).has_value(), "no leap");
  for (std::uint64_t e = now; e < now + 20; ++e)
    in_child_expect(!f.may_contain(name_of_epoch(e)), "a key outlives a leap");
}

class WindowFork : public WithWatchdog {
 protected:
  void SetUp() override {
    WithWatchdog::SetUp();
    stop_sign::now().reset();
  }
  // Forks when a thread that goes to epoch `to` has stopped at the sign.
  static void stopped_then_fork(std::uint64_t last, std::uint64_t to) {
    auto f = window_with_keys(last);
    stop_sign& sign = stop_sign::now();
    sign.in_clear = true;
    std::jthread mover([&] { EXPECT_TRUE(f.advance(to)); });
    while (!sign.stopped) std::this_thread::yield();
    EXPECT_TRUE(ends_well_in_child([&] { expect_whole_in_child(f, last + 1, to); }));
    sign.go_on = true;
    mover.join();
    EXPECT_EQ(f.epoch(), to);
    EXPECT_EQ(f.may_contain(name_of_epoch(last)), last + retention >= to);
  }
};

TEST_F(WindowFork, BeforeTheExpiredFilterIsCleared) { stopped_then_fork(10, 11); }
TEST_F(WindowFork, BeforeSkippedEpochsHaveFilters) { stopped_then_fork(10, 13); }
TEST_F(WindowFork, BeforeAllFiltersAreCleared) { stopped_then_fork(10, 50); }

// The thread that advances waits for one that looks up; the child has neither.
TEST_F(WindowFork, WhileALookupIsWaitedFor) {
  auto f = window_with_keys(10);
  stop_sign& sign = stop_sign::now();
  sign.in_lookup = true;
  std::jthread reader([&] { f.may_contain(name_of_epoch(10)); });
  while (!sign.stopped) std::this_thread::yield();
  std::jthread mover([&] { EXPECT_TRUE(f.advance(12)); });
  while (f.epoch() != 12) std::this_thread::yield();
  EXPECT_TRUE(ends_well_in_child([&] { expect_whole_in_child(f, 11, 12); }));
  sign.go_on = true;
}

TEST_F(WindowFork, SixtyTimesBesideLookups) {
  auto f = window_with_keys(10);
  const std::string name = name_of_epoch(10);
  const auto look_up = [&] { f.may_contain(name); };
  const auto crew = threads_that_repeat(look_up, look_up, look_up);
  for (int i = 0; i < 60; ++i)
    ASSERT_TRUE(ends_well_in_child([&] { expect_whole_in_child(f, 11, 10); }));
}

}  // namespace
}  // namespace bloomery::testing
