// Window filters: sizes, generations, damage.
#include <bloomery/window_bloom.hpp>

#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/container.hpp>

#include "ask.hpp"
#include "must.hpp"
#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::ask;
using testing::count_maybe;
using testing::keys;
using testing::must;

// One block that a full generation fills: its expected rate is 1, and so is the
// logarithm's argument 0.
TEST(WindowBloom, ATinyOneHasARate) {
  const auto f = must(window_bloom::make({{1, block_profile::line}, 2, 1'000'000}));
  for (const std::uint64_t keys : {1u, 1000u, 1'000'000u, 1'000'001u, 3'000'000u}) {
    EXPECT_GT(f.expected_fpr(keys), 0) << keys;
    EXPECT_LE(f.expected_fpr(keys), 1) << keys;
  }
  EXPECT_EQ(f.expected_fpr(1'000'000), 1);
}

TEST(WindowBloom, RefusesImpossibleShapes) {
  const auto code = [](window_shape s) { return window_bloom::make(s).error().code; };
  EXPECT_EQ(code({{1, block_profile::line}, 1, 1}), errc::invalid_argument);
  EXPECT_EQ(code({{1, block_profile::line}, 1025, 1}), errc::invalid_argument);
  EXPECT_EQ(code({{0, block_profile::line}, 2, 1}), errc::invalid_argument);
  EXPECT_EQ(code({{1, block_profile::lanes16}, 2, 1}), errc::invalid_argument);
  EXPECT_EQ(code({{1, block_profile::split}, 2, 1}), errc::invalid_argument);
  EXPECT_EQ(code({{1, block_profile::by_rate}, 2, 1}), errc::invalid_argument);
  EXPECT_EQ(code({{std::uint64_t{1} << 41, block_profile::line}, 3, 1}), errc::too_large);
  EXPECT_EQ(window_bloom::make({.keys = 0}).error().code, errc::invalid_argument);
  EXPECT_EQ(window_bloom::make({.keys = 9, .fpr = 1}).error().code,
            errc::invalid_argument);
  EXPECT_EQ(window_bloom::make({.keys = 9, .generations = 1}).error().code,
            errc::invalid_argument);
}

// All generations but one have room for the window; the rate holds at its fullest.
TEST(WindowBloom, IsSizedForItsFullestMoment) {
  for (const double fpr : {0.1, 0.01, 1e-4})
    for (const unsigned generations : {2u, 4u, 9u, 64u}) {
      SCOPED_TRACE(::testing::Message() << fpr << ' ' << generations);
      const std::uint64_t n = 100'000;
      auto f =
          must(window_bloom::make({.keys = n, .fpr = fpr, .generations = generations}));
      const std::uint64_t share = f.shape().generation_keys;
      EXPECT_GE(share * (generations - 1), n);
      EXPECT_LT((share - 1) * (generations - 1), n);
      const std::uint64_t fullest = share * generations;
      EXPECT_LE(f.expected_fpr(fullest), fpr);
      // A block less would be too few; a rate has the power of up to 16 bits per key.
      EXPECT_GE(f.expected_fpr(fullest), fpr * (1 - 16.0 / double(f.shape().one.blocks)));
      EXPECT_LE(f.expected_fpr(10 * fullest), fpr);
      const auto ks = keys(1, 2 * fullest);
      f.insert(std::span<const key>(ks));
      EXPECT_EQ(f.retained(), fullest);
      EXPECT_TRUE(testing::within_part(f.realised_fpr(), fpr, 0.1));
      const std::size_t trials = 300'000;
      EXPECT_TRUE(testing::within_5_sigma(count_maybe(ask(f, keys(2, trials))), trials,
                                          f.realised_fpr()));
    }
}

TEST(WindowBloom, RetainsExactlyWhatItSays) {
  auto f = must(window_bloom::make({{100, block_profile::line}, 4, 10}));
  const auto ks = keys(3, 1000);
  for (std::size_t i = 0; i < ks.size(); ++i) {
    f.insert(ks[i]);
    EXPECT_EQ(f.retained(), 30 + i % 10 + 1);
    EXPECT_EQ(f.current(), i / 10 % 4);
    const auto kept = std::min<std::size_t>(i + 1, 31 + i % 10);
    const std::vector<key> last(ks.begin() + std::ptrdiff_t(i + 1 - kept),
                                ks.begin() + std::ptrdiff_t(i + 1));
    ASSERT_EQ(count_maybe(ask(f, last)), kept) << i;
  }
  // The hundred before are gone, but for the rate.
  EXPECT_LE(count_maybe(ask(f, std::vector<key>(ks.begin(), ks.begin() + 900))), 5u);
}

TEST(WindowBloom, ByCallGenerationsChangeOnlyThen) {
  auto f = must(window_bloom::make({{50, block_profile::line}, 3, 0}));
  const auto ks = keys(4, 300);
  EXPECT_EQ(f.retained(), std::numeric_limits<std::uint64_t>::max());
  for (unsigned hour = 0; hour < 6; ++hour) {
    f.insert(std::span<const key>(ks).subspan(hour * 50, 50));
    EXPECT_EQ(f.count(), 50u);
    for (unsigned past = hour < 2 ? 0 : hour - 2; past <= hour; ++past)
      EXPECT_EQ(count_maybe(ask(f, std::span<const key>(ks).subspan(past * 50, 50))),
                50u);
    if (hour >= 3) {
      EXPECT_LE(count_maybe(ask(f, std::span<const key>(ks).first((hour - 2) * 50))), 3u);
    }
    f.rotate();
    EXPECT_EQ(f.count(), 0u);
  }
}

TEST(WindowBloom, FewerKeysThanGenerations) {
  for (const std::uint64_t n : {1u, 2u, 3u}) {
    auto f = must(window_bloom::make({.keys = n, .generations = 8}));
    EXPECT_EQ(f.shape().generation_keys, 1u);
    const auto ks = keys(n, 20);
    for (std::size_t i = 0; i < ks.size(); ++i) {
      f.insert(ks[i]);
      for (std::size_t back = 0; back < n && back <= i; ++back)
        EXPECT_TRUE(f.may_contain(ks[i - back]));
    }
  }
}

// A generation is a block filter of its keys, bit for bit.
TEST(WindowBloom, EachGenerationIsABlockFilter) {
  const block_shape one{77, block_profile::two_lines};
  auto f = must(window_bloom::make({one, 3, 100}));
  const auto ks = keys(5, 300);
  f.insert(std::span<const key>(ks));
  for (unsigned g = 0; g < 3; ++g) {
    auto b = must(block_bloom::make(one));
    b.insert(std::span<const key>(ks).subspan(g * 100, 100));
    EXPECT_TRUE(std::ranges::equal(f.bytes(g), b.bytes()));
    EXPECT_EQ(f.realised_fpr(g), b.realised_fpr());
    EXPECT_EQ(f.estimated_keys(g), b.estimated_keys());
  }
}

// Bits of a damaged chunk count as set until their generation is emptied.
TEST(WindowBloom, DamageAnswersPossiblyPresentUntilItIsForgotten) {
  auto f = must(window_bloom::make({{150, block_profile::line}, 3, 500}));
  const auto ks = keys(6, 1400);
  f.insert(std::span<const key>(ks));
  const pages file = must(f.encode());
  std::vector<std::byte> bytes(file.bytes().begin(), file.bytes().end());
  bytes[128 + 5000] ^= std::byte{0xff};
  auto damaged = must(window_bloom::decode(bytes));
  EXPECT_EQ(count_maybe(ask(damaged, ks)), ks.size());
  EXPECT_GT(damaged.realised_fpr(), 0.3);
  damaged.insert(std::span<const key>(keys(7, 1600)));
  EXPECT_LT(damaged.realised_fpr(), 0.2);
  auto intact = must(f.clone());
  intact.insert(std::span<const key>(keys(7, 1600)));
  EXPECT_TRUE(damaged == intact);
}

// Chunk 1 covers blocks 64 .. 99 of generation 0 and 0 .. 27 of generation 1.  No key has
// a damaged block in both, so the rates add up; their product would say 0.54.
TEST(WindowBloom, TheRateKnowsThatGenerationsShareTheirBlocks) {
  const auto f = must(window_bloom::make({{100, block_profile::line}, 2, 10}));
  const auto encoded = must(f.encode());
  std::vector<std::byte> bytes(encoded.bytes().begin(), encoded.bytes().end());
  const auto facts = must(inspect(bytes, bytes.size()));
  bytes[static_cast<std::size_t>(facts.payload_at) + 5000] ^= std::byte{1};
  const auto damaged = must(window_bloom::decode(bytes));
  EXPECT_NEAR(damaged.realised_fpr(), 0.64, 1e-7);
  const auto strangers = keys(77, 100'000);
  EXPECT_NEAR(static_cast<double>(count_maybe(ask(damaged, strangers))), 64'000, 1000);
}

// Their rates, of which each is up to 0.5, were added once.
TEST(WindowBloom, TheRateOfTwoLinesIsThatOfTheUnion) {
  for (const std::uint64_t blocks : {1u, 7u, 64u, 65u, 100u, 1000u, 5000u})
    for (const unsigned generations : {2u, 4u, 9u}) {
      SCOPED_TRACE(::testing::Message() << blocks << ' ' << generations);
      const std::uint64_t n = 60 * blocks;
      auto f =
          must(window_bloom::make({{blocks, block_profile::two_lines}, generations, n}));
      f.insert(std::span<const key>(keys(blocks, n * generations - n / 3)));
      const double realised = f.realised_fpr();
      const std::size_t trials = 200'000;
      EXPECT_TRUE(testing::within_5_sigma(count_maybe(ask(f, keys(9, trials))), trials,
                                          realised));
      double none = 1, sum = 0;
      for (unsigned g = 0; g < generations; ++g) {
        none *= 1 - f.realised_fpr(g);
        sum += f.realised_fpr(g);
      }
      if (blocks >= 1000) {
        EXPECT_NEAR(realised, 1 - none, 0.01 * realised);
      }
      if (generations == 9) {
        EXPECT_LT(realised, 0.9 * sum);
      }
    }
}

// Chunk 1 covers blocks 64 .. 99 of generation 0 and 0 .. 27 of generation 1.  A key
// passes with both its blocks in one of these; rates of their own would be 0.36^2 and
// 0.28^2, independent 0.198.
TEST(WindowBloom, TheRateOfTwoLinesKnowsWhereTheDamageIs) {
  const auto f = must(window_bloom::make({{100, block_profile::two_lines}, 2, 10}));
  const auto encoded = must(f.encode());
  std::vector<std::byte> bytes(encoded.bytes().begin(), encoded.bytes().end());
  const auto facts = must(inspect(bytes, bytes.size()));
  bytes[static_cast<std::size_t>(facts.payload_at) + 5000] ^= std::byte{1};
  const auto damaged = must(window_bloom::decode(bytes));
  EXPECT_NEAR(damaged.realised_fpr(), 0.36 * 0.36 + 0.28 * 0.28, 1e-6);
  const std::size_t trials = 200'000;
  EXPECT_TRUE(testing::within_5_sigma(count_maybe(ask(damaged, keys(78, trials))), trials,
                                      damaged.realised_fpr()));
}

}  // namespace
}  // namespace bloomery
