// Law: a filter answers "perhaps" to every key that was put into it.
#include <span>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "ask.hpp"
#include "edges.hpp"
#include "full.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <filter F>
class NoFalseNegatives : public ::testing::Test {};
TYPED_TEST_SUITE(NoFalseNegatives, all_filters, filter_names);

TYPED_TEST(NoFalseNegatives, AtEverySizeAndRate) {
  for (const std::size_t n : edge_counts) {
    for (const double fpr : {0.9, 0.5, 0.05, 0.01, 0.001}) {
      SCOPED_TRACE(::testing::Message() << "n=" << n << " fpr=" << fpr);
      const auto ks = keys(n, n);
      const TypeParam f = recipe<TypeParam>::of(ks, fpr);
      EXPECT_EQ(count_maybe(ask_one_by_one(f, ks)), n);
      EXPECT_EQ(count_maybe(ask(f, ks)), n);
    }
  }
}

TYPED_TEST(NoFalseNegatives, InAwkwardLayouts) {
  if constexpr (insertable<TypeParam>) {
    for (auto& [name, f] : recipe<TypeParam>::shapes()) {
      SCOPED_TRACE(name);
      const auto batch = keys(1, 257), single = keys(2, 67);
      f.insert(std::span<const key>(batch));
      for (const key k : single) f.insert(k);
      EXPECT_EQ(count_maybe(ask(f, batch)), batch.size());
      EXPECT_EQ(count_maybe(ask(f, single)), single.size());
      EXPECT_EQ(count_maybe(ask_one_by_one(f, batch)), batch.size());
      EXPECT_EQ(count_maybe(ask_one_by_one(f, single)), single.size());
    }
  }
}

TYPED_TEST(NoFalseNegatives, ForStringsOfEveryLength) {
  const auto strings = mixed_strings(3, 1000);
  const auto texts = views(strings);
  if constexpr (insertable<TypeParam>) {
    TypeParam single = recipe<TypeParam>::empty(texts.size(), 0.01);
    for (const std::string_view s : texts) single.insert(s);
    TypeParam batch = recipe<TypeParam>::empty(texts.size(), 0.01);
    batch.insert(std::span<const std::string_view>(texts));
    for (const TypeParam* f : {&single, &batch}) {
      EXPECT_EQ(count_maybe(ask(*f, texts)), texts.size());
      EXPECT_EQ(count_maybe(ask_one_by_one(*f, texts)), texts.size());
    }
  }
}

// Overfilling costs rate, never a key.
TYPED_TEST(NoFalseNegatives, WhenOverfilledTenTimes) {
  if constexpr (insertable<TypeParam>) {
    TypeParam f = recipe<TypeParam>::empty(1000, 0.01);
    const auto ks = keys(4, 10'000);
    f.insert(std::span<const key>(ks));
    EXPECT_EQ(count_maybe(ask(f, ks)), ks.size());
  }
}

template <filter F>
class NoFalseNegativesFull : public ::testing::Test {};
TYPED_TEST_SUITE(NoFalseNegativesFull, all_filters, filter_names);

TYPED_TEST(NoFalseNegativesFull, WithTwentyMillionKeys) {
  BLOOMERY_FULL_ONLY();
  const auto ks = keys(5, 20'000'000);
  const TypeParam f = recipe<TypeParam>::of(ks, 0.01);
  EXPECT_EQ(count_maybe(ask(f, ks)), ks.size());
  EXPECT_EQ(count_maybe(ask_one_by_one(f, ks)), ks.size());
}

}  // namespace
}  // namespace bloomery::testing
