// Law: merging two filters gives the filter of both sets of keys.
#include <span>

#include <gtest/gtest.h>

#include "ask.hpp"
#include "cases.hpp"
#include "form.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

class MergeIsUnion : public law {};
INSTANTIATE_TEST_SUITE_P(Filters, MergeIsUnion, ::testing::ValuesIn(every_form()),
                         form_name);

subject with(subject f, std::span<const key> ks) {
  f.insert(ks);
  return f;
}

TEST_P(MergeIsUnion, BitForBit) {
  if (!GetParam().is_mergeable || !GetParam().is_insertable) GTEST_SKIP();
  const auto a = keys(1, 400), b = keys(2, 700);
  auto left = with(GetParam().empty(1100, 0.01), a);
  const auto right = with(GetParam().empty(1100, 0.01), b);
  const auto both = with(with(GetParam().empty(1100, 0.01), a), b);
  const auto before = keys(3, 5000);
  const auto said_left = ask(left, before), said_right = ask(right, before);
  must(left.merge(right));
  count_cases("merges", 1);
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

TEST_P(MergeIsUnion, InAwkwardLayouts) {
  if (!GetParam().is_mergeable || !GetParam().is_insertable) GTEST_SKIP();
  const auto a = keys(4, 30), b = keys(5, 30);
  auto lefts = GetParam().shapes(), rights = GetParam().shapes(),
       boths = GetParam().shapes();
  for (std::size_t i = 0; i < lefts.size(); ++i) {
    SCOPED_TRACE(lefts[i].name);
    subject left = with(std::move(lefts[i].filter), a);
    must(left.merge(with(std::move(rights[i].filter), b)));
    EXPECT_TRUE(left == with(with(std::move(boths[i].filter), a), b));
    count_cases("merges", 1);
  }
}

TEST_P(MergeIsUnion, WithItselfOrWithNothingChangesNothing) {
  if (!GetParam().is_mergeable || !GetParam().is_insertable) GTEST_SKIP();
  auto f = GetParam().of(keys(6, 500), 0.01);
  const auto same = GetParam().of(keys(6, 500), 0.01);
  if (GetParam().is_a_set) {
    must(f.merge(f));
    EXPECT_TRUE(f == same);
  }
  must(f.merge(GetParam().empty(500, 0.01)));
  EXPECT_TRUE(f == same);
  count_cases("merges", 2);
}

// Where copies count, a filter that is merged with itself holds each key twice.
TEST_P(MergeIsUnion, WithItselfIsWithACopy) {
  if (!GetParam().is_mergeable) GTEST_SKIP();
  auto f = GetParam().of(keys(6, 500), 0.01), g = GetParam().of(keys(6, 500), 0.01);
  const auto copy = GetParam().of(keys(6, 500), 0.01);
  const auto alone = f.merge(f), beside = g.merge(copy);
  count_cases("merges", 2);
  ASSERT_EQ(alone.has_value(), beside.has_value());
  EXPECT_TRUE(f == g);
}

TEST_P(MergeIsUnion, OfAnotherLayoutIsRefusedAndChangesNothing) {
  if (!GetParam().is_mergeable) GTEST_SKIP();
  auto f = GetParam().of(keys(7, 500), 0.01);
  const auto same = GetParam().of(keys(7, 500), 0.01);
  const auto refused = f.merge(GetParam().of(keys(8, 900), 0.01));
  count_cases("merges", 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::incompatible);
  EXPECT_TRUE(f == same);
}

}  // namespace
}  // namespace bloomery::testing
