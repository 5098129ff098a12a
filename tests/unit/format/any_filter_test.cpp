#include <bloomery/any_filter.hpp>
#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

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
  if (any.can(capability::build))
    any = TestFixture::recipe::of(in, 0.1);
  else if (any.can(capability::insert))
    must(any.insert(std::span<const key>(in)));
  else
    ASSERT_EQ(must(any.try_insert(std::span<const key>(in))), in.size());
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
  if (!a.can(capability::insert) || !a.can(capability::merge))
    GTEST_SKIP() << "the kind lacks the calls";
  must(b.insert(std::span<const std::string_view>(texts)));
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
  if (!one.can(capability::insert)) GTEST_SKIP() << "the kind lacks the call";
  must(one.insert(std::span<const key>(in)));
  for (const unsigned threads : {1u, 3u}) {
    any_filter many = TestFixture::recipe::empty(70'000, 0.01);
    must(many.insert(in, threads));
    EXPECT_EQ(bits(many), bits(one)) << threads;
  }
}

TYPED_TEST(AnyFilterOf, KnowsItsKind) {
  const any_filter any = TestFixture::recipe::empty(9, 0.1);
  EXPECT_EQ(any.kind(), TypeParam::kind.name);
  EXPECT_EQ(any.facts().number, TypeParam::kind.number);
}

// What a kind lacks is answered by name, never by the nearest thing.
TYPED_TEST(AnyFilterOf, CallsThatTheKindLacksSaySo) {
  any_filter any = TestFixture::recipe::empty(100, 0.1);
  const key k = testing::keys(5, 1)[0];
  const auto refused = [&](const auto& answer, capability c) {
    if (any.can(c)) return;
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, errc::unsupported);
    const std::string_view what = answer.error().what;
    EXPECT_NE(what.find(any.kind()), what.npos) << what;
    EXPECT_NE(what.find(name_of(c)), what.npos) << what;
    for (const kind_info& other : kinds())
      if (other.can.has(c)) {
        EXPECT_NE(what.find(other.facts.name), what.npos) << what;
      }
  };
  refused(any.insert(k), capability::insert);
  refused(any.try_insert(k), capability::try_insert);
  refused(any.try_insert(std::span(&k, 1)), capability::try_insert);
  refused(any.insert_if_absent(k), capability::insert_if_absent);
  bool absent;
  refused(any.insert_if_absent(std::span(&k, 1), std::span(&absent, 1)),
          capability::insert_if_absent);
  refused(any.erase_present(k), capability::erase);
  refused(any.count(k), capability::count);
  refused(any.fold(1), capability::fold);
  refused(any.iterate([](void*, std::uint64_t, std::uint64_t) {}, nullptr),
          capability::iterate);
  const any_filter other = TestFixture::recipe::empty(100, 0.1);
  refused(any.merge(other), capability::merge);
  refused(any.intersect(other), capability::intersect);
  refused(any.fold_and_merge(other), capability::fold);
}

TEST(AnyFilter, ARefusalNamesTheKindsThatHaveTheCall) {
  any_filter f = testing::recipe<bloom>::empty(100, 0.1);
  EXPECT_STREQ(f.fold(2).error().what,
               "a filter of the kind bloom has no fold; these kinds have it: block, "
               "split-block");
}

TYPED_TEST(AnyFilterOf, InsertsIfAbsentAndIntersects) {
  const auto both = testing::keys(6, 100), one = testing::keys(7, 100);
  any_filter a = TestFixture::recipe::empty(300, 0.001);
  if (!a.can(capability::insert_if_absent) || !a.can(capability::intersect))
    GTEST_SKIP() << "the kind lacks the calls";
  any_filter b = must(a.empty_like());
  EXPECT_TRUE(must(a.insert_if_absent(both[0])));
  EXPECT_FALSE(must(a.insert_if_absent(both[0])));
  must(a.insert(both)), must(b.insert(both)), must(a.insert(one));
  must(a.intersect(b));
  EXPECT_EQ(a, b);
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
      errc::unsupported);
}

TEST(AnyFilter, BlockFiltersMeetAtTheCommonSize) {
  const auto in = testing::keys(4, 100);
  any_filter a = must(block_bloom::make(block_shape{40}));
  any_filter b = must(block_bloom::make(block_shape{60}));
  must(b.insert(std::span<const key>(in)));
  EXPECT_EQ(a.merge(b).error().code, errc::incompatible);
  ASSERT_TRUE(a.fold_and_merge(b));
  EXPECT_EQ(a.size_in_bytes(), 20u * 64);
  EXPECT_EQ(testing::count_maybe(testing::ask(a, in)), 100u);
}

TEST(AnyFilter, ShowsTheKindToAVisitor) {
  any_filter any = testing::recipe<portable_bloom>::empty(1000, 0.01);
  EXPECT_EQ(any.visit([](auto& f) -> std::uint64_t { return f.bits(); }), 9586u);
  const any_filter moved = std::move(any);
  EXPECT_EQ(moved.visit([](const auto& f) { return read_field(f, "hashes")->count; }),
            7u);
}

}  // namespace
}  // namespace bloomery
