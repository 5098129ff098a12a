// Keys of another source than the filter's, where only the file says which that is: no
// program ends, and no lookup is a false negative.
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/any_filter.hpp>
#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/filter_set.hpp>
#include <bloomery/filter_view.hpp>
#include <bloomery/live/live_filter.hpp>
#include <bloomery/ribbon.hpp>

#include "must.hpp"
#include "temp_dir.hpp"

namespace bloomery::testing {
namespace {

const std::vector<int> numbers{1, 42, 77};
constexpr std::array<std::string_view, 2> texts{"alice", "nobody"};

block_bloom with_alice() {
  auto f = must(block_bloom::make({.keys = 100, .fpr = 1e-6}));
  f.insert("alice");
  return f;
}
block_bloom::integers with_42() {
  auto f = must(block_bloom::integers::make({.keys = 100, .fpr = 1e-6}));
  f.insert(42);
  return f;
}

template <class F>
void expect_all_possibly_present(const F& f, bool integers) {
  std::array<bool, 3> found{};
  if (integers) {
    EXPECT_TRUE(f.may_contain(42) && f.may_contain(77));
    f.may_contain(numbers, found);
    EXPECT_EQ((std::array{true, true, true}), found);
    std::vector<bool> again;
    f.may_contain(numbers.begin(), numbers.end(), std::back_inserter(again));
    EXPECT_EQ((std::vector{true, true, true}), again);
  } else {
    EXPECT_TRUE(f.may_contain("alice") && f.may_contain(std::string("nobody")));
    f.may_contain(texts, std::span(found).first(2));
    EXPECT_EQ((std::array{true, true, false}), found);
    f.may_contain(std::vector<std::u8string>{u8"x"}, std::span(found).last(1));
    EXPECT_TRUE(found[2]);
  }
}

template <class Result>
void expect_refused(const Result& r, std::string_view why) {
  ASSERT_FALSE(r.has_value());
  EXPECT_EQ(errc::incompatible, r.error().code);
  EXPECT_TRUE(std::string_view(r.error().what).starts_with(why)) << r.error().what;
}

TEST(KeysOfAnotherSource, ArePossiblyPresentInAnyFilterAndRefusedByIt) {
  any_filter text = with_alice();
  const any_filter text_before = must(text.clone());
  expect_all_possibly_present(text, true);
  EXPECT_FALSE(text.may_contain("nobody"));
  constexpr std::string_view no_integers = "an integer is no key of this filter";
  expect_refused(text.insert(42), no_integers);
  expect_refused(text.insert(numbers), no_integers);
  expect_refused(text.insert({1, 2}), no_integers);
  expect_refused(text.insert_if_absent(42), no_integers);
  EXPECT_TRUE(text == text_before);

  any_filter ids = block_bloom(with_42());
  const any_filter ids_before = must(ids.clone());
  expect_all_possibly_present(ids, false);
  EXPECT_TRUE(ids.may_contain(42) && !ids.may_contain(77));
  constexpr std::string_view no_text = "text and bytes are no keys of this filter";
  expect_refused(ids.insert("alice"), no_text);
  expect_refused(ids.insert(texts), no_text);
  expect_refused(ids.insert(std::vector<std::string>{"alice"}), no_text);
  expect_refused(ids.insert_if_absent("alice"), no_text);
  expect_refused(ids.insert_if_absent(u8"alice"), no_text);
  EXPECT_TRUE(ids == ids_before);
  EXPECT_TRUE(ids.insert(1) && ids.may_contain(1));
}

TEST(KeysOfAnotherSource, ArePossiblyPresentInAView) {
  const temp_dir dir;
  ASSERT_TRUE(with_alice().save(dir / "text.bloom"));
  ASSERT_TRUE(with_42().save(dir / "ids.bloom"));
  const read_options as_recorded{.source = {}};
  const auto text = must(filter_view<block_bloom>::open(dir / "text.bloom", as_recorded));
  expect_all_possibly_present(text, true);
  EXPECT_FALSE(text.may_contain("nobody"));
  const auto ids = must(filter_view<block_bloom>::open(dir / "ids.bloom", as_recorded));
  expect_all_possibly_present(ids, false);
  EXPECT_TRUE(ids.may_contain(42) && !ids.may_contain(77));
}

TEST(KeysOfAnotherSource, ArePossiblyPresentInEveryFilterOfASet) {
  const block_bloom text = with_alice();
  std::vector<const block_bloom*> many(70, &text);
  const auto set = must(filter_set<block_bloom>::make(many));
  std::array<std::uint64_t, 2> found{};
  set.may_contain(42, found);
  EXPECT_EQ((std::array{~std::uint64_t{0}, std::uint64_t{63}}), found);
  set.may_contain("nobody", found);
  EXPECT_EQ((std::array<std::uint64_t, 2>{}), found);

  const block_bloom ids = with_42();
  many.assign(64, &ids);
  const auto other = must(filter_set<block_bloom>::make(many));
  set.may_contain("alice", found);
  std::array<std::uint64_t, 1> all{};
  other.may_contain("alice", all);
  EXPECT_EQ(~std::uint64_t{0}, all[0]);
  other.may_contain(77, all);
  EXPECT_EQ(0u, all[0]);
}

TEST(KeysOfAnotherSource, EndARebuildAndNotTheProgram) {
  auto live = must(live_filter<ribbon>::make(must(ribbon::build({"alice"}))));
  const auto put_number = [](auto& put) { return put(42), result<void>(); };
  expect_refused(live.rebuild({.params = {.keys = 1}}, put_number),
                 "an integer is no key");
  EXPECT_TRUE(live.may_contain("alice") && live.may_contain(42));
}

// The type of a filter that is inserted into says what its keys are; of integers it is
// live_filter<concurrent<X>::integers>, or live_filter<concurrent<X>>::integers.
TEST(LiveFilterOfIntegers, IsInsertedIntoAndRebuilt) {
  using shared = concurrent<block_bloom>;
  using live_ids = live_filter<shared>::integers;
  static_assert(std::is_same_v<live_ids, live_filter<shared::integers>>);
  auto live = must(live_ids::make(must(shared::integers::make({.keys = 100}))));
  live.insert(42);
  live.insert(numbers);
  ASSERT_TRUE(live.rebuild({.params = {.keys = 2, .fpr = 1e-6}},
                           [](auto& put) { return put(7), put(8), result<void>(); }));
  EXPECT_TRUE(live.may_contain(7) && live.may_contain(8) && !live.may_contain(42));
  EXPECT_TRUE(live.insert_if_absent(42));
}

}  // namespace
}  // namespace bloomery::testing
