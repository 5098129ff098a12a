// Law: a cleared filter is a new filter.
#include <span>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "ask.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <filter F>
class ClearForgets : public ::testing::Test {};
TYPED_TEST_SUITE(ClearForgets, all_filters, filter_names);

TYPED_TEST(ClearForgets, EveryKeyAndNothingElse) {
  if constexpr (insertable<TypeParam>) {
    auto used = recipe<TypeParam>::shapes();
    const auto fresh = recipe<TypeParam>::shapes();
    for (std::size_t i = 0; i < used.size(); ++i) {
      SCOPED_TRACE(used[i].name);
      TypeParam& f = used[i].filter;
      const auto ks = keys(1, 300);
      f.insert(std::span<const key>(ks));
      EXPECT_FALSE(f == fresh[i].filter);
      f.clear();
      EXPECT_TRUE(f == fresh[i].filter);
      EXPECT_EQ(f.fill(), 0);
      EXPECT_EQ(f.estimated_keys(), 0);
      EXPECT_EQ(count_maybe(ask(f, ks)), 0u);
      f.insert(std::span<const key>(ks));
      EXPECT_EQ(count_maybe(ask(f, ks)), ks.size());
    }
  }
}

// Moving a filter takes its keys along and leaves nothing that could answer for them.
TYPED_TEST(ClearForgets, AMovedFilterKeepsEverything) {
  const auto ks = keys(2, 300);
  TypeParam f = recipe<TypeParam>::of(ks, 0.01);
  const TypeParam same = recipe<TypeParam>::of(ks, 0.01);
  TypeParam constructed = std::move(f);
  EXPECT_TRUE(constructed == same);
  TypeParam assigned = recipe<TypeParam>::of(keys(3, 9), 0.5);
  assigned = std::move(constructed);
  EXPECT_TRUE(assigned == same);
  EXPECT_EQ(count_maybe(ask(assigned, ks)), ks.size());
}

}  // namespace
}  // namespace bloomery::testing
