// Law: a batch sets the bits and gives the answers of its keys one by one.
#include <span>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "ask.hpp"
#include "edges.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <filter F>
class BatchEqualsSingle : public ::testing::Test {};
TYPED_TEST_SUITE(BatchEqualsSingle, all_filters, filter_names);

TYPED_TEST(BatchEqualsSingle, OnLookup) {
  for (const std::size_t n : edge_counts) {
    SCOPED_TRACE(n);
    // A coarse rate: both answers are frequent among absent keys.
    const TypeParam f = recipe<TypeParam>::of(keys(1, n), 0.3);
    const auto probe = keys(1, 2 * n + 3);  // the first n are present
    EXPECT_EQ(ask(f, probe), ask_one_by_one(f, probe));
  }
}

TYPED_TEST(BatchEqualsSingle, OnInsert) {
  if constexpr (insertable<TypeParam>) {
    for (const std::size_t n : edge_counts) {
      SCOPED_TRACE(n);
      const auto ks = keys(2, n);
      TypeParam batch = recipe<TypeParam>::empty(n, 0.01);
      TypeParam single = recipe<TypeParam>::empty(n, 0.01);
      batch.insert(std::span<const key>(ks));
      for (const key k : ks) single.insert(k);
      EXPECT_TRUE(batch == single);
    }
  }
}

TYPED_TEST(BatchEqualsSingle, InAwkwardLayouts) {
  if constexpr (insertable<TypeParam>) {
    auto batches = recipe<TypeParam>::shapes(), singles = recipe<TypeParam>::shapes();
    for (std::size_t i = 0; i < batches.size(); ++i) {
      SCOPED_TRACE(batches[i].name);
      TypeParam &batch = batches[i].filter, &single = singles[i].filter;
      const auto ks = keys(3, 130);
      batch.insert(std::span<const key>(ks));
      for (const key k : ks) single.insert(k);
      EXPECT_TRUE(batch == single);
      const auto probe = keys(3, 1000);
      EXPECT_EQ(ask(batch, probe), ask_one_by_one(batch, probe));
    }
  }
}

TYPED_TEST(BatchEqualsSingle, OnStrings) {
  if constexpr (insertable<TypeParam>) {
    for (const std::size_t n : edge_counts) {
      SCOPED_TRACE(n);
      const auto strings = mixed_strings(n + 1, n), others = mixed_strings(n + 2, n);
      const auto texts = views(strings), probe = views(others);
      TypeParam batch = recipe<TypeParam>::empty(n, 0.1);
      TypeParam single = recipe<TypeParam>::empty(n, 0.1);
      batch.insert(std::span<const std::string_view>(texts));
      for (const std::string_view s : texts) single.insert(s);
      EXPECT_TRUE(batch == single);
      EXPECT_EQ(ask(batch, probe), ask_one_by_one(batch, probe));
      EXPECT_EQ(ask(batch, texts), ask_one_by_one(batch, texts));
    }
  }
}

// A string and the key that the filter makes of it are the same key.
TYPED_TEST(BatchEqualsSingle, OnStringsAndTheirKeys) {
  const auto strings = mixed_strings(9, 1000);
  const auto texts = views(strings);
  const TypeParam f = recipe<TypeParam>::of(keys(4, 1000), 0.3);
  std::vector<key> hashed;
  for (const std::string_view s : texts) hashed.push_back(f.hash(s));
  EXPECT_EQ(ask(f, texts), ask(f, hashed));
}

}  // namespace
}  // namespace bloomery::testing
