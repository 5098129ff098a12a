// Law: a batch with more or fewer answers than keys ends the program with a sentence, in
// every build, before anything is written.
#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/any_filter.hpp>
#include <bloomery/filter_set.hpp>
#include <bloomery/filter_view.hpp>
#include <bloomery/foreign_filter.hpp>
#include <bloomery/live/live_filter.hpp>
#include <bloomery/live/rekeyable_filter.hpp>
#include <bloomery/live/tenant_rates.hpp>
#include <bloomery/live/window_filter.hpp>
#include <bloomery/packed_set.hpp>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "must.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

constexpr const char* broken = "bloomery: a batch must have";
constexpr std::size_t n = 130;

const std::vector<key>& some_keys() {
  static const std::vector<key> ks = keys(1, n);
  return ks;
}
const std::vector<std::string_view>& some_texts() {
  static const std::vector<std::string> names = numbered("name", n);
  static const std::vector<std::string_view> texts = views(names);
  return texts;
}

// call(answers) with too few answers, too many and none.
template <class Call>
void expect_answers_for_each(Call call) {
  const auto room = std::make_unique<bool[]>(n + 1);
  for (const std::size_t answers : {n - 1, n + 1, std::size_t{0}})
    EXPECT_DEATH(call(std::span(room.get(), answers)), broken) << answers;
  call(std::span(room.get(), n));
}
template <class F>
void expect_answers_to_keys(const F& f) {
  SCOPED_TRACE("keys");
  expect_answers_for_each([&](std::span<bool> out) { f.may_contain(some_keys(), out); });
}
template <class F>
void expect_answers_to_texts(const F& f) {
  SCOPED_TRACE("texts");
  expect_answers_for_each([&](std::span<bool> out) { f.may_contain(some_texts(), out); });
}
template <class F>
void expect_answers(const F& f) {
  expect_answers_to_keys(f);
  expect_answers_to_texts(f);
}

template <class F>
class BatchContractDeathTest : public ::testing::Test {};
TYPED_TEST_SUITE(BatchContractDeathTest, stored_filters, filter_names);

TYPED_TEST(BatchContractDeathTest, OfAFilter) {
  expect_answers(recipe<TypeParam>::of(some_keys(), 0.01));
  expect_answers(any_filter(recipe<TypeParam>::of(some_keys(), 0.01)));
  if constexpr (deduplicating<TypeParam>) {
    SCOPED_TRACE("insert_if_absent");
    auto f = recipe<TypeParam>::empty(n, 0.01);
    expect_answers_for_each(
        [&](std::span<bool> out) { f.insert_if_absent(some_keys(), out); });
  }
}

TYPED_TEST(BatchContractDeathTest, OfAView) {
  const temp_dir here;
  const std::string path = here / "f.bloom";
  must(save_container(recipe<TypeParam>::of(some_keys(), 0.01), path.c_str()));
  const auto view = must(filter_view<TypeParam>::open(path.c_str()));
  ASSERT_FALSE(view.is_verified());
  expect_answers(view);
  view.verify_all();
  expect_answers(view);
}

template <class F>
class SharedBatchContractDeathTest : public ::testing::Test {};
using shared_filters = concurrent_types::apply<::testing::Types>;
TYPED_TEST_SUITE(SharedBatchContractDeathTest, shared_filters, filter_names);

TYPED_TEST(SharedBatchContractDeathTest, OfAConcurrentFilter) {
  auto f = must(TypeParam::make({.keys = n}));
  expect_answers(f);
  SCOPED_TRACE("insert_if_absent");
  expect_answers_for_each(
      [&](std::span<bool> out) { f.insert_if_absent(some_keys(), out); });
}

TYPED_TEST(SharedBatchContractDeathTest, OfAServiceAndAWindow) {
  auto live = must(live_filter<TypeParam>::make(must(TypeParam::make({.keys = n}))));
  expect_answers(live);
  live.kill();
  expect_answers(live);

  auto other =
      must(rekeyable_filter<TypeParam>::make(must(TypeParam::make({.keys = n}))));
  expect_answers_to_texts(other);
  other.kill();
  expect_answers_to_texts(other);

  auto window =
      must(window_filter<TypeParam>::make({.params = {.keys = n}, .retention = 2}));
  window.insert(std::span<const key>(some_keys()));
  expect_answers(window);
  window.kill();
  expect_answers(window);
}

TEST(BitmapContractDeathTest, OfABlockFilter) {
  const auto check = [](const auto& f) {
    std::array<std::uint64_t, 4> out{};
    for (const std::size_t words : {0u, 2u}) {
      const auto few = std::span(out).first(words);
      EXPECT_DEATH(f.may_contain(some_keys(), few), broken);
      EXPECT_DEATH(f.may_contain(some_texts(), few), broken);
    }
    // More are not needed, and say no.
    out.back() = ~std::uint64_t{0};
    f.may_contain(some_keys(), out);
    EXPECT_EQ(out.back(), 0u);
  };
  for (const auto p :
       {block_profile::half_line, block_profile::line, block_profile::two_lines})
    check(must(block_bloom::make({.keys = n, .profile = p})));
  check(must(split_block_bloom::make({.keys = n})));
}

template <class F>
void expect_words_for_each_key() {
  const F f = must(F::build(some_keys(), {.keys = n}));
  const std::vector<const F*> filters(65, &f);
  const auto set = must(filter_set<F>::make(filters));
  std::array<std::uint64_t, 5> out{};
  const std::span<const key> two = std::span(some_keys()).first(2);
  for (const std::size_t words : {0u, 2u, 3u, 5u})
    EXPECT_DEATH(set.may_contain(two, std::span(out).first(words)), broken) << words;
  for (const std::size_t words : {0u, 1u, 3u})
    EXPECT_DEATH(set.may_contain(two[0], std::span(out).first(words)), broken) << words;
  set.may_contain(two, std::span(out).first(4));
}

TEST(BitmapContractDeathTest, OfASetOfFilters) {
  expect_words_for_each_key<block_bloom>();
  expect_words_for_each_key<split_block_bloom>();
}

TEST(BitmapContractDeathTest, OfAPackedSet) {
  const temp_dir here;
  const std::string path = here / "s.bloom";
  auto writer = must(packed_writer::create(path.c_str()));
  for (int i = 0; i < 65; ++i) must(writer.add(must(block_bloom::make({.keys = 10}))));
  must(writer.finish());
  const auto set = must(packed_set::open(path.c_str()));
  const key k = set.hash("alice");
  std::array<std::uint64_t, 2> out{};
  EXPECT_DEATH(set.may_contain(0, 65, k, std::span(out).first(1)), broken);
  EXPECT_DEATH(set.may_contain(1, 65, k, out), "bloomery: a packed set has fewer");
  EXPECT_DEATH(set.may_contain(~std::uint64_t{0}, 2, k, out), "has fewer members");
  set.may_contain(0, 65, k, out);
}

TEST(BatchContractDeathTests, OfAForeignFilter) {
  foreign_params p;
  p.keys = n;
  expect_answers_to_texts(must(foreign_filter::make("guava", p)));
}

TEST(BatchContractDeathTests, OfTheRowsOfTenants) {
  const auto rates = must(tenant_rates::make(3));
  std::array<lookup_counts, 4> rows;
  for (const std::size_t some : {0u, 2u, 4u})
    EXPECT_DEATH(rates.counts(std::span(rows).first(some)),
                 "bloomery: .* rows as tenants");
  rates.counts(std::span(rows).first(3));
}

}  // namespace
}  // namespace bloomery::testing
