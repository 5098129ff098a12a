// Memory that is refused in the middle of growing: the filter goes on as it was.
#include <optional>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/scalable_bloom.hpp>

#include "allocations.hpp"
#include "ask.hpp"
#include "cases.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

// Keys up to the one that needs another level.
std::size_t fill_last_level(scalable_bloom& f, std::span<const key> ks) {
  const unsigned levels = f.levels();
  std::size_t in = 0;
  for (; in < ks.size(); ++in) {
    auto next = must(f.clone());
    must(next.try_insert(ks[in]));
    if (next.levels() != levels) break;
    must(f.try_insert(ks[in]));
  }
  return in;
}

TEST(ScalableGrowth, RefusedMemoryChangesNothing) {
  auto f = must(scalable_bloom::make({.keys = 20}));
  const auto ks = keys(1, 2000);
  std::size_t in = 0;
  for (int level = 0; level < 4; ++level) {
    in += fill_last_level(f, std::span(ks).subspan(in));
    ASSERT_LT(in, ks.size());
    const auto before = must(f.clone());
    for (int again = 0; again < 3; ++again) {
      std::optional<allocation_watch> watch(std::in_place, 1);
      const auto refused = f.try_insert(ks[in]);
      watch.reset();
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, errc::out_of_memory);
      EXPECT_TRUE(f == before);
      count_cases("refusals", 1);
    }
    std::optional<allocation_watch> watch(std::in_place, 1);
    EXPECT_EQ(f.try_insert(std::span(ks).subspan(in)), 0u);
    watch.reset();
    EXPECT_TRUE(f == before);
    must(f.try_insert(ks[in++]));  // there is memory again
    EXPECT_EQ(f.levels(), before.levels() + 1);
  }
  EXPECT_EQ(count_maybe(ask(f, std::span(ks).first(in))), in);
}

// Refused once, and there again: the filter is the same, and none is called full.
TEST(ScalableGrowth, ABuildGoesOnWhenThereIsMemoryAgain) {
  const auto ks = keys(3, 3000);
  const scalable_bloom::params p{.keys = 20};
  const auto whole = must(scalable_bloom::build(ks, p));
  ASSERT_GT(whole.levels(), 5u);
  std::size_t refused = 0, built = 0;
  for (std::uint64_t fail_at = 1; fail_at <= whole.levels(); ++fail_at) {
    std::optional<allocation_watch> watch(std::in_place, fail_at);
    const auto made = scalable_bloom::build(ks, p);
    watch.reset();
    if (made) {
      EXPECT_TRUE(*made == whole);
      ++built;
    } else {
      EXPECT_EQ(made.error().code, errc::out_of_memory);
      ++refused;
    }
  }
  EXPECT_EQ(refused, 1u);  // of the first level
  EXPECT_EQ(built, whole.levels() - 1);
  // Beyond what it may grow to.
  EXPECT_EQ(scalable_bloom::build(ks, {.keys = 20, .max_growth = 2}).error().code,
            errc::full);
}

// insert takes the key all the same, reports the rate, and grows once it can.
TEST(ScalableGrowth, InsertWithoutMemoryLosesNoKey) {
  auto f = must(scalable_bloom::make({.keys = 20, .max_growth = 1000}));
  const auto ks = keys(2, 3000);
  const std::size_t in = fill_last_level(f, ks);
  const double rate = f.realised_fpr();
  {
    // Every allocation is refused: none is needed.
    std::optional<allocation_watch> watch(std::in_place, 1);
    f.insert(ks[in]);
    watch.reset();
  }
  EXPECT_EQ(f.levels(), 1u);
  EXPECT_TRUE(f.may_contain(ks[in]));
  EXPECT_GE(f.realised_fpr(), rate);
  f.insert(std::span<const key>(ks).subspan(in + 1));
  EXPECT_GT(f.levels(), 4u);
  EXPECT_EQ(count_maybe(ask(f, std::span<const key>(ks))), ks.size());
}

}  // namespace
}  // namespace bloomery::testing
