// Rebuilds that fail: the old generation serves on, nothing is written twice any more,
// memory is freed, the status tells, and the next rebuild succeeds.
#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "live_samples.hpp"

namespace bloomery::testing {
namespace {

class LiveFaults : public ::testing::Test {
 protected:
  void SetUp() override { f_.insert(std::span<const key>(old_)); }
  void TearDown() override { script::now() = {}; }

  // Everything is as before the rebuild, which ended with `why`.
  void expect_rolled_back(errc why) {
    script::now() = {};
    const auto s = f_.status();
    EXPECT_EQ(s.generation, 1u);
    EXPECT_EQ(s.rebuild.phase, rebuild_phase::idle);
    EXPECT_EQ(s.rebuild.started, 1u);
    EXPECT_EQ(s.rebuild.succeeded, 0u);
    EXPECT_EQ(s.rebuild.rolled_back, 1u);
    ASSERT_TRUE(s.rebuild.last_error);
    EXPECT_EQ(s.rebuild.last_error->code, why) << s.rebuild.last_error->what;
    EXPECT_EQ(script::alive, alive_) << "the new generation was not freed";
    EXPECT_EQ(count_denied(f_, old_), 0u);
    EXPECT_EQ(filters_written_to(), 1);
    EXPECT_FALSE(f_.may_contain("nobody"));

    must(f_.rebuild({.params = {.keys = old_.size()}}, source_of(old_)));
    EXPECT_EQ(count_denied(f_, old_), 0u);
    EXPECT_EQ(f_.status().rebuild.succeeded, 1u);
  }
  template <class Source>
  void expect_refused(const live::request& p, Source&& source, errc why) {
    const auto r = f_.rebuild(p, source);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, why) << r.error().what;
    expect_rolled_back(why);
  }

  // By one insert, as it goes now.
  int filters_written_to() {
    int n = 0;
    script::now().on_insert = [&](key) { ++n; };
    f_.insert("alice");
    script::now().on_insert = nullptr;
    EXPECT_TRUE(f_.may_contain("alice"));
    return n;
  }

  const std::vector<key> old_ = keys(1, 1000);
  live f_ = live_of(1000);
  const int alive_ = script::alive;
};

TEST_F(LiveFaults, TheSourceThrows) {
  int calls = 0;
  const auto source = [&](std::span<key> out) -> result<std::size_t> {
    if (++calls == 3) throw std::runtime_error("the store is gone");
    std::ranges::copy(keys(2, 100), out.begin());
    return 100;
  };
  EXPECT_THROW((void)f_.rebuild({.params = {.keys = 1000}}, source), std::runtime_error);
  expect_rolled_back(errc::io);
}

TEST_F(LiveFaults, ThePauseThrows) {
  const auto thrower = [](void*, const rebuild_progress&) -> bool {
    throw std::runtime_error("no pause");
  };
  EXPECT_THROW((void)f_.rebuild({.params = {.keys = 1000}, .pause = {thrower, nullptr}},
                                source_of(old_)),
               std::runtime_error);
  expect_rolled_back(errc::io);
}

TEST_F(LiveFaults, TheSourceFails) {
  expect_refused(
      {.params = {.keys = 1000}},
      [](std::span<key>) -> result<std::size_t> {
        return error{errc::corrupt, "a page of the store is damaged"};
      },
      errc::corrupt);
}

TEST_F(LiveFaults, TheSourceOfBytesFails) {
  expect_refused(
      {.params = {.keys = 1000}, .min_keys = 0},
      [](auto& put) -> result<void> {
        put("alice");
        return error{errc::io, "the store is gone"};
      },
      errc::io);
}

TEST_F(LiveFaults, TheSourceEndsEarly) {
  expect_refused({.params = {.keys = 1011}}, source_of(old_), errc::incompatible);
}

TEST_F(LiveFaults, TheSourceIsEmpty) {
  expect_refused({.params = {.keys = 1000}}, source_of({}), errc::incompatible);
}

TEST_F(LiveFaults, TheSourceGivesTwiceAsMuch) {
  const auto ks = keys(3, 2000);
  expect_refused({.params = {.keys = 1000}}, source_of(ks), errc::unattainable);
}

TEST_F(LiveFaults, TheSourceIsEndless) {
  random from(5);
  std::uint64_t given = 0;
  expect_refused(
      {.params = {.keys = 20'000}},
      [&](std::span<key> out) -> result<std::size_t> {
        for (key& k : out) k = key::from_bits(from.next());
        given += out.size();
        return out.size();
      },
      errc::unattainable);
  EXPECT_LT(given, 30'000u) << "stopped too late";
}

TEST_F(LiveFaults, AnEndlessSourceOfBytesIsToldToEnd) {
  std::uint64_t given = 0;
  expect_refused(
      {.params = {.keys = 20'000}},
      [&](auto& put) -> result<void> {
        while (put(std::to_string(given))) ++given;
        return {};
      },
      errc::unattainable);
}

TEST_F(LiveFaults, TheSourceSaysItWroteMoreThanFits) {
  expect_refused(
      {.params = {.keys = 1000}},
      [](std::span<key> out) -> result<std::size_t> { return out.size() + 1; },
      errc::invalid_argument);
}

TEST_F(LiveFaults, ASentinelIsMissing) {
  const auto ks = keys(3, 1000);
  expect_refused({.params = {.keys = 1000}, .sentinels = std::span(old_).first(5)},
                 source_of(ks), errc::incompatible);
}

TEST_F(LiveFaults, TheNewGenerationForgets) {
  script::now().forgets = true;
  expect_refused({.params = {.keys = 1000}}, source_of(old_), errc::corrupt);
}

TEST_F(LiveFaults, NoMemory) {
  script::now().no_memory = true;
  expect_refused({.params = {.keys = 1000}}, source_of(old_), errc::out_of_memory);
}

TEST_F(LiveFaults, ThePauseSaysStop) {
  const auto no = [](void*, const rebuild_progress&) { return false; };
  expect_refused({.params = {.keys = 1000}, .pause = {no, nullptr}}, source_of(old_),
                 errc::invalid_argument);
}

TEST_F(LiveFaults, NumbersThatAreNoneAreRefusedBeforeAnythingBegins) {
  for (const double bad : {-1.0, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    const auto r = f_.rebuild({.params = {.keys = 10}, .max_fpr = bad}, source_of({}));
    EXPECT_EQ(r.error().code, errc::invalid_argument);
  }
  for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    const auto r =
        f_.rebuild({.params = {.keys = 10}, .max_keys_per_second = bad}, source_of({}));
    EXPECT_EQ(r.error().code, errc::invalid_argument);
  }
  EXPECT_EQ(f_.status().rebuild.started, 0u);
}

// The source hangs until it is released; meanwhile another thread stops the rebuild.
TEST_F(LiveFaults, StoppedWhileTheSourceStalls) {
  EXPECT_FALSE(f_.stop_rebuild()) << "there is none yet";
  std::atomic<bool> stalls{false}, go_on{false};
  std::thread rebuilder([&] {
    const auto r = f_.rebuild({.params = {.keys = 1000}},
                              [&](std::span<key>) -> result<std::size_t> {
                                stalls = true;
                                while (!go_on) std::this_thread::yield();
                                return 1;
                              });
    EXPECT_EQ(r.error().code, errc::invalid_argument);
  });
  while (!stalls) std::this_thread::yield();
  EXPECT_EQ(f_.status().rebuild.phase, rebuild_phase::filling);
  EXPECT_EQ(filters_written_to(), 2);
  {
    const auto r = f_.read();  // who stops waits for nobody, so it may read
    EXPECT_TRUE(f_.stop_rebuild());
  }
  EXPECT_FALSE(f_.stop_rebuild()) << "twice";
  EXPECT_EQ(f_.status().rebuild.phase, rebuild_phase::stopped);
  EXPECT_EQ(filters_written_to(), 1) << "before the source has returned";
  EXPECT_EQ(f_.clear().error().code, errc::invalid_argument) << "it has not ended yet";
  go_on = true;
  rebuilder.join();
  expect_rolled_back(errc::invalid_argument);
}

TEST_F(LiveFaults, StoppedWhileItIsChecked) {
  script::now().on_census = [&] {
    EXPECT_EQ(f_.status().rebuild.phase, rebuild_phase::checking);
    EXPECT_TRUE(f_.stop_rebuild());
  };
  const auto few = keys(4, 10);  // fewer than asked for a look at the rate while filling
  expect_refused({.params = {.keys = 1000}, .min_keys = 0}, source_of(few),
                 errc::invalid_argument);
}

TEST_F(LiveFaults, KillWorksInEveryState) {
  const auto kill_and_revive = [&](rebuild_phase phase) {
    EXPECT_EQ(f_.status().rebuild.phase, phase);
    EXPECT_FALSE(f_.may_contain("nobody"));
    f_.kill();
    EXPECT_TRUE(f_.may_contain("nobody"));
    f_.insert("while killed");
    f_.revive();
    EXPECT_FALSE(f_.may_contain("nobody"));
  };
  kill_and_revive(rebuild_phase::idle);
  bool filled = false, checked = false;
  auto from = source_of(old_);
  script::now().on_census = [&] {
    if (f_.status().rebuild.phase != rebuild_phase::checking) return;
    checked = true;
    kill_and_revive(rebuild_phase::checking);
  };
  must(f_.rebuild({.params = {.keys = 1000}}, [&](std::span<key> out) {
    filled = true;
    kill_and_revive(rebuild_phase::filling);
    return from(out);
  }));
  EXPECT_TRUE(filled && checked);
  script::now() = {};
  EXPECT_TRUE(f_.may_contain("while killed"));
  EXPECT_EQ(count_denied(f_, old_), 0u);
}

// A rebuild that is killed meanwhile serves as a killed one, and after revive as the new.
TEST_F(LiveFaults, KilledBeforeTheSwapStaysKilledAfterIt) {
  f_.kill();
  must(f_.rebuild({.params = {.keys = 1000}}, source_of(old_)));
  EXPECT_TRUE(f_.may_contain("nobody"));
  f_.revive();
  EXPECT_FALSE(f_.may_contain("nobody"));
  EXPECT_EQ(count_denied(f_, old_), 0u);
}

}  // namespace
}  // namespace bloomery::testing
