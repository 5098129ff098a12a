// Several threads, one filter: what the comments of concurrent.hpp promise.
//
// That these pass proves little: with plain ORs in place of locked ones most of them pass
// as well.  docs/interleave.md has the proofs; here the real code runs on real cores.
#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include <array>
#include <atomic>
#include <numeric>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "ask.hpp"
#include "cases.hpp"
#include "crew.hpp"
#include "full.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

using concurrent_filters = concurrent_types::apply<::testing::Types>;

template <class C>
class Concurrent : public ::testing::Test {};
TYPED_TEST_SUITE(Concurrent, concurrent_filters, filter_names);

constexpr std::size_t threads = 4;

// The share of thread t of n things.
template <class T>
std::span<const T> share(const std::vector<T>& all, std::size_t t) {
  const std::size_t each = all.size() / threads;
  return std::span(all).subspan(t * each, each);
}

TYPED_TEST(Concurrent, ManyThreadsSetTheBitsOfOne) {
  for (const std::size_t n : {64u, 4000u, 200'000u}) {
    const auto ks = keys(n, n / (n > 1000 ? fewer : 1) / threads * threads);
    for (const bool batched : {false, true}) {
      auto f = recipe<TypeParam>::empty(n, 0.01);
      with_threads(threads, [&](std::size_t t) {
        // Half of the next thread's keys as well: both meet in the same lines.
        const auto mine = share(ks, t), also = share(ks, (t + 1) % threads);
        if (batched) {
          f.insert(mine);
          f.insert(also.first(also.size() / 2));
        } else {
          for (const key k : mine) f.insert(k);
          for (const key k : also.first(also.size() / 2)) f.insert(k);
        }
      });
      auto want = recipe<TypeParam>::empty(n, 0.01);
      for (const key k : ks) want.insert(k);
      EXPECT_TRUE(f == want) << "n=" << n;
      count_cases("inserts", ks.size() + ks.size() / 2);
    }
  }
}

// Each thread finds, at once, whatever it put in itself and whatever another had put in
// before it said so.
TYPED_TEST(Concurrent, WhatHappensBeforeIsFound) {
  constexpr std::size_t n = 20'000 / fewer;
  auto f = recipe<TypeParam>::empty(threads * n, 0.01);
  std::array<std::vector<key>, threads> ks;
  std::array<std::atomic<std::size_t>, threads> said{};
  for (std::size_t t = 0; t < threads; ++t) ks[t] = keys(100 + t, n);
  std::atomic<std::size_t> lost = 0;
  with_threads(threads, [&](std::size_t t) {
    const std::size_t other = (t + 1) % threads;
    for (std::size_t i = 0; i < n; ++i) {
      f.insert(ks[t][i]);
      said[t].store(i + 1, std::memory_order_release);
      if (!f.may_contain(ks[t][i])) ++lost;
      if (const std::size_t seen = said[other].load(std::memory_order_acquire); seen != 0)
        if (!f.may_contain(ks[other][seen - 1])) ++lost;
    }
  });
  EXPECT_EQ(lost, 0u);
  for (std::size_t t = 0; t < threads; ++t)
    EXPECT_EQ(count_maybe(ask(f, ks[t])), ks[t].size());
  count_cases("lookups", threads * n);
}

// All threads insert the same keys, each in an order of its own.
TYPED_TEST(Concurrent, AtMostOneIsToldItWasFirst) {
  constexpr std::size_t n = 10'000 / fewer;
  for (const bool batched : {false, true}) {
    auto f = recipe<TypeParam>::empty(n, 0.001);
    const auto ks = keys(7, n);
    std::vector<std::atomic<int>> told(n);
    with_threads(threads, [&](std::size_t t) {
      const std::size_t start = t * 37 % n;
      if (batched) {
        std::vector<key> mine(ks);
        const auto first = std::make_unique<bool[]>(n);
        f.insert_if_absent(std::span<const key>(mine), std::span(first.get(), n));
        for (std::size_t i = 0; i < n; ++i) told[i] += first[i];
      } else {
        for (std::size_t i = 0; i < n; ++i)
          told[(start + i) % n] += f.insert_if_absent(ks[(start + i) % n]);
      }
    });
    std::size_t none = 0;
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_LE(told[i], 1) << i;
      none += told[i] == 0;
    }
    // Only false positives are nobody's: about one in three thousand over the filling.
    EXPECT_LE(none, n / 100 + 5);
    EXPECT_EQ(count_maybe(ask(f, ks)), n);
    count_cases("inserts", threads * n);
  }
}

TYPED_TEST(Concurrent, TheHintIsTrueForOneThread) {
  auto f = recipe<TypeParam>::empty(1000, 0.001);
  for (const key k : keys(8, 1000)) {
    const bool is_new = !f.may_contain(k);
    EXPECT_EQ(f.insert_and_test(k), is_new);
    EXPECT_FALSE(f.insert_and_test(k));
    EXPECT_FALSE(f.insert_if_absent(k));
  }
  EXPECT_TRUE(f.insert_if_absent("a name"));
  EXPECT_FALSE(f.insert_if_absent("a name"));
  EXPECT_FALSE(f.insert_and_test("a name"));
}

TYPED_TEST(Concurrent, MergesWhileOthersInsert) {
  const auto mine = keys(9, 20'000 / fewer), theirs = keys(10, 20'000 / fewer);
  auto f = recipe<TypeParam>::empty(40'000, 0.01);
  auto other = recipe<TypeParam>::empty(40'000, 0.01);
  other.insert(std::span<const key>(theirs));
  const auto plain = must(other.snapshot());
  with_threads(3, [&](std::size_t t) {
    if (t == 0) f.insert(std::span<const key>(mine));
    if (t == 1) must(f.merge(plain));
    if (t == 2) must(f.merge(other));
  });
  auto want = recipe<TypeParam>::empty(40'000, 0.01);
  want.insert(std::span<const key>(mine));
  want.insert(std::span<const key>(theirs));
  EXPECT_TRUE(f == want);
  count_cases("merges", 2);
  const auto small = recipe<typename TypeParam::plain>::empty(7, 0.3);
  EXPECT_EQ(f.merge(small).error().code, errc::incompatible);
}

TYPED_TEST(Concurrent, GoesBackToThePlainFilter) {
  const auto ks = keys(11, 1000);
  auto f = recipe<TypeParam>::of(ks, 0.01);
  EXPECT_EQ(f.size_in_bytes(), f.unsynchronised().size_in_bytes());
  const auto copy = must(f.snapshot());
  auto again = must(f.empty_like());
  EXPECT_EQ(again.ones(), 0u);
  EXPECT_EQ(again.capacity(), f.capacity());
  again.insert(std::span<const key>(ks));
  EXPECT_TRUE(again == f);
  const double fill = f.fill(), keys_now = f.estimated_keys(), rate = f.realised_fpr();
  const auto plain = std::move(f).release();
  EXPECT_TRUE(plain == copy);
  EXPECT_TRUE(plain == recipe<typename TypeParam::plain>::of(ks, 0.01));
  EXPECT_EQ(fill, plain.fill());
  EXPECT_EQ(keys_now, plain.estimated_keys());
  EXPECT_EQ(rate, plain.realised_fpr());
}

template <class C>
class ConcurrentFull : public ::testing::Test {};
TYPED_TEST_SUITE(ConcurrentFull, concurrent_filters, filter_names);

TYPED_TEST(ConcurrentFull, AHundredMillionInserts) {
  BLOOMERY_FULL_ONLY();
  constexpr std::uint64_t n = 100'000'000;
  auto f = recipe<TypeParam>::empty(n, 0.01);
  const auto key_of = [](std::uint64_t i) { return key::from_bits(random(i).next()); };
  std::atomic<std::uint64_t> missing = 0;
  for (const bool asking : {false, true})
    with_threads(threads, [&](std::size_t t) {
      std::vector<key> some(4096);
      for (std::uint64_t i = t * some.size(); i < n; i += threads * some.size()) {
        some.resize(std::min<std::uint64_t>(4096, n - i));
        for (std::size_t j = 0; j < some.size(); ++j) some[j] = key_of(i + j);
        if (asking)
          missing += some.size() - count_maybe(ask(f, some));
        else
          f.insert(std::span<const key>(some));
      }
    });
  EXPECT_EQ(missing, 0u);
  count_cases("inserts", n);
}

}  // namespace
}  // namespace bloomery::testing
