// Whole tables of LevelDB, with its own filters and with tiny filters of ours.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/tiny_filter.hpp>

#include "hex.hpp"
#include "hostile_image.hpp"
#include "must.hpp"
#include "table_images.hpp"
#include "test_key.hpp"

namespace bloomery::testing::leveldb_table {
namespace {

using keys = std::vector<std::string>;

keys ascending(std::size_t n) {
  auto ks = distinct_strings(7, n);
  std::ranges::sort(ks);
  return ks;
}

table_bytes bloom(const keys& ks) {
  const auto f = filter_of("leveldb", sized_by_bits(ks.size(), 10), ks);
  return {f.bytes().begin(), f.bytes().end()};
}
table_bytes tiny(const keys& ks) {
  std::vector<key> hashed;
  for (const auto& k : ks) hashed.push_back(hasher::xxh3().hash(k));
  const auto f = must(tiny_filter::build(hashed, 9));
  return {f.bytes().begin(), f.bytes().end()};
}

std::size_t leveldb() {
  std::size_t i = 0;
  while (dialect_at(i).name != "leveldb") ++i;
  return i;
}

TEST(LevelDbTable, FiltersOfEitherPolicy) {
  const auto ks = ascending(1000);
  for (const bool own : {false, true}) {
    const auto image = ldb_image(ks, 40, 2500, own ? tiny : bloom);
    EXPECT_EQ(could_be(leveldb(), image), likeness::certain);
    const auto f = must(foreign_filter::decode("leveldb", image));
    EXPECT_EQ(f.variant(), "table");
    EXPECT_TRUE(f.is_checked());
    for (const auto& k : ks) EXPECT_TRUE(f.may_contain(k));
    std::size_t found = 0;
    for (const auto& x : numbered("k1x", 10'000)) found += f.may_contain(x);
    EXPECT_LT(found, own ? 60u : 250u);
    const auto t = f.table();
    EXPECT_EQ(t.policy, "leveldb.BuiltinBloomFilter2");
    EXPECT_EQ(t.filters, own ? "tiny" : "bloom");
    EXPECT_EQ(t.filters_are_own, own);
    EXPECT_EQ(f.hash(), own ? "xxh3" : "leveldb");
    if (own) {
      EXPECT_EQ(f.realised_fpr(), 0x1p-9);
    }
    EXPECT_NEAR(f.realised_fpr(), own ? 0x1p-9 : 0.0105, 0.004);
    // Estimates from slots and from bits.
    EXPECT_NEAR(f.estimated_keys(), 1000, own ? 100 : 60);
    EXPECT_EQ(f.part(0).fpr < 0.05, true);
    EXPECT_STREQ(f.part(0).name,
                 own ? "data blocks from 0, tiny" : "data blocks from 0, bloom");
    EXPECT_TRUE(std::ranges::equal(must(f.encode()).bytes(), image));
  }
  // One policy after the other, as a database that changes has it in two tables: here in
  // one.
  std::size_t turn = 0;
  const auto mixed = must(
      foreign_filter::decode("leveldb", ldb_image(ks, 40, 2500, [&](const keys& some) {
                               return ++turn % 2 == 0 ? tiny(some) : bloom(some);
                             })));
  for (const auto& k : ks) EXPECT_TRUE(mixed.may_contain(k));
  EXPECT_EQ(mixed.table().filters, "several kinds");
  EXPECT_EQ(must(foreign_filter::decode(
                     "leveldb", ldb_image(ks, 40, 2500, tiny, "bloomery.TinyFilter")))
                .table()
                .policy,
            "bloomery.TinyFilter");
}

// What no policy writes answers "possibly present".
TEST(LevelDbTable, OddFiltersDenyNothing) {
  const auto f = must(foreign_filter::decode(
      "leveldb", ldb_image({"a", "b"}, 1, 2048, [](const keys& ks) {
        return ks[0] == "a" ? table_bytes{std::byte{6}} : from_hex("0000001f");
      })));
  EXPECT_TRUE(f.may_contain("a"));
  EXPECT_TRUE(f.may_contain("b"));
  EXPECT_EQ(f.realised_fpr(), 1);
  EXPECT_FALSE(f.may_contain("c"));  // behind the last data block
}

TEST(LevelDbTable, RefusesWithTheOffset) {
  const auto ks = ascending(30);
  const auto image = ldb_image(ks, 10, 2048, bloom);
  const std::uint64_t footer = image.size() - 48;
  const auto sound = must(foreign_filter::decode("leveldb", image));
  const auto changed = [&](std::uint64_t where, std::uint8_t turn) {
    auto t = image;
    t[static_cast<std::size_t>(where)] ^= std::byte{turn};
    return t;
  };
  const auto filter_at = sound.part(0).offset;
  const auto bad = [&](const table_bytes& t, errc code) {
    const auto f = foreign_filter::decode("leveldb", t);
    ASSERT_FALSE(f);
    EXPECT_EQ(f.error().code, code);
    EXPECT_LT(f.error().at, t.size());
  };
  bad(changed(filter_at + 1, 1), errc::corrupt);
  bad(changed(footer - 1, 1), errc::corrupt);
  bad(changed(footer, 0x7f), errc::corrupt);
  bad(ldb_image(ks, 10, 2048, bloom, "somebody.Else"), errc::unsupported);
  // Its magic says what it is: the reason is told, not that nothing is known.
  EXPECT_EQ(could_be(leveldb(), changed(filter_at + 1, 1)), likeness::certain);
  expect_refused("leveldb", std::span(image).first(47), errc::corrupt, 47, as("table"));
}

TEST(LevelDbTable, SurvivesAbuse) {
  for (const bool own : {false, true}) {
    const auto image = ldb_image(ascending(6), 2, 40, own ? tiny : bloom);
    expect_survives("leveldb", image, as("table"));
  }
}

}  // namespace
}  // namespace bloomery::testing::leveldb_table
