// A window that moves on under load: no key is denied before its time.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/live/window_filter.hpp>

#include "cases.hpp"
#include "must.hpp"
#include "scripted_filter.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

constexpr std::uint64_t w = 3;

// Keys of one thread, and the epoch until which each must be found.
struct trail {
  explicit trail(std::uint64_t seed) : all(keys(seed, 50'000)), until(all.size()) {}

  const std::vector<key> all;
  std::vector<std::uint64_t> until;
  std::atomic<std::size_t> inserted{0};
};

TEST(WindowLoad, NoKeyIsDeniedBeforeItsTime) {
  auto f = must(window_filter<concurrent<block_bloom>>::make(
      {.params = {.keys = 20'000}, .retention = w, .first_epoch = w}));
  trail present(1), late(2);
  std::atomic<bool> over{false};
  std::atomic<std::uint64_t> denied{0}, asked{0};

  std::vector<std::thread> team;
  team.emplace_back([&] {
    for (std::size_t i = 0; i < present.all.size() && !over; ++i) {
      present.until[i] = f.epoch() + w;  // or later, if it moves on meanwhile
      f.insert(present.all[i]);
      present.inserted = i + 1;
      if (i % 64 == 0) std::this_thread::yield();
    }
  });
  team.emplace_back([&] {
    random from(5);
    for (std::size_t i = 0; i < late.all.size() && !over; ++i) {
      const std::uint64_t epoch = f.epoch() - from.below(w + 1);
      // Refused if the window has left it meanwhile.
      late.until[i] = f.insert_at(late.all[i], epoch) ? epoch + w : 0;
      late.inserted = i + 1;
      if (i % 64 == 0) std::this_thread::yield();
    }
  });
  team.emplace_back([&] {
    random from(7);
    while (!over)
      for (const trail* t : {&present, &late}) {
        const std::size_t n = t->inserted;
        if (n == 0) continue;
        const std::size_t i = n - 1 - from.below(std::min<std::size_t>(n, 2000));
        const bool found = f.may_contain(t->all[i]);
        bool in_batch = false;
        f.may_contain(std::span(&t->all[i], 1), std::span(&in_batch, 1));
        // The epoch only grows: if it is not past now, it was not when asked.
        if (f.epoch() <= t->until[i]) denied += !found + !in_batch, ++asked;
      }
  });
  random from(9);
  for (int i = 0; i < 400; ++i) {
    must(f.advance(f.epoch() + (from.below(10) == 0 ? 2 + from.below(4) : 1)));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  over = true;
  for (auto& t : team) t.join();
  EXPECT_EQ(denied, 0u);
  EXPECT_GT(asked, 100u);
  count_cases("lookups", asked);
}

// An insert stops half-way in a filter that expires meanwhile: were it cleared at once,
// the key would be in the epoch that gets this filter next.
TEST(WindowLoad, AFilterIsNotClearedBeforeInsertsUnderWayHaveEnded) {
  auto f = must(
      window_filter<scripted_filter>::make({.params = {.keys = 100}, .retention = 0}));
  std::atomic<bool> held{false}, go_on{false}, advanced{false};
  script::now().on_insert = [&](key) {
    held = true;
    while (!go_on) std::this_thread::yield();
  };
  std::thread writer([&] { f.insert("slow"); });
  while (!held) std::this_thread::yield();
  std::thread clock([&] {
    must(f.advance(1));
    advanced = true;
  });
  while (f.epoch() != 1) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(advanced);
  go_on = true;
  writer.join();
  clock.join();
  script::now() = {};
  EXPECT_FALSE(f.may_contain("slow"));
  must(f.advance(2));
  EXPECT_FALSE(f.may_contain("slow")) << "two epochs after its own";
}

TEST(WindowLoad, SeveralThreadsMayAdvance) {
  auto f = must(window_filter<concurrent<block_bloom>>::make(
      {.params = {.keys = 100}, .retention = 2}));
  std::vector<std::thread> team;
  for (int t = 0; t < 3; ++t)
    team.emplace_back([&] {
      for (std::uint64_t e = 1; e <= 300; ++e)
        (void)f.advance(e);  // refused where another is ahead
    });
  for (auto& t : team) t.join();
  EXPECT_EQ(f.epoch(), 300u);
  f.insert("alice");
  must(f.advance(302));
  EXPECT_TRUE(f.may_contain("alice"));
  must(f.advance(303));
  EXPECT_FALSE(f.may_contain("alice"));
}

}  // namespace
}  // namespace bloomery::testing
