// The calls of key_types.hpp where the laws do not reach: filters of any kind, views,
// sets.
#include <array>
#include <cstdint>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/any_filter.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/filter_set.hpp>
#include <bloomery/filter_view.hpp>
#include <bloomery/print.hpp>

#include "must.hpp"
#include "temp_dir.hpp"

namespace bloomery::testing {
namespace {

const std::vector<std::string> names{"alice", "bob", "carol"};
const auto of_integers = hasher::xxh3().of(key_source::integers);

TEST(KeyCalls, OfAnyFilter) {
  any_filter f = must(bloom::make({.keys = 100}));
  must(f.insert("alice"));
  must(f.insert(std::vector<std::byte>{std::byte{'x'}}));
  must(f.insert({"dan", "eve"}));
  must(f.insert(names));
  must(f.insert(names.begin(), names.end()));
  EXPECT_TRUE(f.may_contain("eve"));
  EXPECT_TRUE(f.may_contain("x"));
  EXPECT_FALSE(must(f.insert_if_absent("bob")));
  EXPECT_TRUE(must(f.insert_if_absent(std::array<unsigned char, 2>{1, 2})));
  std::vector<bool> found;
  f.may_contain(names, std::back_inserter(found));
  EXPECT_EQ(found, std::vector<bool>(3, true));

  any_filter copy = must(f.clone());
  EXPECT_TRUE(copy == f);
  must(copy.insert("mallory"));
  EXPECT_FALSE(copy == f);

  any_filter g = must(bloom::make({.keys = 100, .hasher = of_integers}));
  must(g.insert(42));
  EXPECT_TRUE(g.may_contain(42u));
  EXPECT_EQ(g.hash(42), g.hash_u64(42));
}

TEST(KeyCalls, OfViews) {
  const temp_dir folder;
  const std::string path = folder / "f.bloom";
  auto f = must(block_bloom::integers::make({.keys = 100}));
  f.insert({1, 2, 3});
  must(f.save(path));
  const auto view =
      must(filter_view<block_bloom>::open(path, {.source = key_source::integers}));
  EXPECT_TRUE(view.may_contain(2));
  bool out[3];
  view.may_contain(std::vector<long>{1, 2, 3}, out);
  EXPECT_TRUE(out[0] && out[1] && out[2]);
}

TEST(KeyCalls, OfFilterSets) {
  auto f = must(block_bloom::integers::make({.keys = 100}));
  f.insert(42);
  const std::array<const block_bloom*, 1> levels{&f};
  const auto set = must(filter_set<block_bloom>::make(levels));
  std::uint64_t matches = 0;
  set.may_contain(42, {&matches, 1});
  EXPECT_EQ(matches, 1u);
  EXPECT_EQ(set.hash(42), f.hash_u64(42));
}

// One key each, although they are ranges.
TEST(KeyCalls, OfTextAndBytesAreOfOneKey) {
  block_bloom one = must(block_bloom::make({.keys = 100})),
              other = must(one.empty_like());
  one.insert(std::string("abc"));
  const unsigned char raw[] = {'a', 'b', 'c'};
  for (const key k :
       {one.hash("abc"), one.hash(u8"abc"), one.hash(std::u8string(u8"abc")),
        one.hash(std::vector<char>{'a', 'b', 'c'}), one.hash(raw),
        one.hash(std::span<const std::uint8_t>(raw)),
        one.hash(std::as_bytes(std::span(raw)))})
    EXPECT_EQ(k, one.hash(std::string_view("abc")));
  other.insert({"abc"});
  EXPECT_TRUE(one == other);
  other.clear();
  other.insert({"abc", "d"});  // two keys, and not the characters between two pointers
  one.insert("d");
  EXPECT_TRUE(one == other);
}

TEST(KeyCallsDeathTest, AnswersHaveRoomForExactlyAll) {
  const block_bloom f = must(block_bloom::make({.keys = 100}));
  std::array<bool, 4> room;
  EXPECT_DEATH(f.may_contain(names, std::span(room).first(2)), "as many answers as keys");
  EXPECT_DEATH(f.may_contain(names, room), "as many answers as keys");
  f.may_contain(names, std::span(room).first(3));
}

TEST(KeyCalls, PrintWhatAFilterIs) {
  const block_bloom f = must(block_bloom::make({.keys = 1000}));
  std::ostringstream out;
  out << f;
  EXPECT_EQ(out.str(), "block filter: " + std::to_string(f.size_in_bytes()) +
                           " bytes, for 1000 keys, xxh3 of bytes");
  EXPECT_EQ(to_string(any_filter(must(f.clone()))), out.str());
}

}  // namespace
}  // namespace bloomery::testing
