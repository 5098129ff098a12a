// Folding, union and intersection of block filters.
#include <span>

#include <cmath>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/detail/kind/block/sizing.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "ask.hpp"
#include "block_oracle.hpp"
#include "cases.hpp"
#include "full.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::all_profiles;
using testing::ask;
using testing::count_cases;
using testing::count_maybe;
using testing::keys;
using testing::must;
using enum block_profile;

// Calls use(make) for each kind and profile; make(blocks) is an empty filter.
template <class Use>
void for_each_kind(Use use) {
  for (const block_profile p : {half_line, line, two_lines, lanes16}) {
    SCOPED_TRACE(name_of(p));
    use([p](std::uint64_t blocks) { return must(block_bloom::make({blocks, p})); });
  }
  SCOPED_TRACE("split");
  use([](std::uint64_t blocks) { return must(split_block_bloom::make(blocks)); });
}

template <class F>
F with(F f, const std::vector<key>& ks) {
  f.insert(std::span<const key>(ks));
  return f;
}

// Folded by f is, bit for bit, the filter of the same keys with B / f blocks.
TEST(BlockFold, ByEveryDivisorIsTheSmallerFilter) {
  for_each_kind([](auto make) {
    for (const std::uint64_t blocks : {1u, 2u, 12u, 60u, 97u, 720u, 1000u, 1001u}) {
      const auto ks = keys(blocks, 5 * blocks);
      for (std::uint64_t f = 1; f <= blocks; ++f) {
        auto folded = with(make(blocks), ks);
        if (blocks % f != 0) {
          if (f > 10) continue;
          const auto before = with(make(blocks), ks);
          EXPECT_EQ(folded.fold(f).error().code, errc::invalid_argument);
          EXPECT_TRUE(folded == before);
          continue;
        }
        must(folded.fold(f));
        ASSERT_TRUE(folded == with(make(blocks / f), ks)) << blocks << " by " << f;
        ASSERT_EQ(folded.shape().blocks, blocks / f);
        count_cases("merges", 1);
      }
    }
  });
}

TEST(BlockFold, ByNoDivisorIsRefused) {
  for_each_kind([](auto make) {
    auto f = make(12);
    for (const std::uint64_t by :
         {std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{24}, ~std::uint64_t{0}}) {
      const auto r = f.fold(by);
      ASSERT_FALSE(r);
      EXPECT_EQ(r.error().code, errc::invalid_argument);
      EXPECT_EQ(r.error().asked, static_cast<double>(by));
    }
    EXPECT_EQ(f.shape().blocks, 12u);
  });
}

// Made for a million keys, and a tenth or a thousandth of them came.
TEST(BlockFold, ToTheRateOfTheKeysThatCame) {
  for (const double fpr : {0.05, 0.01, 0.0001})
    for (const std::size_t n : {100'000u, 1000u}) {
      SCOPED_TRACE(::testing::Message() << fpr << " " << n);
      auto f = must(block_bloom::make({.keys = 1'000'000, .fpr = fpr, .foldable = true}));
      const std::uint64_t blocks = f.shape().blocks;
      const auto ks = keys(1, n);
      f.insert(std::span<const key>(ks));
      const std::uint64_t by = must(f.fold_to_rate(fpr));
      EXPECT_EQ(f.shape().blocks, blocks / by);
      EXPECT_EQ(count_maybe(ask(f, ks)), n);
      EXPECT_LE(f.expected_fpr(n), 1.05 * fpr);
      // As small as its divisors allow: less than 1.5 times what is needed.
      const auto needed = must(size_blocks_by_rate(n, fpr, f.profile())).blocks;
      EXPECT_LT(f.shape().blocks, needed + needed / 2);
      EXPECT_EQ(must(f.fold_to_rate(fpr)), 1u);
    }
}

// Chance may put more keys into few blocks than the model expects: the rate that counts
// is that of the bits.  As small as possible: the next larger divisor breaks the rate.
TEST(BlockFold, ToARateThatTheResultKeeps) {
  const auto needed = must(size_blocks_by_rate(5000, 0.01, line)).blocks;
  const block_shape large{24 * needed, line};
  for (std::uint64_t i = 0; i < 200; ++i) {
    const auto ks = keys(1000 + i, 5000);
    const auto unfolded = with(must(block_bloom::make(large)), ks);
    auto f = with(must(block_bloom::make(large)), ks);
    const std::uint64_t by = must(f.fold_to_rate(0.01));
    EXPECT_GT(by, 1u);
    EXPECT_LE(f.realised_fpr(), 0.01) << i;
    EXPECT_EQ(count_maybe(ask(f, ks)), ks.size());
    for (std::uint64_t more = by + 1; i % 50 == 0 && more <= large.blocks; ++more) {
      if (large.blocks % more != 0) continue;
      auto g = must(block_bloom::make(block_shape{large.blocks / more, line}));
      must(g.merge(unfolded));
      EXPECT_GT(g.realised_fpr(), 0.01) << more;
    }
  }
}

TEST(BlockFold, ToARateThatEveryLayoutKeeps) {
  for (const double fpr : {0.3, 0.03, 1e-4, 1e-8})
    for (std::uint64_t i = 0; i < (testing::sanitized ? 1 : 5); ++i) {
      SCOPED_TRACE(::testing::Message() << fpr << " " << i);
      const auto ks = keys(2000 + i, 500);
      const auto check = [&](auto f) {
        f.insert(std::span<const key>(ks));
        EXPECT_GT(must(f.fold_to_rate(fpr)), 1u);
        EXPECT_LE(f.realised_fpr(), fpr);
        EXPECT_EQ(count_maybe(ask(f, ks)), ks.size());
      };
      for (const auto p :
           {block_profile::half_line, block_profile::line, block_profile::two_lines})
        check(must(block_bloom::make(block_shape{55'440, p})));
      check(must(split_block_bloom::make(55'440)));
    }
}

TEST(BlockFold, ToARateAtTheEdges) {
  auto full = must(block_bloom::make(block_shape{8, line}));
  full.insert(std::span<const key>(keys(2, 100'000)));
  EXPECT_EQ(must(full.fold_to_rate(0.01)), 1u);
  auto none = must(block_bloom::make(block_shape{720, line}));
  EXPECT_EQ(must(none.fold_to_rate(0.01)), 720u);
  EXPECT_EQ(none.shape().blocks, 1u);
  for (const double fpr : {0.0, 1.0, -1.0})
    EXPECT_EQ(none.fold_to_rate(fpr).error().code, errc::invalid_argument);
  auto some = must(block_bloom::make(block_shape{720, line}));
  some.insert(std::span<const key>(keys(3, 100)));
  EXPECT_EQ(must(some.fold_to_rate(1e-30)), 1u);  // out of reach: left alone
}

TEST(BlockMerge, TakesInAMultipleOfItsSize) {
  for_each_kind([](auto make) {
    const auto a = keys(1, 300), b = keys(2, 400);
    for (const std::uint64_t times : {1u, 2u, 3u, 10u}) {
      auto f = with(make(35), a);
      must(f.merge(with(make(35 * times), b)));
      EXPECT_TRUE(f == with(with(make(35), a), b)) << times;
      count_cases("merges", 1);
    }
    auto f = with(make(70), a);
    const auto same = with(make(70), a);
    const auto refused = f.merge(with(make(35), b));  // smaller: its bits say too little
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, errc::incompatible);
    EXPECT_EQ(refused.error().asked, 35);
    EXPECT_EQ(refused.error().possible, 70);
    EXPECT_TRUE(f == same);
  });
}

TEST(BlockMerge, ThroughFoldingForAnyTwoSizes) {
  for_each_kind([](auto make) {
    const auto a = keys(3, 300), b = keys(4, 400);
    struct sizes {
      std::uint64_t ours, theirs, common;
    };
    for (const sizes s : {sizes{60, 36, 12},
                          {36, 60, 12},
                          {35, 70, 35},
                          {70, 35, 35},
                          {64, 81, 1},
                          {50, 50, 50}}) {
      auto f = with(make(s.ours), a);
      must(f.fold_and_merge(with(make(s.theirs), b)));
      EXPECT_TRUE(f == with(with(make(s.common), a), b)) << s.ours << " " << s.theirs;
      count_cases("merges", 1);
    }
    auto f = with(make(60), a);
    must(f.fold_and_merge(f));
    EXPECT_TRUE(f == with(make(60), a));
  });
}

// Every key of both sets, and "no" wherever either said so.
TEST(BlockIntersect, KeepsTheCommonKeys) {
  for_each_kind([](auto make) {
    const auto common = keys(5, 200), a = keys(6, 300), b = keys(7, 300);
    const auto left = with(with(make(150), common), a);
    const auto right = with(with(make(150), common), b);
    auto both = with(with(make(150), common), a);
    must(both.intersect(right));
    EXPECT_EQ(count_maybe(ask(both, common)), common.size());
    count_cases("merges", 1);
    for (const auto& some : {a, b, keys(8, 3000)}) {
      const auto in_left = ask(left, some), in_right = ask(right, some),
                 in_both = ask(both, some);
      for (std::size_t i = 0; i < some.size(); ++i) {
        EXPECT_LE(in_both[i], in_left[i]);
        EXPECT_LE(in_both[i], in_right[i]);
      }
    }
    EXPECT_EQ(both.intersect(make(75)).error().code, errc::incompatible);
    EXPECT_EQ(both.intersect(make(300)).error().code, errc::incompatible);
  });
}

// Another hasher, another profile: refused by all three, and nothing changes.
TEST(BlockMerge, RefusesOtherKeys) {
  const auto ks = keys(9, 100);
  const auto mine = [&] { return with(must(block_bloom::make({12, line})), ks); };
  const auto same = mine();
  std::vector<block_bloom> others;
  others.push_back(must(block_bloom::make({12, line}, 0, hasher::xxh3(1))));
  others.push_back(must(block_bloom::make({12, line}, 0, hasher::xxh64())));
  others.push_back(must(block_bloom::make({12, two_lines})));
  others.push_back(must(block_bloom::make({24, half_line})));
  for (const block_bloom& other : others) {
    auto f = mine();
    EXPECT_EQ(f.merge(other).error().code, errc::incompatible);
    EXPECT_EQ(f.fold_and_merge(other).error().code, errc::incompatible);
    EXPECT_EQ(f.intersect(other).error().code, errc::incompatible);
    EXPECT_TRUE(f == same);
    EXPECT_FALSE(f == other);
    count_cases("merges", 3);
  }
}

TEST(BlockFold, ToARateThatIsNoneIsRefused) {
  auto f = must(block_bloom::make({.keys = 1000}));
  for (const double fpr : {0.0, 1.0, -1.0, 2.0, std::nan("")})
    EXPECT_EQ(f.fold_to_rate(fpr).error().code, errc::invalid_argument) << fpr;
}

}  // namespace
}  // namespace bloomery
