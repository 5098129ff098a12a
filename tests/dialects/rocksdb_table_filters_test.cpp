// What is in the tables of RocksDB: prefixes, every kind of filter, and ours.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/detail/format/table_filter.hpp>
#include <bloomery/foreign_filter.hpp>
#include <bloomery/fuse.hpp>
#include <bloomery/ribbon.hpp>
#include <bloomery/xor_filter.hpp>

#include "hex.hpp"
#include "hostile_image.hpp"
#include "must.hpp"
#include "ribbon_images.hpp"
#include "table_images.hpp"
#include "table_keys.hpp"
#include "test_key.hpp"

namespace bloomery::testing::rocksdb_table {
namespace {

TEST(RocksDbTable, PrefixesAreAskedForWhereKeysAreNotThere) {
  const auto ks = ascending(1000);
  const keys prefixes_of{"key0000", "key0001", "key0002", "key0003"};
  const auto image = [&](const char* extractor, const char* whole) {
    sst_form form;
    form.properties = {{"rocksdb.block.based.table.prefix.filtering", "1"},
                       {"rocksdb.block.based.table.whole.key.filtering", whole},
                       {"rocksdb.prefix.extractor.name", extractor}};
    return sst_image({filter(prefixes_of)}, {}, 4, form);
  };
  for (const char* extractor : {"rocksdb.FixedPrefix.7", "rocksdb.CappedPrefix.7"}) {
    const auto f = must(foreign_filter::decode("rocksdb", image(extractor, "0")));
    EXPECT_TRUE(f.may_contain("key000012"));
    EXPECT_TRUE(f.may_contain("key000399"));
    EXPECT_FALSE(f.may_contain("key000499") && f.may_contain("other77"));
    EXPECT_EQ(f.table().keys, "prefixes");
    EXPECT_EQ(f.table().prefix_extractor, extractor);
  }
  // Keys shorter than a fixed prefix have none.
  EXPECT_TRUE(must(foreign_filter::decode("rocksdb", image("rocksdb.FixedPrefix.7", "0")))
                  .may_contain("other"));
  // What a prefix is must be known.
  for (const char* extractor : {"mine", "rocksdb.FixedPrefix.", "rocksdb.FixedPrefix.7x",
                                "rocksdb.FixedPrefix.99999999999", "nullptr"}) {
    const auto f = must(foreign_filter::decode("rocksdb", image(extractor, "0")));
    for (const auto& x : numbered("x", 100)) ASSERT_TRUE(f.may_contain(x)) << extractor;
  }
  EXPECT_EQ(must(foreign_filter::decode("rocksdb", image("rocksdb.FixedPrefix.7", "1")))
                .table()
                .keys,
            "whole keys and prefixes");
}

TEST(RocksDbTable, EveryKindOfFilter) {
  const auto ks = ascending(1000);
  const auto kind = [&](const table_bytes& filter) {
    return must(foreign_filter::decode("rocksdb", sst_image({filter}, {}, 1000)));
  };
  EXPECT_EQ(kind(filter(ks, "legacy")).table().filters, "legacy");
  const auto ribbon = kind(ribbon_image(ks));
  EXPECT_EQ(ribbon.table().filters, "ribbon");
  for (const auto& k : ks) EXPECT_TRUE(ribbon.may_contain(k));
  EXPECT_LT(ribbon.realised_fpr(), 0.02);
  // No keys, and trailers of later versions.
  EXPECT_FALSE(kind(from_hex("ff00060000")).may_contain("a"));
  EXPECT_EQ(kind(from_hex("ff00060000")).table().filters, "empty");
  const auto later = kind(from_hex("00000000000000000080000000"));
  EXPECT_TRUE(later.may_contain("a"));
  EXPECT_EQ(later.table().filters, "unknown");
  EXPECT_EQ(later.realised_fpr(), 1);
}

// spec/table_filter.md: 50 keys at 10 bits per key, whose bytes have this CRC; the
// vector with one key, in full.
TEST(RocksDbTable, OurOwnFiltersAreKnown) {
  const auto own = from_hex(
      "0000000000000000000000000000004000400000100000000000000400000000"
      "1182d22101000000"
      "0001626c6d");
  const auto f = must(foreign_filter::decode("rocksdb", sst_image({own}, {}, 1)));
  EXPECT_EQ(f.table().filters, "block");
  EXPECT_TRUE(f.table().filters_are_own);
  EXPECT_STREQ(f.part(0).name, "all keys, block (Bloomery)");
  EXPECT_EQ(f.hash(), "xxh3");
  EXPECT_EQ(f.bits(), 256u);
  EXPECT_EQ(f.hashes(), 4u);
  EXPECT_TRUE(f.may_contain(std::string(8, '\0')));
  std::size_t found = 0;
  for (const auto& x : numbered("x", 10'000)) found += f.may_contain(x);
  EXPECT_LT(found, 5u);
  EXPECT_LT(f.realised_fpr(), 1e-5);
  EXPECT_GT(f.realised_fpr(), 0);
  // A kind of later times: every key may be in it.
  const auto odd = must(foreign_filter::decode(
      "rocksdb",
      sst_image({from_hex("000000000000000000000000000000007f626c6d")}, {}, 1)));
  EXPECT_TRUE(odd.may_contain("a"));
  EXPECT_EQ(odd.realised_fpr(), 1);
  EXPECT_EQ(odd.table().filters, "unknown");
  // Spoilt before the engine wrote it.
  auto spoilt = own;
  spoilt[3] ^= std::byte{1};
  expect_refused("rocksdb", sst_image({spoilt}, {}, 1), errc::corrupt, 3000 + 5 + 32);
}

TEST(RocksDbTable, OurOwnFiltersOfEveryKindAnswerAsTheyDoAlone) {
  const auto ks = ascending(2000);
  const auto check = [&]<class F>(const F& alone) {
    table_bytes own(static_cast<std::size_t>(must(table_filter_size(alone))));
    write_table_filter(alone, own);
    for (const std::size_t data : {3000u, 3001u, 3007u}) {  // at any address
      sst_form form;
      form.data = data;
      const auto f =
          must(foreign_filter::decode("rocksdb", sst_image({own}, {}, 2000, form)));
      SCOPED_TRACE(F::kind.name);
      EXPECT_EQ(f.table().filters, F::kind.name);
      EXPECT_TRUE(f.table().filters_are_own);
      for (const auto& k : ks) ASSERT_TRUE(f.may_contain(k));
      for (const auto& x : numbered("x", 2000))
        ASSERT_EQ(f.may_contain(x), alone.may_contain(x)) << x;
      EXPECT_EQ(f.realised_fpr(), alone.realised_fpr());
      EXPECT_EQ(f.part(0).fpr, alone.realised_fpr());
    }
  };
  check(must(block_bloom::build(ks, {.keys = 2000, .fpr = 0.01})));
  check(must(ribbon::build(ks, {.fpr = 0.01})));
  check(must(fuse::build(ks, {.fpr = 0.01})));
  check(must(xor_filter::build(ks, {.fpr = 0.01})));
}

}  // namespace
}  // namespace bloomery::testing::rocksdb_table
