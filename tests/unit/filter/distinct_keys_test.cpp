// The distinct keys of a stream, against sorting them all.
#include <bloomery/detail/filter/distinct_keys.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "must.hpp"

namespace bloomery {
namespace {

using testing::must;

// Feeds `n` values of `draw` in uneven pieces and compares with all of them sorted.
template <class Draw>
void expect_like_a_set(std::size_t n, Draw draw) {
  distinct_keys distinct;
  std::vector<std::uint64_t> oracle;
  std::vector<key> piece;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t x = draw(i);
    oracle.push_back(x);
    piece.push_back(key::from_bits(x));
    if (piece.size() < 1 + i % 4999 && i + 1 < n) continue;
    must(distinct.add(piece));
    piece.clear();
  }
  std::ranges::sort(oracle);
  oracle.erase(std::unique(oracle.begin(), oracle.end()), oracle.end());
  const auto all = must(distinct.all());
  ASSERT_EQ(all.size(), oracle.size());
  for (std::size_t i = 0; i < oracle.size(); ++i) ASSERT_EQ(all[i].bits(), oracle[i]);
}

TEST(DistinctKeys, NoneAtAll) { EXPECT_TRUE(must(distinct_keys().all()).empty()); }

TEST(DistinctKeys, AllDifferentOverSeveralMerges) {
  std::mt19937_64 random(1);
  expect_like_a_set(2'000'000, [&](std::size_t) { return random(); });
}

TEST(DistinctKeys, MostlyRepeated) {
  std::mt19937_64 random(2);
  expect_like_a_set(2'000'000, [&](std::size_t) { return random() % 5000; });
}

TEST(DistinctKeys, OneKeyAMillionTimes) {
  expect_like_a_set(1'000'000, [](std::size_t) { return std::uint64_t{42}; });
}

TEST(DistinctKeys, SortedReversedAndAtTheEnds) {
  expect_like_a_set(900'000, [](std::size_t i) { return std::uint64_t{i}; });
  expect_like_a_set(900'000, [](std::size_t i) { return ~std::uint64_t{i}; });
  expect_like_a_set(900'000, [](std::size_t i) {
    return i % 2 == 0 ? std::uint64_t{i / 7} : ~std::uint64_t{i / 5};
  });
}

TEST(DistinctKeys, GoesOnAfterAll) {
  distinct_keys distinct;
  must(distinct.add(std::vector{key::from_bits(3), key::from_bits(1)}));
  EXPECT_EQ(must(distinct.all()).size(), 2u);
  must(distinct.add(std::vector{key::from_bits(2), key::from_bits(3)}));
  const auto all = must(distinct.all());
  ASSERT_EQ(all.size(), 3u);
  for (std::uint64_t i = 0; i < 3; ++i) EXPECT_EQ(all[i].bits(), i + 1);
}

// The smallest of any stream, however it is cut up and repeated.
TEST(SentinelPicker, KeepsTheSmallestOnce) {
  std::mt19937_64 random(3);
  for (const std::size_t n : {0u, 1u, 7u, 8u, 9u, 1000u}) {
    sentinel_picker picker;
    std::set<std::uint64_t> oracle;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t x = i % 3 == 2 ? *oracle.begin() : random();
      oracle.insert(x);
      picker.add(std::vector{key::from_bits(x)});
    }
    const auto kept = picker.all();
    ASSERT_EQ(kept.size(), std::min(oracle.size(), sentinel_picker::max_keys));
    auto expected = oracle.begin();
    for (const key k : kept) EXPECT_EQ(k.bits(), *expected++);
  }
}

}  // namespace
}  // namespace bloomery
