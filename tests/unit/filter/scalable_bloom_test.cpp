// Chains of block filters: their levels, what they refuse, and that their bits do not
// depend on how keys come.
#include <bloomery/scalable_bloom.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/container.hpp>
#include <bloomery/detail/probe/block_bits.hpp>

#include "ask.hpp"
#include "block_oracle.hpp"
#include "cases.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

std::span<const key> span_of(const std::vector<key>& ks) { return ks; }

// Which levels contain a key, bit by bit as the specification words it.
bool oracle_contains(const scalable_bloom& f, key k) {
  for (unsigned i = 0; i < f.levels(); ++i) {
    bool all = true;
    const std::uint64_t g = block_probe::second(k.bits());
    for (const std::uint64_t at : oracle_positions(f.shape().level(i), g)) {
      const std::uint64_t bit = 8 * f.shape().offset(i) + at;
      all &= (static_cast<unsigned>(f.bytes()[bit / 8]) >> (bit % 8) & 1) != 0;
    }
    if (all) return true;
  }
  return false;
}

TEST(ScalableBloom, AnswersAreThoseOfItsLevelsBitByBit) {
  for (const scalable_bloom::params& p :
       {scalable_bloom::params{.keys = 5, .fpr = 0.3},
        {.keys = 5, .fpr = 0.1, .max_growth = 500, .growth = 8},
        {.keys = 3, .fpr = 0.0001},
        {.keys = 3, .fpr = 0.2, .dynamic = true}}) {
    auto f = must(scalable_bloom::make(p));
    f.insert(span_of(keys(1, 1500)));
    EXPECT_GE(f.levels(), 3u);
    const auto some = keys(1, 6000);  // the first are in it
    const auto said = ask(f, some);
    for (std::size_t i = 0; i < some.size(); ++i)
      ASSERT_EQ(said[i], oracle_contains(f, some[i])) << i;
    count_cases("answers", some.size());
  }
}

TEST(ScalableBloom, NoKeyIsLostWhileItGrows) {
  for (const unsigned growth : {2u, 4u, 8u, 16u}) {
    auto f = must(scalable_bloom::make({.keys = 1, .growth = growth}));
    const auto ks = keys(3, 30'000);
    for (std::size_t i = 0; i < ks.size(); ++i) {
      const unsigned before = f.levels();
      f.insert(ks[i]);
      ASSERT_TRUE(f.may_contain(ks[i]));
      if (f.levels() != before) {
        ASSERT_EQ(count_maybe(ask(f, span_of(ks).first(i + 1))), i + 1);
      }
    }
    EXPECT_GT(f.levels(), 3u);
    count_cases("levels", f.levels());
  }
}

// In portions of any size, one by one, by try_insert, and stored and loaded in between.
TEST(ScalableBloom, BitsDoNotDependOnHowKeysCome) {
  const scalable_bloom::params p{.keys = 50, .max_growth = 200};
  const auto ks = keys(5, 8000);
  auto want = must(scalable_bloom::make(p));
  for (const key k : ks) want.insert(k);
  EXPECT_GE(want.levels(), 7u);

  auto whole = must(scalable_bloom::make(p));
  whole.insert(span_of(ks));
  EXPECT_TRUE(whole == want);
  auto tried = must(scalable_bloom::make(p));
  EXPECT_EQ(tried.try_insert(span_of(ks)), ks.size());
  EXPECT_TRUE(tried == want);

  random from(6);
  auto f = must(scalable_bloom::make(p));
  for (std::size_t i = 0; i < ks.size();) {
    const std::size_t n = std::min<std::size_t>(from.below(300), ks.size() - i);
    const auto some = span_of(ks).subspan(i, n);
    i += n;
    switch (from.below(4)) {
      case 0:
        f.insert(some);
        break;
      case 1:
        for (const key k : some) must(f.try_insert(k));
        break;
      case 2:
        EXPECT_EQ(f.try_insert(some), n);
        break;
      default:
        f.insert(some);
        f = must(scalable_bloom::decode(must(f.encode()).bytes()));
    }
  }
  EXPECT_TRUE(f == want);
  count_cases("comparisons", 3);
}

// Those of a block filter would fill its first blocks, and leave the others empty.
TEST(ScalableBloom, KeysInTheOrderOfTheirHashesFillItAsAnyOthers) {
  auto ks = keys(4, 50'000);
  std::ranges::sort(ks, {}, &key::bits);
  auto f = must(scalable_bloom::make({.keys = 500, .max_growth = 128}));
  EXPECT_EQ(f.try_insert(span_of(ks)), ks.size());
  EXPECT_LE(f.realised_fpr(), 0.01);
  EXPECT_NEAR(f.estimated_keys(), 50'000, 1000);
  EXPECT_EQ(f.levels(), 7u);
}

TEST(ScalableBloom, DuplicatesDoNotMakeItGrow) {
  auto f = must(scalable_bloom::make({.keys = 1000}));
  const auto ks = keys(7, 1000);
  for (int i = 0; i < 50; ++i) f.insert(span_of(ks));
  EXPECT_EQ(f.levels(), 1u);
  // A key of an older level is put into a newer one by insert, not by insert_if_absent.
  f.insert(span_of(keys(8, 300)));
  ASSERT_EQ(f.levels(), 2u);
  const std::uint64_t ones = f.ones();
  for (const key k : ks) EXPECT_FALSE(f.insert_if_absent(k));
  EXPECT_EQ(f.ones(), ones);
  f.insert(span_of(ks));
  EXPECT_GT(f.ones(), ones);
}

TEST(ScalableBloom, BeyondItsLimitTryInsertRefusesAndInsertGoesOn) {
  const scalable_bloom::params p{.keys = 100, .max_growth = 10};
  auto f = must(scalable_bloom::make(p));
  const std::uint64_t fits = f.max_keys();
  EXPECT_GE(fits, 1000u);
  const auto ks = keys(9, 2 * fits);
  const std::size_t in = f.try_insert(span_of(ks));
  EXPECT_GE(in, 1000u);
  EXPECT_NEAR(static_cast<double>(in), static_cast<double>(fits),
              0.1 * static_cast<double>(fits));
  EXPECT_LE(f.realised_fpr(), 0.01);
  const auto before = must(f.clone());
  for (int i = 0; i < 100; ++i) {
    const auto refused = f.try_insert(ks[in]);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, errc::full);
  }
  EXPECT_EQ(f.try_insert(span_of(ks).subspan(in)), 0u);
  EXPECT_TRUE(f == before);
  EXPECT_EQ(f.levels(), unsigned{f.shape().max_levels});

  const double rate = f.realised_fpr();
  const std::size_t bytes = f.size_in_bytes();
  f.insert(span_of(ks).subspan(in));
  EXPECT_EQ(f.size_in_bytes(), bytes);
  EXPECT_EQ(count_maybe(ask(f, span_of(ks))), ks.size());
  EXPECT_GT(f.realised_fpr(), 2 * rate);  // and says so
  EXPECT_EQ(f.try_insert(ks[0]).error().code, errc::full);
  count_cases("refusals", 102);
}

TEST(ScalableBloom, MergeTakesTheLevelsOfBoth) {
  const scalable_bloom::params p{.keys = 50};
  const auto a = keys(10, 60), b = keys(11, 900);
  auto small = must(scalable_bloom::make(p)), large = must(scalable_bloom::make(p));
  small.insert(span_of(a));
  large.insert(span_of(b));
  ASSERT_LT(small.levels(), large.levels());
  auto one = must(small.clone()), other = must(large.clone());
  must(one.merge(large));
  must(other.merge(small));
  EXPECT_TRUE(one == other);
  for (const auto* f : {&one, &other}) {
    EXPECT_EQ(f->levels(), large.levels());
    EXPECT_EQ(count_maybe(ask(*f, span_of(a))), a.size());
    EXPECT_EQ(count_maybe(ask(*f, span_of(b))), b.size());
  }
  // It goes on growing by its bits.
  one.insert(span_of(keys(12, 3000)));
  EXPECT_GT(one.levels(), large.levels());
  EXPECT_EQ(count_maybe(ask(one, span_of(b))), b.size());

  for (const scalable_bloom::params& q : {scalable_bloom::params{.keys = 51},
                                          {.keys = 50, .growth = 4},
                                          {.keys = 50, .max_growth = 100},
                                          {.keys = 50, .hasher = hasher::xxh3(1)}}) {
    const auto same = must(small.clone());
    const auto refused = small.merge(must(scalable_bloom::make(q)));
    if (q.keys == 51 && must(scalable_bloom::make(q)).shape() == small.shape()) continue;
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, errc::incompatible);
    EXPECT_TRUE(small == same);
  }
}

TEST(ScalableBloom, ALevelReportsItsShareAndItsRate) {
  auto f = must(scalable_bloom::make({.keys = 200, .max_growth = 60, .growth = 4}));
  f.insert(span_of(keys(13, 3000)));
  double keys_in_all = 0, compound = 0;
  for (unsigned i = 0; i < f.levels(); ++i) {
    const auto l = f.level(i);
    EXPECT_EQ(l.shape, f.shape().level(i));
    EXPECT_DOUBLE_EQ(l.target_fpr, 0.01 / f.shape().max_levels);
    EXPECT_LE(l.realised_fpr, l.target_fpr);
    EXPECT_LE(l.estimated_keys, 1.02 * static_cast<double>(l.room));
    keys_in_all += l.estimated_keys;
    compound = 1 - (1 - compound) * (1 - l.realised_fpr);
  }
  EXPECT_DOUBLE_EQ(keys_in_all, f.estimated_keys());
  // Not equal: keys of one block of a level are in the same blocks of the others.
  EXPECT_NEAR(compound, f.realised_fpr(), 1e-3 * compound);
}

TEST(ScalableBloom, ClearGivesItsLevelsBack) {
  auto f = must(scalable_bloom::make({.keys = 10}));
  f.insert(span_of(keys(14, 100'000)));
  EXPECT_GT(f.levels(), 10u);
  f.clear();
  EXPECT_TRUE(f == must(scalable_bloom::make({.keys = 10})));
  f.insert(span_of(keys(15, 100)));
  EXPECT_EQ(count_maybe(ask(f, span_of(keys(15, 100)))), 100u);
}

TEST(ScalableBloom, RefusesWhatIsNoChain) {
  const auto code = [](const scalable_bloom::params& p) {
    const auto f = scalable_bloom::make(p);
    return f ? errc{} : f.error().code;
  };
  EXPECT_EQ(code({.keys = 0}), errc::invalid_argument);
  for (const double fpr : {0.0, 1.0, -1.0, 2.0, std::nan("")})
    EXPECT_EQ(code({.keys = 1, .fpr = fpr}), errc::invalid_argument);
  for (const unsigned growth : {1u, 3u, 5u, 17u, 32u})
    EXPECT_EQ(code({.keys = 1, .growth = growth}), errc::invalid_argument);
  for (const double most : {0.5, -1.0, std::nan("")})
    EXPECT_EQ(code({.keys = 1, .max_growth = most}), errc::invalid_argument);
  EXPECT_EQ(code({.keys = 1, .max_growth = 1e300}), errc::too_large);
  EXPECT_EQ(code({.keys = 1'000'000'000'000, .max_growth = 1e6}), errc::too_large);
  EXPECT_EQ(code({.keys = 1, .max_growth = 2, .dynamic = true}), errc::invalid_argument);
  for (const block_profile p : {block_profile::split, block_profile::lanes16})
    EXPECT_EQ(code({.keys = 1, .profile = p}), errc::unsupported);
  for (const auto& edit : std::initializer_list<void (*)(scalable_shape&)>{
           [](scalable_shape& s) { s.lines = 0; }, [](scalable_shape& s) { s.fpr = 1; },
           [](scalable_shape& s) { s.growth = 3; },
           [](scalable_shape& s) { s.policy = growth_policy{3}; },
           [](scalable_shape& s) { s.max_levels = 1; },
           [](scalable_shape& s) { s.line_from = 49; },
           [](scalable_shape& s) { s.line_from = 5, s.two_lines_from = 4; }}) {
    scalable_shape s = must(scalable_of_lines(1, 0.01));
    edit(s);
    EXPECT_EQ(scalable_bloom::make(s).error().code, errc::invalid_argument);
  }
  scalable_shape s = must(scalable_of_lines(1, 0.01));
  s.lines = ~std::uint64_t{0};
  EXPECT_EQ(scalable_bloom::make(s).error().code, errc::too_large);
}

}  // namespace
}  // namespace bloomery::testing
