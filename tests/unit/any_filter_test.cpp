#include <bloomery/any_filter.hpp>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "ask.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::must;

TEST(AnyFilter, AnswersLikeTheFilterInside) {
  const auto in = testing::keys(1, 500), probe = testing::keys(1, 5000);
  const auto plain = testing::recipe<portable_bloom>::of(in, 0.1);
  any_filter any = testing::recipe<portable_bloom>::empty(500, 0.1);
  any.insert(std::span<const key>(in));
  EXPECT_EQ(any.kind(), "portable");
  EXPECT_EQ(any.hasher(), plain.hasher());
  EXPECT_EQ(testing::ask(any, probe), testing::ask(plain, probe));
  EXPECT_EQ(any.capacity(), plain.capacity());
  EXPECT_EQ(any.size_in_bytes(), plain.size_in_bytes());
  EXPECT_EQ(any.fill(), plain.fill());
  EXPECT_EQ(any.estimated_keys(), plain.estimated_keys());
  EXPECT_EQ(any.expected_fpr(500), plain.expected_fpr(500));
  EXPECT_EQ(any.realised_fpr(), plain.realised_fpr());
}

TEST(AnyFilter, TakesStringsAndMerges) {
  const auto strings = testing::numbered("k", 100);
  const auto texts = testing::views(strings);
  any_filter a = testing::recipe<portable_bloom>::empty(100, 0.01);
  any_filter b = testing::recipe<portable_bloom>::empty(100, 0.01);
  b.insert(std::span<const std::string_view>(texts));
  EXPECT_EQ(testing::count_maybe(testing::ask(a, texts)), 0u);
  ASSERT_TRUE(a.merge(b));
  EXPECT_EQ(testing::count_maybe(testing::ask(a, texts)), 100u);
  const any_filter other = testing::recipe<portable_bloom>::empty(200, 0.01);
  EXPECT_EQ(a.merge(other).error().code, errc::incompatible);
}

TEST(AnyFilter, ShowsTheKindToAVisitor) {
  any_filter any = testing::recipe<portable_bloom>::empty(1000, 0.01);
  EXPECT_EQ(any.visit([](auto& f) { return f.bits(); }), 9586u);
  const any_filter moved = std::move(any);
  EXPECT_EQ(moved.visit([](const auto& f) { return f.hashes(); }), 7u);
}

}  // namespace
}  // namespace bloomery
