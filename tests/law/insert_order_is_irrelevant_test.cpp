// Law (Bloom family): the bits depend on the set of keys, not on their order, nor on how
// often or in what portions they came.
#include <algorithm>
#include <span>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <filter F>
class InsertOrderIsIrrelevant : public ::testing::Test {};
TYPED_TEST_SUITE(InsertOrderIsIrrelevant, all_filters, filter_names);

TYPED_TEST(InsertOrderIsIrrelevant, BackwardsOrShuffledOrRepeated) {
  if constexpr (insertable<TypeParam>) {
    auto ks = keys(1, 5000);
    const TypeParam want = recipe<TypeParam>::of(ks, 0.01);
    std::ranges::reverse(ks);
    EXPECT_TRUE(recipe<TypeParam>::of(ks, 0.01) == want);

    random from(2);
    for (std::size_t i = ks.size(); i > 1; --i) std::swap(ks[i - 1], ks[from.below(i)]);
    TypeParam f = recipe<TypeParam>::of(ks, 0.01);
    EXPECT_TRUE(f == want);
    f.insert(std::span<const key>(ks).first(1234));
    EXPECT_TRUE(f == want);
  }
}

TYPED_TEST(InsertOrderIsIrrelevant, InPortionsOfAnySize) {
  if constexpr (insertable<TypeParam>) {
    const auto ks = keys(3, 3000);
    const TypeParam want = recipe<TypeParam>::of(ks, 0.01);
    random from(4);
    TypeParam f = recipe<TypeParam>::empty(ks.size(), 0.01);
    for (std::size_t i = 0; i < ks.size();) {
      const std::size_t n = std::min<std::size_t>(from.below(140), ks.size() - i);
      f.insert(std::span<const key>(ks).subspan(i, n));
      i += n;
    }
    EXPECT_TRUE(f == want);
  }
}

}  // namespace
}  // namespace bloomery::testing
