// Readers that outlive the thread number they began with: held by a thread_local that is
// destroyed later than the number's, or made in the destructor of one.
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/detail/sync/platform.hpp>
#include <bloomery/live/live_filter.hpp>

#include "forked.hpp"
#include "full.hpp"
#include "must.hpp"

namespace bloomery::testing {
namespace {

using live_block = live_filter<concurrent<block_bloom>>;

live_block live_with_alice(const live_options& o = {}) {
  auto f = must(concurrent<block_bloom>::make({.keys = 1000}));
  f.insert("alice");
  return must(live_block::make(std::move(f), o));
}

concurrent<block_bloom> another_with_alice() {
  auto f = must(concurrent<block_bloom>::make({.keys = 1000}));
  f.insert("alice");
  return f;
}

class LiveThreadEnd : public WithWatchdog {};

// A step at the end of a thread, in the destructor of a thread_local.
struct at_thread_end {
  std::function<void()> call = [] {};
  ~at_thread_end() { call(); }
};

// Destroyed in the opposite order, after the number of the thread: that is asked for
// later than all of these are made.
struct reader_of_thread {
  std::unique_ptr<live_block::reader> reader;
  at_thread_end before_it_ends;
};
thread_local reader_of_thread early;

void hold_early(const live_block& f, std::function<void()> before_it_ends) {
  early.before_it_ends.call = std::move(before_it_ends);
  ASSERT_EQ(this_platform::thread_number_if_any(), this_platform::no_number);
  early.reader.reset(new live_block::reader(f.read()));
}

// The number must not be another's while the reader lives: that other thread would be
// taken for the reader.
TEST_F(LiveThreadEnd, TheNumberIsKeptForAReaderInAThreadLocal) {
  auto f = live_with_alice();
  std::atomic<bool> ending{false}, swapping{false};
  std::thread a([&] {
    hold_early(f, [&] {
      ending = true;
      while (!swapping) std::this_thread::yield();
      EXPECT_TRUE(early.reader->may_contain(f.hash("alice")));
    });
  });
  while (!ending) std::this_thread::yield();
  std::thread b([&] {
    {
      const auto mine = f.read();  // asks for a number
      EXPECT_TRUE(mine.may_contain(f.hash("alice")));
    }
    swapping = true;
    const auto swapped = f.swap(another_with_alice());
    EXPECT_TRUE(swapped) << swapped.error().what;
  });
  b.join();
  a.join();
  EXPECT_TRUE(f.swap(another_with_alice()));
}

// Threads end with readers and others begin, all the time, beside a writer.  A reader
// ends while a thread that began after the end of its own is busy.
TEST_F(LiveThreadEnd, ManyThreadsWithEarlyReadersBesideAWriter) {
  auto f = live_with_alice();
  std::atomic<bool> done{false};
  std::atomic<int> begun{0}, denied{0};
  std::thread writer([&] {
    while (!done) {
      const auto swapped = f.swap(another_with_alice());
      EXPECT_TRUE(swapped) << swapped.error().what;
    }
  });
  const auto short_life = [&] {
    hold_early(f, [&] {
      const int before = begun;
      for (int n = 0; n < 1000 && begun == before; ++n) std::this_thread::yield();
      denied += !early.reader->may_contain(f.hash("alice"));
    });
    ++begun;
    for (int n = 0; n < (sanitized ? 2'000 : 20'000); ++n) f.insert("bob");
  };
  std::vector<std::thread> crew;
  for (int t = 0; t < 8; ++t)
    crew.emplace_back([&] {
      for (int i = 0; i < 60; ++i) std::thread(short_life).join();
    });
  for (auto& t : crew) t.join();
  done = true;
  writer.join();
  EXPECT_EQ(denied, 0);
  EXPECT_TRUE(f.swap(another_with_alice()));
}

// Made when the number is gone, and asked, and ended.
TEST_F(LiveThreadEnd, AReaderMadeAfterTheNumberWasGivenBack) {
  auto f = live_with_alice();
  std::atomic<bool> done{false};
  std::thread writer([&] {
    while (!done) EXPECT_TRUE(f.swap(another_with_alice()));
  });
  for (int i = 0; i < 200; ++i)
    std::thread([&] {
      thread_local at_thread_end late;
      late.call = [&] {
        EXPECT_EQ(this_platform::thread_number(), this_platform::max_thread_numbers);
        const auto r = f.read();
        EXPECT_TRUE(r.may_contain(f.hash("alice")));
        f.insert("carol");
        EXPECT_FALSE(f.swap(another_with_alice())) << "it would wait for itself";
      };
      EXPECT_TRUE(f.may_contain("alice"));
    }).join();
  done = true;
  writer.join();
}

// The number stays the thread's as long as one of its readers lives, of whatever filter.
TEST_F(LiveThreadEnd, ReadersOfSeveralFiltersThatEndInAnyOrder) {
  auto f = live_with_alice(), g = live_with_alice();
  std::thread([&] {
    hold_early(f, [&] {
      std::unique_ptr<live_block::reader> of_g(new live_block::reader(g.read()));
      early.reader.reset();
      // Nothing of f is held any more; the reader of g still is.
      EXPECT_TRUE(f.swap(another_with_alice()));
      EXPECT_FALSE(g.swap(another_with_alice())) << "it would wait for itself";
      EXPECT_TRUE(of_g->may_contain(g.hash("alice")));
      EXPECT_LT(this_platform::thread_number(), this_platform::max_thread_numbers);
      of_g.reset();
      EXPECT_EQ(this_platform::thread_number(), this_platform::max_thread_numbers);
      EXPECT_TRUE(g.swap(another_with_alice()));
    });
  }).join();
}

// More threads than there are numbers, one after the other: each number comes back.
TEST_F(LiveThreadEnd, NumbersComeBack) {
  auto f = live_with_alice();
  unsigned largest = 0;
  for (unsigned i = 0; i < this_platform::max_thread_numbers + 100; ++i)
    std::thread([&] {
      hold_early(f, [] {});
      largest = std::max(largest, this_platform::thread_number());
    }).join();
  EXPECT_LT(largest, 64U);
}

TEST_F(LiveThreadEnd, AThreadThatSharesASlotDoesNotWaitForItselfEither) {
  auto f = live_with_alice({.threads = 0});
  {
    const auto first = f.read();
    const auto second = f.read();
    const auto refused = f.swap(another_with_alice());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, errc::invalid_argument);
    EXPECT_FALSE(f.clear());
  }
  EXPECT_TRUE(f.swap(another_with_alice()));
}

#if !defined(NDEBUG)
TEST(LiveThreadEndDeathTest, AReaderStaysInItsThread) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        auto f = live_with_alice();
        std::unique_ptr<live_block::reader> r(new live_block::reader(f.read()));
        std::thread([&] { r.reset(); }).join();
      },
      "ends in the thread that made it");
}
#endif

}  // namespace
}  // namespace bloomery::testing
