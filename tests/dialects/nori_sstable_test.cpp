// nori's tables: the footer leads to a Bloom section, or the index to quotient filters.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "hex.hpp"
#include "hostile_image.hpp"
#include "must.hpp"
#include "nori_images.hpp"
#include "test_key.hpp"

namespace bloomery::testing::nori_sstable {
namespace {

std::vector<std::byte> section(const std::vector<std::string>& keys,
                               std::string_view variant = {}) {
  foreign_params p;
  p.keys = keys.size();
  p.variant = variant;
  auto f = must(foreign_filter::make("nori", p));
  for (const auto& k : keys) must(f.insert(k));
  return {f.bytes().begin(), f.bytes().end()};
}

std::vector<std::string> sorted(std::vector<std::string> keys) {
  std::ranges::sort(keys);
  return keys;
}

std::size_t nori() {
  std::size_t i = 0;
  while (dialect_at(i).name != "nori") ++i;
  return i;
}

// `change`d in the footer, whose checksum is made good again.
std::vector<std::byte> with_footer(std::vector<std::byte> table, std::size_t at,
                                   std::vector<std::uint8_t> change) {
  const std::size_t footer = table.size() - 64;
  for (std::size_t i = 0; i < change.size(); ++i)
    table[footer + at + i] = std::byte{change[i]};
  const auto sum = base::crc32c(std::span(table).subspan(footer, 60));
  table.resize(footer + 60);
  put(table, sum);
  return table;
}

TEST(NoriSstable, BloomSectionIsFound) {
  for (const std::uint8_t format : {std::uint8_t{0}, std::uint8_t{1}})
    for (const char* variant : {"current", "old-mod"}) {
      const auto keys = numbered("k", 100);
      const auto bloom = section(keys, variant);
      const auto table = bloom_table(bloom, format);
      EXPECT_EQ(could_be(nori(), table), likeness::certain);
      auto f = must(foreign_filter::decode("nori", table));
      EXPECT_EQ(f.variant(), "sstable");
      for (const auto& k : keys) EXPECT_TRUE(f.may_contain(k));
      const auto bare = must(foreign_filter::decode("nori", bloom));
      for (const auto& x : numbered("x", 2000))
        EXPECT_EQ(f.may_contain(x), bare.may_contain(x));
      EXPECT_EQ(f.fill(), bare.fill());
      EXPECT_EQ(f.part(0).offset, 116u);
      EXPECT_TRUE(std::ranges::equal(must(f.encode()).bytes(), table));
      EXPECT_TRUE(std::ranges::equal(must(f.encode(variant)).bytes(), bloom));
      EXPECT_EQ(f.insert("y").error().code, errc::unsupported);
      EXPECT_EQ(foreign_filter::decode("nori", table, as("", 1)).error().code,
                errc::invalid_argument);
    }
}

TEST(NoriSstable, KeysAreAskedOfTheirBlock) {
  const auto keys = sorted(numbered("k", 1000));
  const auto table = block_table(keys, 90, 7);
  EXPECT_EQ(could_be(nori(), table), likeness::certain);
  const auto f = must(foreign_filter::decode("nori", table));
  EXPECT_EQ(f.parts(), 12u);
  EXPECT_EQ(f.bits(), 12u * 128);
  for (const auto& k : keys) EXPECT_TRUE(f.may_contain(k));
  EXPECT_FALSE(f.may_contain("a"));  // before the first block
  std::size_t fp = 0;
  for (const auto& x : numbered("k9x", 10'000)) fp += f.may_contain(x);
  EXPECT_LT(fp, 150u);  // one block of 12, not all of them
  EXPECT_NEAR(f.estimated_keys(), 1000, 10);
  EXPECT_STREQ(f.part(11).name, "block 11");
  EXPECT_TRUE(std::ranges::equal(must(f.encode()).bytes(), table));
}

TEST(NoriSstable, OneBlockIsAPart) {
  const auto keys = sorted(numbered("k", 30));
  const auto table = block_table(keys, 10, 5);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto f = must(foreign_filter::decode("nori", table, as("", i)));
    for (std::size_t j = 0; j < 10; ++j) EXPECT_TRUE(f.may_contain(keys[10 * i + j]));
    foreign_options o;
    o.variant = "quotient";
    const auto alone = must(f.encode("quotient"));
    const auto again = must(foreign_filter::decode("nori", alone.bytes(), o));
    EXPECT_EQ(again.may_contain("x1"), f.may_contain("x1"));
  }
  EXPECT_EQ(foreign_filter::decode("nori", table, as("", 3)).error().code,
            errc::invalid_argument);
  EXPECT_EQ(must(foreign_filter::decode("nori", table)).encode("quotient").error().code,
            errc::unsupported);
}

TEST(NoriSstable, ABlockWithoutAFilterDeniesNothing) {
  const auto f = must(foreign_filter::decode("nori", block_table({"a", "b"}, 1, 0)));
  EXPECT_TRUE(f.may_contain("z"));
  EXPECT_STREQ(f.part(1).name, "block 1, without a filter");
  const auto none = must(foreign_filter::decode("nori", block_table({}, 1, 5)));
  EXPECT_EQ(none.parts(), 0u);
  EXPECT_FALSE(none.may_contain("a"));
}

TEST(NoriSstable, RefusesWithTheOffset) {
  const auto bloom = bloom_table(section({"a", "b"}));
  const std::uint64_t at = bloom.size() - 64;
  const auto bad = [&](std::vector<std::byte> table, std::uint64_t where,
                       errc code = errc::corrupt) {
    expect_refused("nori", table, code, where);
  };
  auto flipped = bloom;
  flipped[at] ^= std::byte{1};
  bad(flipped, at + 60);
  bad(with_footer(bloom, 45, {3}), at + 45, errc::unsupported);
  bad(with_footer(bloom, 16, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}), at + 16);
  bad(with_footer(bloom, 24, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}), at + 16);
  bad(with_footer(bloom, 24, {13}), 104 + 13);  // the section ends too early

  const auto blocks = block_table({"a", "b", "c"}, 2, 3);
  const std::uint64_t foot = blocks.size() - 64, index = foot - 2 * 14 - 4;
  bad(with_footer(blocks, 0, {0xff, 0xff}), foot);
  bad(with_footer(blocks, 8, {3}), foot);
  bad(with_footer(blocks, 32, {1}), foot + 32, errc::unsupported);
  const auto changed = [&](std::uint64_t where, std::uint8_t value) {
    auto t = blocks;
    t[where] = std::byte{value};
    return t;
  };
  bad(changed(index + 15, 'a'), index + 16);  // keys do not ascend
  bad(changed(index + 16, 0), index + 16);    // overlaps the block before
  bad(changed(index + 28, 3), index + 28);    // more entries than there are
  bad(changed(index + 28, 1), index + 14);    // fewer
  bad(changed(index, 0xff), index + 2);       // a key longer than the index
  bad(changed(index - 2, 0xff), index - 2);   // a filter larger than its block
}

TEST(NoriSstable, AFilterAtTheVeryBeginningIsNotChangedEither) {
  auto table = section({"a"});
  sstable_footer f;
  f.bloom_size = table.size();
  put_footer(table, f);
  auto read = must(foreign_filter::decode("nori", table));
  EXPECT_TRUE(read.may_contain("a"));
  EXPECT_EQ(read.insert("b").error().code, errc::unsupported);
}

TEST(NoriSstable, WithoutTheMagicItIsNone) {
  foreign_options o;
  o.variant = "sstable";
  auto table = bloom_table(section({"a"}));
  table[table.size() - 12] = std::byte{'n'};
  expect_refused("nori", table, errc::corrupt, table.size() - 12, o);
  expect_refused("nori", std::span(table).first(63), errc::corrupt, 63, o);
}

TEST(NoriSstable, TablesAreBattered) {
  expect_survives("nori", bloom_table(section({"a", "b"})));
  expect_survives("nori", block_table({"a", "b", "c"}, 2, 2));
  expect_survives("nori", block_table({"a", "b", "c"}, 2, 2), as("", 1));
}

TEST(NoriSstable, DamageToABlockIsAnsweredWithPerhaps) {
  const auto keys = sorted(numbered("k", 300));
  const auto table = block_table(keys, 100, 8);
  auto f = must(foreign_filter::decode("nori", table));
  const auto where = f.part(1).offset;
  std::vector<std::uint64_t> damaged(table.size() / 64 / 64 + 1);
  damaged[where / 64 / 64] |= std::uint64_t{1} << (where / 64 % 64);
  must(f.mark_damaged(damaged, 6));
  std::size_t denied = 0;
  for (const auto& k : keys) EXPECT_TRUE(f.may_contain(k));
  for (std::size_t i = 0; i < 300; ++i) denied += !f.may_contain(keys[i] + "x");
  EXPECT_NEAR(static_cast<double>(denied), 200, 10);
}

}  // namespace
}  // namespace bloomery::testing::nori_sstable
