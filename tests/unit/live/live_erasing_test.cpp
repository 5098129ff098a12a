// Live filters whose keys can be erased: rebuilds beside inserts and erases.
#include <bloomery/concurrent.hpp>
#include <bloomery/live/live_filter.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "live_samples.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <class F>
class LiveErasing : public ::testing::Test {};
using erasing_filters = ::testing::Types<concurrent<cuckoo>, concurrent<counting_bloom>,
                                         concurrent<quotient>>;
TYPED_TEST_SUITE(LiveErasing, erasing_filters);

template <class F>
live_filter<F> live_for(std::uint64_t keys_in_it) {
  return must(live_filter<F>::make(must(F::make({.keys = keys_in_it, .fpr = 0.001}))));
}

TYPED_TEST(LiveErasing, InsertsErasesRebuilds) {
  auto f = live_for<TypeParam>(1000);
  auto ks = keys(1, 1000);
  for (const key k : ks) must(f.try_insert(k));
  EXPECT_EQ(count_denied(f, ks), 0u);
  must(f.erase_present(ks.back()));
  const key gone = ks.back();
  ks.pop_back();
  EXPECT_FALSE(f.may_contain(gone));
  EXPECT_EQ(f.erase_present(gone).error().code, errc::not_present);
  must(f.rebuild({.params = {.keys = 4000, .fpr = 0.001}, .min_keys = ks.size()},
                 source_of(ks)));
  EXPECT_EQ(count_denied(f, ks), 0u);
  EXPECT_FALSE(f.may_contain(gone));
  EXPECT_EQ(f.status().generation, 2u);
}

TYPED_TEST(LiveErasing, ReceiptsOutliveARebuild) {
  auto f = live_for<TypeParam>(100);
  auto r = must(f.try_insert_with_receipt("alice"));
  const key alice = f.hash("alice");
  must(f.rebuild({.params = {.keys = 500}, .min_keys = 1}, source_of({alice})));
  EXPECT_TRUE(f.may_contain("alice"));
  must(f.erase(std::move(r)));
  EXPECT_FALSE(f.may_contain("alice"));

  // What clear has dropped is not erased.
  auto late = must(f.try_insert_with_receipt("bob"));
  must(f.clear());
  must(f.try_insert("bob"));
  EXPECT_EQ(f.erase(std::move(late)).error().code, errc::incompatible);
  EXPECT_FALSE(late.empty());
  EXPECT_TRUE(f.may_contain("bob"));
}

TYPED_TEST(LiveErasing, ErasesAreRefusedWhileARebuildRuns) {
  auto f = live_for<TypeParam>(100);
  auto r = must(f.try_insert_with_receipt("alice"));
  const key alice = f.hash("alice");
  int asked = 0;
  must(f.rebuild({.params = {.keys = 100}, .min_keys = 1},
                 [&](std::span<key> out) -> result<std::size_t> {
                   if (asked++ != 0) return 0;
                   EXPECT_EQ(f.erase_present(alice).error().code, errc::invalid_argument);
                   EXPECT_EQ(f.erase(std::move(r)).error().code, errc::invalid_argument);
                   EXPECT_FALSE(r.empty());
                   EXPECT_TRUE(f.may_contain(alice));
                   out[0] = alice;
                   return 1;
                 }));
  must(f.erase(std::move(r)));
  EXPECT_FALSE(f.may_contain(alice));
  // After a rebuild that failed, too.
  auto again = must(f.try_insert_with_receipt("alice"));
  EXPECT_FALSE(f.rebuild({.params = {.keys = 100}}, source_of({})));
  must(f.erase(std::move(again)));
}

// The new generation is too small for what is inserted meanwhile: the old one stays.
TEST(LiveErasingCuckoo, AFullGenerationDoesNotFollow) {
  auto f = live_for<concurrent<cuckoo>>(2000);
  const auto ks = keys(1, 1500);
  bool first = true;
  const auto done = f.rebuild({.params = {.keys = 64}, .min_keys = 0},
                              [&](std::span<key>) -> result<std::size_t> {
                                if (std::exchange(first, false))
                                  for (const key k : ks) must(f.try_insert(k));
                                return 0;
                              });
  EXPECT_FALSE(done);
  EXPECT_EQ(f.status().generation, 1u);
  EXPECT_EQ(count_denied(f, ks), 0u);
  must(f.erase_present(ks[0]));
}

TEST(LiveErasingCuckoo, ASourceWithTooManyKeysIsRefused) {
  auto f = live_for<concurrent<cuckoo>>(100);
  must(f.try_insert("alice"));
  EXPECT_EQ(f.rebuild({.params = {.keys = 64}}, source_of(keys(1, 1000))).error().code,
            errc::full);
  EXPECT_EQ(
      f.rebuild({.params = {.keys = 64}}, source_of(std::vector<key>(9, keys(1, 1)[0])))
          .error()
          .code,
      errc::too_many_copies);
  EXPECT_TRUE(f.may_contain("alice"));
}

// Writers insert and erase by the contract while a thread rebuilds again and again. Every
// key of the store is found at every moment.
TYPED_TEST(LiveErasing, UnderLoad) {
  auto f = live_for<TypeParam>(20'000);
  std::mutex lock;
  std::set<std::uint64_t> store;
  std::atomic<bool> done = false;
  std::atomic<std::uint64_t> denied = 0, erased = 0, refused = 0;
  const auto write = [&](std::uint64_t seed) {
    const auto mine = keys(seed, 3000);
    std::vector<bool> in(mine.size());
    random r(seed);
    while (!done) {
      const std::size_t j = r.below(mine.size());
      if (in[j]) {
        if (!f.may_contain(mine[j])) ++denied;
        if (r.below(2) == 0) continue;
        const auto hold = f.read();
        if (!f.erase_present(mine[j])) {
          ++refused;
          continue;
        }
        const std::lock_guard held(lock);
        store.erase(mine[j].bits());
        in[j] = false;
        ++erased;
      } else {
        {
          const std::lock_guard held(lock);
          store.insert(mine[j].bits());
        }
        must(f.try_insert(mine[j]));
        in[j] = true;
        if (!f.may_contain(mine[j])) ++denied;
      }
    }
  };
  {
    std::jthread one([&] { write(1); }), two([&] { write(2); });
    for (int i = 0; i < 20; ++i) {
      bool read = false;
      std::vector<key> all;
      must(f.rebuild({.params = {.keys = 20'000, .fpr = 0.001}, .min_keys = 0},
                     [&](std::span<key> out) -> result<std::size_t> {
                       if (!std::exchange(read, true)) {
                         const std::lock_guard held(lock);
                         for (const std::uint64_t h : store)
                           all.push_back(key::from_bits(h));
                       }
                       const std::size_t n = std::min(out.size(), all.size());
                       std::copy_n(all.end() - static_cast<std::ptrdiff_t>(n), n,
                                   out.begin());
                       all.resize(all.size() - n);
                       return n;
                     }));
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    done = true;
  }
  EXPECT_EQ(denied, 0u);
  EXPECT_GT(erased, 0u);
  for (const std::uint64_t h : store) ASSERT_TRUE(f.may_contain(key::from_bits(h)));
  EXPECT_EQ(f.status().generation, 21u);
}

}  // namespace
}  // namespace bloomery::testing
