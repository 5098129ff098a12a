// Law: merging two filters gives the filter of both sets of keys.
#include <span>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "ask.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <filter F>
class MergeIsUnion : public ::testing::Test {};
TYPED_TEST_SUITE(MergeIsUnion, all_filters, filter_names);

template <insertable F>
F with(F f, std::span<const key> ks) {
  f.insert(ks);
  return f;
}

TYPED_TEST(MergeIsUnion, BitForBit) {
  if constexpr (mergeable<TypeParam> && insertable<TypeParam>) {
    const auto a = keys(1, 400), b = keys(2, 700);
    auto left = with(recipe<TypeParam>::empty(1100, 0.01), a);
    const auto right = with(recipe<TypeParam>::empty(1100, 0.01), b);
    const auto both = with(with(recipe<TypeParam>::empty(1100, 0.01), a), b);
    const auto before = keys(3, 5000);
    const auto said_left = ask(left, before), said_right = ask(right, before);
    must(left.merge(right));
    EXPECT_TRUE(left == both);
    EXPECT_EQ(count_maybe(ask(left, a)), a.size());
    EXPECT_EQ(count_maybe(ask(left, b)), b.size());
    // "Perhaps" wherever either said so.
    const auto says = ask(left, before);
    for (std::size_t i = 0; i < before.size(); ++i)
      if (said_left[i] || said_right[i]) {
        EXPECT_TRUE(says[i]) << i;
      }
  }
}

TYPED_TEST(MergeIsUnion, InAwkwardLayouts) {
  if constexpr (mergeable<TypeParam> && insertable<TypeParam>) {
    const auto a = keys(4, 30), b = keys(5, 30);
    auto lefts = recipe<TypeParam>::shapes(), rights = recipe<TypeParam>::shapes(),
         boths = recipe<TypeParam>::shapes();
    for (std::size_t i = 0; i < lefts.size(); ++i) {
      SCOPED_TRACE(lefts[i].name);
      TypeParam left = with(std::move(lefts[i].filter), a);
      must(left.merge(with(std::move(rights[i].filter), b)));
      EXPECT_TRUE(left == with(with(std::move(boths[i].filter), a), b));
    }
  }
}

TYPED_TEST(MergeIsUnion, WithItselfOrWithNothingChangesNothing) {
  if constexpr (mergeable<TypeParam> && insertable<TypeParam>) {
    auto f = recipe<TypeParam>::of(keys(6, 500), 0.01);
    const auto same = recipe<TypeParam>::of(keys(6, 500), 0.01);
    must(f.merge(f));
    EXPECT_TRUE(f == same);
    must(f.merge(recipe<TypeParam>::empty(500, 0.01)));
    EXPECT_TRUE(f == same);
  }
}

TYPED_TEST(MergeIsUnion, OfAnotherLayoutIsRefusedAndChangesNothing) {
  if constexpr (mergeable<TypeParam>) {
    auto f = recipe<TypeParam>::of(keys(7, 500), 0.01);
    const auto same = recipe<TypeParam>::of(keys(7, 500), 0.01);
    const auto refused = f.merge(recipe<TypeParam>::of(keys(8, 900), 0.01));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, errc::incompatible);
    EXPECT_TRUE(f == same);
  }
}

}  // namespace
}  // namespace bloomery::testing
