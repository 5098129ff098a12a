// Law: a filter takes the memory that its sizing rule says; its file adds a header.
#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <filter F>
class SizeMatchesSizing : public ::testing::Test {};
TYPED_TEST_SUITE(SizeMatchesSizing, all_filters, filter_names);

TYPED_TEST(SizeMatchesSizing, InMemoryAndEncoded) {
  for (const std::uint64_t n : {1u, 2u, 3u, 10u, 99u, 1000u, 12'345u, 1'000'000u}) {
    for (const double fpr : {0.5, 0.1, 0.01, 0.001}) {
      SCOPED_TRACE(::testing::Message() << "n=" << n << " fpr=" << fpr);
      const TypeParam f = recipe<TypeParam>::empty(n, fpr);
      EXPECT_EQ(f.size_in_bytes(), recipe<TypeParam>::sized(n, fpr));
      EXPECT_EQ(f.capacity(), n);
      if constexpr (encodable<TypeParam>) {
        EXPECT_EQ(encoded(f).size(), recipe<TypeParam>::encoded_size(f.size_in_bytes()));
      }
    }
  }
}

TYPED_TEST(SizeMatchesSizing, AndDoesNotGrowWithKeys) {
  if constexpr (insertable<TypeParam>) {
    TypeParam f = recipe<TypeParam>::empty(100, 0.01);
    const std::size_t before = f.size_in_bytes();
    for (const key k : keys(1, 10'000)) f.insert(k);
    EXPECT_EQ(f.size_in_bytes(), before);
  }
}

}  // namespace
}  // namespace bloomery::testing
