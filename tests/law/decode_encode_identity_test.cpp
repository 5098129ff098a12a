// Law: what was encoded decodes to an equal filter, which encodes to the same bytes.
#include <span>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "ask.hpp"
#include "edges.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <filter F>
class DecodeEncodeIdentity : public ::testing::Test {
 protected:
  static void hold(const F& f) {
    const auto bytes = encoded(f);
    const auto back = F::decode(bytes);
    ASSERT_TRUE(back) << back.error().what;
    EXPECT_TRUE(*back == f);
    EXPECT_EQ(encoded(*back), bytes);
    const auto probe = keys(7, 500);
    EXPECT_EQ(ask(*back, probe), ask(f, probe));
  }
};
TYPED_TEST_SUITE(DecodeEncodeIdentity, stored_filters, filter_names);

TYPED_TEST(DecodeEncodeIdentity, AtEverySize) {
  if constexpr (encodable<TypeParam>)
    for (const std::size_t n : edge_counts) {
      SCOPED_TRACE(n);
      this->hold(recipe<TypeParam>::of(keys(1, n), 0.01));
    }
}

TYPED_TEST(DecodeEncodeIdentity, InAwkwardLayoutsEmptyAndNot) {
  if constexpr (encodable<TypeParam> && insertable<TypeParam>)
    for (auto& [name, f] : recipe<TypeParam>::shapes()) {
      SCOPED_TRACE(name);
      this->hold(f);
      const auto ks = keys(2, 50);
      f.insert(std::span<const key>(ks));
      this->hold(f);
    }
}

// The same filter, made twice, is the same bytes.
TYPED_TEST(DecodeEncodeIdentity, IsDeterministic) {
  if constexpr (encodable<TypeParam>) {
    const auto ks = keys(3, 1000);
    EXPECT_EQ(encoded(recipe<TypeParam>::of(ks, 0.01)),
              encoded(recipe<TypeParam>::of(ks, 0.01)));
  }
}

}  // namespace
}  // namespace bloomery::testing
