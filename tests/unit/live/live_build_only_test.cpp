// Live filters of a kind that is only built: rebuilt and swapped under load, never
// inserted into.
#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/live/live_filter.hpp>
#include <bloomery/live/rekeyable_filter.hpp>

#include "fingerprint_array.hpp"
#include "live_samples.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

using live_array = live_filter<fingerprint_array>;

template <class L>
concept takes_keys = requires(L& f, key k) {
  f.insert(k);
}
|| requires(L& f, std::span<const key> ks) { f.insert(ks); }
|| requires(L& f, std::string_view s) { f.insert(s); }
|| requires(L& f, std::span<const std::string_view> ss) { f.insert(ss); }
|| requires(L& f, key k) { f.insert_if_absent(k); }
|| requires(L& f, std::string_view s) { f.insert_if_absent(s); };
static_assert(!takes_keys<live_array>);
static_assert(!takes_keys<rekeyable_filter<fingerprint_array>>);
static_assert(takes_keys<live> && takes_keys<rekeyable_filter<scripted_filter>>);

class LiveBuildOnly : public ::testing::Test {
 protected:
  void TearDown() override { fingerprint_array::faults::now() = {}; }

  // The old generation serves, whole, and the filter says why.
  template <class Source>
  void expect_refused(const live_array::request& p, Source source, errc code) {
    const auto before = f_.status();
    const auto r = f_.rebuild(p, source);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, code) << r.error().what;
    const auto after = f_.status();
    EXPECT_EQ(after.generation, before.generation);
    EXPECT_EQ(after.rebuild.phase, rebuild_phase::idle);
    EXPECT_EQ(after.rebuild.rolled_back, before.rebuild.rolled_back + 1);
    ASSERT_TRUE(after.rebuild.last_error);
    EXPECT_EQ(after.rebuild.last_error->code, code);
    EXPECT_EQ(count_denied(f_, old_), 0u);
    EXPECT_GT(count_denied(f_, new_), new_.size() - 5) << "the new one serves";
  }

  const std::vector<key> old_ = keys(1, 1000), new_ = keys(2, 5000);
  live_array f_ = must(live_array::make(must(fingerprint_array::build(old_))));
  const live_array::request request_{.params = {.keys = 5000}};
};

TEST_F(LiveBuildOnly, RebuildsFromTheSource) {
  const auto sentinels = keys(2, 10);
  must(f_.rebuild({.params = {.keys = new_.size()}, .sentinels = sentinels},
                  source_of(new_)));
  EXPECT_EQ(count_denied(f_, new_), 0u);
  EXPECT_GT(count_denied(f_, old_), old_.size() - 5) << "not in the source";
  const auto s = f_.status();
  EXPECT_EQ(s.generation, 2u);
  EXPECT_EQ(s.capacity, new_.size());
  EXPECT_EQ(s.rebuild.delivered, new_.size());
  EXPECT_EQ(s.rebuild.expected, new_.size());
  EXPECT_EQ(s.rebuild.succeeded, 1u);
  EXPECT_EQ(s.counts.inserted, 0u);
}

TEST_F(LiveBuildOnly, TakesBytesAndRepeatedKeys) {
  const auto names = numbered("user", 3000);
  must(f_.rebuild({.params = {.keys = names.size()}}, [&](auto& put) -> result<void> {
    for (int round = 0; round < 3; ++round)
      for (const auto& n : names)
        if (!put(n)) return {};
    return {};
  }));
  for (const auto& n : names) ASSERT_TRUE(f_.may_contain(n)) << n;
  EXPECT_EQ(f_.status().rebuild.delivered, 3 * names.size());
  EXPECT_EQ(f_.read().filter().estimated_keys(), 3000);
}

TEST_F(LiveBuildOnly, SwapsClearsAndIsKilled) {
  auto old = must(f_.swap(must(fingerprint_array::build(new_))));
  EXPECT_EQ(old.estimated_keys(), 1000);
  EXPECT_EQ(count_denied(f_, new_), 0u);
  must(f_.clear());
  EXPECT_EQ(count_denied(f_, new_), new_.size());
  f_.kill();
  EXPECT_EQ(count_denied(f_, new_), 0u);
  f_.revive();
  EXPECT_EQ(count_denied(f_, new_), new_.size());
  auto other = must(fingerprint_array::build(new_, {.hasher = hasher::xxh3(7)}));
  EXPECT_EQ(f_.swap(std::move(other)).error().code, errc::incompatible);
}

TEST_F(LiveBuildOnly, ASourceThatEndsEarlyIsRefused) {
  expect_refused({.params = {.keys = 6000}}, source_of(new_), errc::incompatible);
}

TEST_F(LiveBuildOnly, AMissingSentinelIsRefused) {
  const auto missing = keys(3, 1);
  expect_refused({.params = {.keys = new_.size()}, .sentinels = missing}, source_of(new_),
                 errc::incompatible);
}

TEST_F(LiveBuildOnly, ARateAboveTheLimitIsRefused) {
  expect_refused({.params = {.keys = new_.size()}, .max_fpr = 1e-9}, source_of(new_),
                 errc::unattainable);
}

TEST_F(LiveBuildOnly, ASourceWithoutEndIsRefused) {
  std::uint64_t next = 0, given = 0;
  const auto endless = [&](std::span<key> out) -> result<std::size_t> {
    for (key& k : out) k = hasher::xxh3().of(key_source::integers).hash_u64(next++);
    given += out.size();
    return out.size();
  };
  expect_refused({.params = {.keys = 100'000}}, endless, errc::too_large);
  EXPECT_LE(given, 220'000u) << "noticed late";
}

TEST_F(LiveBuildOnly, TwiceTheKeysOfThePlanAreTheMost) {
  auto some = keys(4, 2000);
  must(f_.rebuild({.params = {.keys = 1000}}, source_of(some)));
  EXPECT_EQ(count_denied(f_, some), 0u);
  some.push_back(keys(5, 1)[0]);
  EXPECT_EQ(f_.rebuild({.params = {.keys = 1000}}, source_of(some)).error().code,
            errc::too_large);
  EXPECT_EQ(f_.status().generation, 2u);
}

TEST_F(LiveBuildOnly, ABuildThatFailsIsRefused) {
  fingerprint_array::faults::now().full = true;
  expect_refused(request_, source_of(new_), errc::full);
}

TEST_F(LiveBuildOnly, ABuildThatLosesAKeyIsRefused) {
  fingerprint_array::faults::now().drops_a_key = true;
  expect_refused(request_, source_of(new_), errc::corrupt);
}

TEST_F(LiveBuildOnly, AnotherHasherIsRefused) {
  fingerprint_array::faults::now().ignores_hasher = true;
  expect_refused(request_, source_of(new_), errc::incompatible);
  const auto asked = f_.rebuild({.params = {.keys = 1, .hasher = hasher::xxh3(1)}},
                                source_of(keys(1, 1)));
  EXPECT_EQ(asked.error().code, errc::incompatible);
}

TEST_F(LiveBuildOnly, AnErrorOfTheSourceIsTheAnswer) {
  expect_refused(
      request_,
      [](std::span<key>) -> result<std::size_t> {
        return error{errc::io, "the store hung up"};
      },
      errc::io);
}

TEST_F(LiveBuildOnly, AnExceptionOfTheSourcePassesThrough) {
  const auto throws = [](std::span<key>) -> result<std::size_t> {
    throw std::runtime_error("the store hung up");
  };
  EXPECT_THROW((void)f_.rebuild(request_, throws), std::runtime_error);
  EXPECT_EQ(count_denied(f_, old_), 0u);
  EXPECT_EQ(f_.status().rebuild.phase, rebuild_phase::idle);
  must(f_.rebuild(request_, source_of(new_)));
}

TEST_F(LiveBuildOnly, StopsAtTheNextBatch) {
  expect_refused(
      request_,
      [&](std::span<key> out) -> result<std::size_t> {
        EXPECT_TRUE(f_.stop_rebuild());
        out[0] = new_[0];
        return 1;
      },
      errc::invalid_argument);
}

TEST_F(LiveBuildOnly, StopsAfterTheLast) {
  expect_refused(
      {.params = {.keys = 1}, .min_keys = 0},
      [&](std::span<key>) -> result<std::size_t> {
        EXPECT_TRUE(f_.stop_rebuild());
        return 0;
      },
      errc::invalid_argument);
}

TEST_F(LiveBuildOnly, OneAtATime) {
  must(f_.rebuild({.params = {.keys = 1}, .min_keys = 0},
                  [&](std::span<key>) -> result<std::size_t> {
                    const auto second = f_.rebuild(request_, source_of(new_));
                    EXPECT_EQ(second.error().code, errc::invalid_argument);
                    EXPECT_EQ(f_.clear().error().code, errc::invalid_argument);
                    return 0;
                  }));
}

TEST(RekeyableBuildOnly, TakesAnotherHasher) {
  auto f = must(rekeyable_filter<fingerprint_array>::make(
      must(fingerprint_array::build(std::span<const key>()))));
  const auto names = numbered("user", 1000);
  must(f.rebuild({.params = {.keys = names.size(), .hasher = hasher::xxh3(99)}},
                 [&](auto& put) -> result<void> {
                   for (const auto& n : names) put(n);
                   return {};
                 }));
  for (const auto& n : names) ASSERT_TRUE(f.may_contain(n)) << n;
  f.examine([](const fingerprint_array& now) {
    EXPECT_TRUE(now.hasher() == hasher::xxh3(99));
  });
}

// A store that only grows; each rebuild takes what it holds.  What was stored before a
// rebuild that succeeded began is found by every lookup after it, and by every one beside
// the rebuilds that follow, those that are refused or stopped among them.
TEST(LiveBuildOnlyLoad, NoKeyIsDeniedThroughRebuilds) {
  constexpr int rebuilds = 60;
  const auto all = keys(1, 20'000);
  const auto stored_at = [&](int round) { return 1000 + 300 * std::size_t(round); };
  auto f = must(live_array::make(
      must(fingerprint_array::build(std::span(all).first(stored_at(0))))));
  std::atomic<std::size_t> served{stored_at(0)};  // these must be found
  std::atomic<bool> over{false};
  std::mutex stopping;  // a stop meant for one rebuild must not reach the next
  bool unwanted = false;
  std::atomic<std::uint64_t> denied{0}, asked{0};

  std::vector<std::thread> threads;
  for (std::uint64_t seed : {1, 2})
    threads.emplace_back([&, seed] {
      random from(seed);
      while (!over) {
        const std::size_t n = served;
        const key some[] = {all[n - 1], all[from.below(n)]};
        bool out[2];
        f.may_contain(std::span<const key>(some), out);
        const auto r = f.read();
        denied += !f.may_contain(some[0]) + !f.may_contain(some[1]) + !out[0] + !out[1] +
                  !r.may_contain(some[1]);
        asked += 5;
      }
    });
  threads.emplace_back([&] {
    while (!over) {
      {
        const std::scoped_lock lock(stopping);
        if (unwanted) f.stop_rebuild();
      }
      std::this_thread::yield();
    }
  });
  const auto want = [&](bool wanted) {
    const std::scoped_lock lock(stopping);
    unwanted = !wanted;
  };

  std::uint64_t succeeded = 0;
  for (int i = 1; i <= rebuilds; ++i) {
    const std::size_t n = stored_at(i);
    auto source = source_of({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)});
    want(i % 4 != 2);
    const auto r = f.rebuild({.params = {.keys = n}},
                             [&](std::span<key> out) -> result<std::size_t> {
                               if (i % 4 == 3) return error{errc::io, "now and then"};
                               return source(out);
                             });
    want(true);
    if (!r) continue;
    ++succeeded;
    served = n;
  }
  over = true;
  for (auto& t : threads) t.join();

  EXPECT_EQ(denied, 0u);
  EXPECT_GT(asked, 1000u);
  for (std::size_t i = 0; i < served; ++i) ASSERT_TRUE(f.may_contain(all[i])) << i;
  const auto s = f.status();
  EXPECT_EQ(s.rebuild.succeeded, succeeded);
  EXPECT_EQ(s.rebuild.started, s.rebuild.succeeded + s.rebuild.rolled_back);
  EXPECT_GE(s.rebuild.succeeded, std::uint64_t{rebuilds / 2});
  EXPECT_GE(s.rebuild.rolled_back, std::uint64_t{rebuilds / 4});
  EXPECT_EQ(s.generation, 1 + succeeded);
}

}  // namespace
}  // namespace bloomery::testing
