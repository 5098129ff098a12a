// Stable filters: sizes, what they forget, damage.
#include <bloomery/stable_bloom.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/container.hpp>
#include <bloomery/model.hpp>

#include "ask.hpp"
#include "cases.hpp"
#include "must.hpp"
#include "stable_oracle.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::ask;
using testing::count_maybe;
using testing::keys;
using testing::must;

constexpr std::uint64_t one = std::uint64_t{1} << 32;

TEST(StableBloom, RefusesImpossibleShapes) {
  const auto code = [](stable_shape s) { return stable_bloom::make(s).error().code; };
  EXPECT_EQ(code({0, 2, 3, 4, 0}), errc::invalid_argument);
  EXPECT_EQ(code({stable_shape::max_cells + 1, 2, 3, 4, 0}), errc::too_large);
  EXPECT_EQ(code({100, 3, 3, 4, 0}), errc::invalid_argument);
  EXPECT_EQ(code({100, 8, 3, 4, 0}), errc::invalid_argument);
  EXPECT_EQ(code({100, 2, 0, 4, 0}), errc::invalid_argument);
  EXPECT_EQ(code({100, 2, 4, 4, 0}), errc::invalid_argument);
  EXPECT_EQ(code({100, 2, 3, 0, 0}), errc::invalid_argument);
  EXPECT_EQ(code({100, 2, 3, 65, 0}), errc::invalid_argument);
  EXPECT_EQ(code({100, 2, 3, 4, 100 * one + 1}), errc::invalid_argument);
  EXPECT_TRUE(stable_bloom::make(stable_shape{100, 2, 3, 4, 100 * one}));
}

TEST(StableBloom, RefusesImpossibleRequests) {
  const auto code = [](stable_bloom::params p) {
    return stable_bloom::make(p).error().code;
  };
  EXPECT_EQ(code({.keys = 0}), errc::invalid_argument);
  EXPECT_EQ(code({.keys = 10, .fpr = 0}), errc::invalid_argument);
  EXPECT_EQ(code({.keys = 10, .fpr = 1}), errc::invalid_argument);
  EXPECT_EQ(code({.keys = 10, .fpr = std::nan("")}), errc::invalid_argument);
  EXPECT_EQ(code({.keys = 10, .forgotten = 0}), errc::invalid_argument);
  EXPECT_EQ(code({.keys = 10, .forgotten = 1}), errc::invalid_argument);
  EXPECT_EQ(code({.keys = 10, .cell_bits = 3}), errc::invalid_argument);
  EXPECT_EQ(code({.keys = 10, .fpr = 1e-9, .memory = 2}), errc::unattainable);
  EXPECT_EQ(code({.keys = std::uint64_t{1} << 60}), errc::too_large);
}

// Within the memory, with the rate, and better than every other width.
TEST(StableBloom, ThePlanIsTheBestOfAllWidths) {
  for (const double fpr : {0.1, 0.01, 0.001})
    for (const std::uint64_t gap : {100u, 1000u, 5000u, 20'000u}) {
      SCOPED_TRACE(::testing::Message() << fpr << ' ' << gap);
      const std::uint64_t bytes = 20'000;
      const stable_shape best = must(size_stable_by_memory(gap, fpr, bytes));
      EXPECT_LE(best.size_in_bytes(), bytes);
      EXPECT_NEAR(model::stable_fpr(best) / fpr, 1, 1e-6);
      const double forgotten = model::stable_forgetting(best, double(gap));
      for (const unsigned width : {1u, 2u, 4u}) {
        const stable_shape s = must(size_stable_by_memory(gap, fpr, bytes, width));
        EXPECT_EQ(s.cell_bits, width);
        EXPECT_GE(model::stable_forgetting(s, double(gap)), forgotten);
        // No other number of hashes is better, nor another maximum.
        for (std::uint32_t k = 1; k <= 64; ++k)
          for (unsigned max = 1; max >> width == 0; ++max) {
            const auto steps = stable_decrement(s.cells, k, max, fpr);
            if (!steps) continue;
            const stable_shape other{s.cells, width, max, k, *steps};
            EXPECT_GE(model::stable_forgetting(other, double(gap)) * (1 + 1e-9),
                      forgotten);
          }
      }
    }
}

TEST(StableBloom, TheSmallestThatForgetsNoMore) {
  for (const double forgotten : {0.2, 0.01, 1e-4}) {
    const stable_shape s = must(size_stable_by_rate(10'000, 0.01, forgotten));
    EXPECT_LE(model::stable_forgetting(s, 10'000), forgotten);
    const auto less = size_stable_by_memory(10'000, 0.01, s.size_in_bytes() * 99 / 100);
    EXPECT_GT(model::stable_forgetting(must(less), 10'000), forgotten);
  }
}

// The chain of one cell, step by step, is what the closed formula sums.
TEST(StableBloom, TheModelIsTheChainOfOneCell) {
  for (const stable_shape s :
       {stable_shape{1000, 1, 1, 3, 11 * one},
        stable_shape{1000, 2, 3, 3, 36 * one + one / 2},
        stable_shape{500, 4, 15, 6, 141 * one}, stable_shape{7, 2, 2, 2, 3 * one}}) {
    const double m = double(s.cells);
    const double set = 1 - std::pow(1 - 1 / m, s.hashes), less = s.steps() / m;
    std::vector<double> from_max(s.max + 1), from_zero(s.max + 1);
    from_max[s.max] = from_zero[0] = 1;
    const auto step = [&](std::vector<double>& p) {
      std::vector<double> next(p.size());
      for (unsigned v = 0; v < p.size(); ++v) {
        next[v == 0 ? 0 : v - 1] += p[v] * less;
        next[v] += p[v] * (1 - less);
      }
      for (double& x : next) x *= 1 - set;
      next[s.max] += set;
      p = next;
    };
    for (unsigned g = 0; g <= 2000; ++g, step(from_max), step(from_zero)) {
      if (g > 20 && g % 100 != 0) continue;
      EXPECT_NEAR(model::stable_forgetting(s, g), 1 - std::pow(1 - from_max[0], s.hashes),
                  1e-9)
          << g;
      EXPECT_NEAR(model::stable_fpr_after(s, g), std::pow(1 - from_zero[0], s.hashes),
                  1e-9)
          << g;
    }
    EXPECT_NEAR(model::stable_fpr_after(s, 1e6), model::stable_fpr(s), 1e-9);
    EXPECT_NEAR(model::stable_forgetting(s, 1e15), 1 - model::stable_fpr(s), 1e-9);
  }
}

// Rate within 3 % of the asked one at the stable point, mean of several moments; what is
// forgotten within 3 % absolute of the prediction, at five gaps.
TEST(StableBloom, RateAndForgettingAreThePredicted) {
  for (const double fpr : {0.1, 0.01, 0.001})
    for (const unsigned width : {1u, 2u, 4u}) {
      SCOPED_TRACE(::testing::Message() << fpr << " d=" << width);
      const std::uint64_t gap = 5000;
      auto f = must(stable_bloom::make(
          {.keys = gap, .fpr = fpr, .memory = 100'000, .cell_bits = width}));
      // The slowest settles by e in 127,000 inserts: measured from 700,000 on.
      const auto ks = keys(1, 1'400'000);
      const auto past = [&](std::size_t from, std::size_t n) {
        return std::vector<key>(ks.begin() + std::ptrdiff_t(from),
                                ks.begin() + std::ptrdiff_t(from + n));
      };
      double rate = 0;
      unsigned moments = 0;
      for (std::size_t at = 0; at < ks.size(); at += 20'000) {
        f.insert(std::span<const key>(ks).subspan(at, 20'000));
        if (at < ks.size() / 2) continue;
        rate += f.realised_fpr();
        ++moments;
      }
      EXPECT_NEAR(rate / moments / fpr, 1, 0.03);
      EXPECT_NEAR(f.stable_fpr() / fpr, 1, 1e-3);
      for (const std::size_t age : {500u, 2000u, 5000u, 10'000u, 40'000u}) {
        const std::size_t n = std::min<std::size_t>(age, 2000);
        const auto some = past(ks.size() - age - n / 2, n);
        const double lost = 1 - double(count_maybe(ask(f, some))) / double(n);
        EXPECT_NEAR(lost, f.forgetting(age), 0.03) << age;
      }
      testing::count_cases("filters", 1);
    }
}

TEST(StableBloom, ReproducibleFromItsSeed) {
  const stable_shape s = must(size_stable_by_memory(1000, 0.01, 4000));
  const auto ks = keys(2, 5000);
  const auto with = [&](std::uint32_t seed) {
    auto f = must(stable_bloom::make(s, 0, hasher::xxh3(), seed));
    f.insert(std::span<const key>(ks));
    return f;
  };
  EXPECT_TRUE(with(1) == with(1));
  EXPECT_FALSE(with(1) == with(2));
  testing::stable_oracle worded(s, 1);
  for (const key k : ks) worded.insert(k);
  const auto f = with(1);
  EXPECT_TRUE(std::ranges::equal(f.bytes(), worded.bytes()));
}

// A zero of an intact chunk denies; a damaged one does not.
TEST(StableBloom, DamageAnswersPossiblyPresent) {
  const stable_shape s{30'000, 4, 15, 6, 141 * one};  // 15,000 bytes: four chunks
  auto f = must(stable_bloom::make(s));
  const auto ks = keys(3, 1000);
  f.insert(std::span<const key>(ks));
  const auto before = count_maybe(ask(f, ks));
  const pages file = must(f.encode());
  std::vector<std::byte> bytes(file.bytes().begin(), file.bytes().end());
  bytes[128 + 5000] ^= std::byte{0xff};
  auto damaged = must(stable_bloom::decode(bytes));
  EXPECT_EQ(damaged.damage().damaged_chunks(), 1u);
  EXPECT_GE(count_maybe(ask(damaged, ks)), before);
  const auto absent = keys(4, 20'000);
  const auto answers = ask(damaged, absent);
  for (std::size_t i = 0; i < absent.size(); ++i) {
    bool want = true;
    for (const std::uint64_t c : testing::stable_insert(s, 0, 0).cells_of(absent[i])) {
      const std::size_t at = static_cast<std::size_t>(c / 2);
      if (at / 4096 == 1) continue;
      want &= (std::to_integer<unsigned>(f.bytes()[at]) >> (c % 2 * 4) & 15) != 0;
    }
    ASSERT_EQ(answers[i] != 0, want) << i;
    ASSERT_EQ(damaged.may_contain(absent[i]), want) << i;
  }
  EXPECT_GT(damaged.realised_fpr(), f.realised_fpr());
  EXPECT_EQ(damaged.encode().error().code, errc::corrupt);
  EXPECT_EQ(damaged.clone().error().code, errc::corrupt);
  // Inserts leave the damaged chunk alone, and the key is found.
  const auto old = std::vector(damaged.bytes().begin(), damaged.bytes().end());
  const auto more = keys(5, 300);
  damaged.insert(std::span<const key>(more).first(299));
  EXPECT_FALSE(damaged.insert_if_absent(more[298]));
  damaged.insert(more[299]);
  EXPECT_TRUE(damaged.may_contain(more[299]));
  EXPECT_TRUE(
      std::equal(old.begin() + 4096, old.begin() + 8192, damaged.bytes().begin() + 4096));
  damaged.clear();
  EXPECT_TRUE(damaged.encode());
}

}  // namespace
}  // namespace bloomery
