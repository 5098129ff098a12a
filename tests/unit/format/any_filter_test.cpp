#include <bloomery/any_filter.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "all_filters.hpp"
#include "ask.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::must;

template <class F>
class AnyFilterOf : public ::testing::Test {
 protected:
  using recipe = testing::recipe<F>;
};
TYPED_TEST_SUITE(AnyFilterOf, testing::stored_filters, testing::filter_names);

TYPED_TEST(AnyFilterOf, AnswersLikeTheFilterInside) {
  const auto in = testing::keys(1, 500), probe = testing::keys(1, 5000);
  const auto plain = TestFixture::recipe::of(in, 0.1);
  any_filter any = TestFixture::recipe::empty(500, 0.1);
  any.insert(std::span<const key>(in));
  EXPECT_EQ(any.hasher(), plain.hasher());
  EXPECT_EQ(testing::ask(any, probe), testing::ask(plain, probe));
  EXPECT_EQ(any.capacity(), plain.capacity());
  EXPECT_EQ(any.size_in_bytes(), plain.size_in_bytes());
  EXPECT_EQ(any.fill(), plain.fill());
  EXPECT_EQ(any.estimated_keys(), plain.estimated_keys());
  EXPECT_EQ(any.expected_fpr(500), plain.expected_fpr(500));
  EXPECT_EQ(any.realised_fpr(), plain.realised_fpr());
  EXPECT_TRUE(any.padding_is_clear());
}

TYPED_TEST(AnyFilterOf, TakesStringsAndMerges) {
  const auto strings = testing::numbered("k", 100);
  const auto texts = testing::views(strings);
  any_filter a = TestFixture::recipe::empty(100, 0.01);
  any_filter b = TestFixture::recipe::empty(100, 0.01);
  b.insert(std::span<const std::string_view>(texts));
  EXPECT_EQ(testing::count_maybe(testing::ask(a, texts)), 0u);
  ASSERT_TRUE(a.merge(b));
  EXPECT_EQ(testing::count_maybe(testing::ask(a, texts)), 100u);
}

TYPED_TEST(AnyFilterOf, ThreadsSetTheSameBits) {
  const auto in = testing::keys(3, 70'000);
  const auto bits = [](const any_filter& f) {
    return f.visit([](const auto& any) {
      return std::vector<std::byte>(any.bytes().begin(), any.bytes().end());
    });
  };
  any_filter one = TestFixture::recipe::empty(70'000, 0.01);
  one.insert(std::span<const key>(in));
  for (const unsigned threads : {1u, 3u}) {
    any_filter many = TestFixture::recipe::empty(70'000, 0.01);
    many.insert(in, threads);
    EXPECT_EQ(bits(many), bits(one)) << threads;
  }
}

TEST(AnyFilter, KnowsItsKind) {
  using testing::recipe;
  EXPECT_EQ(any_filter(recipe<portable_bloom>::empty(9, 0.1)).kind(), "portable");
  EXPECT_EQ(any_filter(recipe<block_bloom>::empty(9, 0.1)).kind(), "block");
  EXPECT_EQ(any_filter(recipe<split_block_bloom>::empty(9, 0.1)).kind(), "split-block");
  EXPECT_EQ(any_filter(recipe<bloom>::empty(9, 0.1)).kind(), "bloom");
}

TEST(AnyFilter, OtherKindsAndLayoutsDoNotMerge) {
  using testing::recipe;
  any_filter portable = recipe<portable_bloom>::empty(100, 0.01);
  EXPECT_EQ(portable.merge(recipe<bloom>::empty(100, 0.01)).error().code,
            errc::incompatible);
  EXPECT_EQ(portable.merge(recipe<portable_bloom>::empty(200, 0.01)).error().code,
            errc::incompatible);
  EXPECT_EQ(
      portable.fold_and_merge(recipe<portable_bloom>::empty(200, 0.01)).error().code,
      errc::incompatible);
}

TEST(AnyFilter, BlockFiltersMeetAtTheCommonSize) {
  const auto in = testing::keys(4, 100);
  any_filter a = must(block_bloom::make(block_shape{40}));
  any_filter b = must(block_bloom::make(block_shape{60}));
  b.insert(std::span<const key>(in));
  EXPECT_EQ(a.merge(b).error().code, errc::incompatible);
  ASSERT_TRUE(a.fold_and_merge(b));
  EXPECT_EQ(a.size_in_bytes(), 20u * 64);
  EXPECT_EQ(testing::count_maybe(testing::ask(a, in)), 100u);
}

TEST(AnyFilter, ShowsTheKindToAVisitor) {
  any_filter any = testing::recipe<portable_bloom>::empty(1000, 0.01);
  EXPECT_EQ(any.visit([](auto& f) -> std::uint64_t { return f.bits(); }), 9586u);
  const any_filter moved = std::move(any);
  EXPECT_EQ(moved.visit([](const auto& f) -> unsigned { return f.hashes(); }), 7u);
}

}  // namespace
}  // namespace bloomery
