// Law: a set of filters answers as its filters do, one by one.
#include <bloomery/block_bloom.hpp>
#include <bloomery/filter_set.hpp>
#include <bloomery/split_block_bloom.hpp>

#include <gtest/gtest.h>

#include "filter_types.hpp"
#include "fingerprint_array.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::keys;
using testing::must;

template <class F>
std::vector<const F*> pointers(const std::vector<F>& filters) {
  std::vector<const F*> out;
  for (const F& f : filters) out.push_back(&f);
  return out;
}

// Filters of different sizes, filter i with keys of its own; make(blocks).
template <class Make>
auto some_filters(std::size_t count, Make make) {
  std::vector<decltype(make(1))> filters;
  for (std::size_t i = 0; i < count; ++i) {
    filters.push_back(make(1 + 7 * i % 50));
    filters.back().insert(std::span<const key>(keys(i, 100 + 20 * (i % 9))));
  }
  return filters;
}

template <class F>
void expect_loop_answers(const std::vector<F>& filters) {
  SCOPED_TRACE(filters.size());
  const auto set = must(filter_set<F>::make(pointers(filters)));
  ASSERT_EQ(set.size(), filters.size());
  const std::size_t words = (filters.size() + 63) / 64;
  ASSERT_EQ(set.words(), words);
  // Keys of the filters, and of none.
  std::vector<key> ks;
  for (std::size_t i = 0; i < 12; ++i)
    for (const key k : keys(i * filters.size() / 12, 3)) ks.push_back(k);
  for (const key k : keys(999'999, 40)) ks.push_back(k);
  std::vector<std::uint64_t> all(words * ks.size(), 0x5555555555555555);
  set.may_contain(std::span<const key>(ks), all);
  for (std::size_t i = 0; i < ks.size(); ++i) {
    std::vector<std::uint64_t> want(words), one(words, 0x5555555555555555);
    for (std::size_t f = 0; f < filters.size(); ++f)
      if (filters[f].may_contain(ks[i])) want[f / 64] |= std::uint64_t{1} << (f % 64);
    set.may_contain(ks[i], one);
    EXPECT_EQ(one, want) << i;
    EXPECT_TRUE(std::ranges::equal(std::span(all).subspan(i * words, words), want)) << i;
  }
  set.may_contain(std::span<const key>{}, std::span<std::uint64_t>{});
}

constexpr std::size_t counts[] = {1, 2, 63, 64, 65, 130};

TEST(FilterSet, AnswersAsItsFilters) {
  using enum block_profile;
  for (const std::size_t count : counts) {
    for (const block_profile p : {half_line, line, two_lines, lanes16})
      expect_loop_answers(some_filters(count, [p](std::uint64_t blocks) {
        return must(block_bloom::make({blocks, p}));
      }));
    expect_loop_answers(some_filters(count, [](std::uint64_t blocks) {
      return must(split_block_bloom::make(blocks));
    }));
  }
}

// Kinds that are only built; more keys than a group has.
template <class F>
void expect_static_answers() {
  SCOPED_TRACE(F::kind.name);
  for (const std::size_t count : counts) {
    std::vector<F> filters;
    for (std::size_t i = 0; i < count; ++i)
      filters.push_back(
          must(F::build(keys(i, i * 37 % 500), {.fpr = i % 2 ? 0.1 : 0.01})));
    expect_loop_answers(filters);
  }
  const auto a = must(F::build(keys(1, 300))), b = must(F::build(keys(2, 400)));
  const auto set = must(filter_set<F>::make(std::vector<const F*>{&a, &b}));
  const auto ks = keys(2, 1000);
  std::vector<std::uint64_t> out(ks.size());
  set.may_contain(std::span<const key>(ks), out);
  for (std::size_t i = 0; i < ks.size(); ++i)
    ASSERT_EQ(out[i], std::uint64_t{a.may_contain(ks[i])} |
                          std::uint64_t{b.may_contain(ks[i])} << 1);
  const auto seeded = must(F::build(keys(1, 10), {.hasher = hasher::xxh3(1)}));
  EXPECT_EQ(filter_set<F>::make(std::vector<const F*>{&a, &seeded}).error().code,
            errc::incompatible);
}

TEST(FilterSet, OfFiltersThatAreOnlyBuilt) {
  expect_static_answers<testing::fingerprint_array>();
  testing::for_each_type(testing::static_types{}, []<class F>(std::type_identity<F>) {
    expect_static_answers<F>();
  });
}

// Together larger than any L2: the set fetches ahead.
TEST(FilterSet, LargerThanTheCache) {
  std::vector<block_bloom> filters;
  for (std::size_t i = 0; i < 9; ++i) {
    filters.push_back(must(block_bloom::make({20'000 + i, block_profile::line})));
    filters.back().insert(std::span<const key>(keys(i, 1000)));
  }
  expect_loop_answers(filters);
}

TEST(FilterSet, HashesAsItsFilters) {
  std::vector<block_bloom> filters;
  for (int i = 0; i < 3; ++i)
    filters.push_back(must(block_bloom::make({.keys = 100, .hasher = hasher::xxh3(9)})));
  filters[1].insert("alice");
  const auto set = must(filter_set<block_bloom>::make(pointers(filters)));
  EXPECT_TRUE(set.hasher() == hasher::xxh3(9));
  EXPECT_TRUE(set.hash("alice") == filters[0].hash("alice"));
  std::uint64_t answers = 0;
  set.may_contain("alice", std::span(&answers, 1));
  EXPECT_EQ(answers, 2u);
  filters[2].insert("alice");  // inserting meanwhile is fine
  set.may_contain("alice", std::span(&answers, 1));
  EXPECT_EQ(answers, 6u);
}

TEST(FilterSet, RefusesWhatDoesNotShareKeys) {
  using set = filter_set<block_bloom>;
  EXPECT_EQ(set::make({}).error().code, errc::invalid_argument);
  const auto a = must(block_bloom::make({.keys = 100}));
  const auto seeded = must(block_bloom::make({.keys = 100, .hasher = hasher::xxh3(1)}));
  const auto rare = must(block_bloom::make({.keys = 100, .fpr = 1e-5}));
  const auto refused = [](std::vector<const block_bloom*> all, errc code, double which) {
    const auto r = set::make(all);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, code);
    EXPECT_EQ(r.error().asked, which);
  };
  refused({nullptr}, errc::invalid_argument, 0);
  refused({&a, &a, nullptr}, errc::invalid_argument, 2);
  refused({&a, &seeded}, errc::incompatible, 1);
  refused({&a, &a, &a, &rare}, errc::incompatible, 3);
  EXPECT_TRUE(set::make(std::vector<const block_bloom*>{&a, &a}));  // twice is allowed
}

}  // namespace
}  // namespace bloomery
