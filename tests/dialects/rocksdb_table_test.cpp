// Whole tables of RocksDB: every format, checksum and form of filter, and what is
// refused.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "hex.hpp"
#include "hostile_image.hpp"
#include "must.hpp"
#include "table_images.hpp"
#include "table_keys.hpp"
#include "test_key.hpp"

namespace bloomery::testing::rocksdb_table {
namespace {

// `a_partition` keys to a partition.
table_bytes partitioned(const keys& ks, std::size_t a_partition, const sst_form& form) {
  std::vector<table_bytes> filters;
  keys last;
  for (std::size_t i = 0; i < ks.size(); i += a_partition) {
    const auto from = ks.begin() + static_cast<std::ptrdiff_t>(i);
    const keys some(
        from, from + static_cast<std::ptrdiff_t>(std::min(a_partition, ks.size() - i)));
    filters.push_back(filter(some));
    last.push_back(some.back());
  }
  return sst_image(filters, last, ks.size(), form);
}

std::size_t rocksdb() {
  std::size_t i = 0;
  while (dialect_at(i).name != "rocksdb") ++i;
  return i;
}
std::size_t leveldb() {
  std::size_t i = 0;
  while (dialect_at(i).name != "leveldb") ++i;
  return i;
}

sst_form form_of(std::uint32_t format, table_sum sums) {
  sst_form f;
  f.format = format;
  f.sums = format == 0 ? table_sum::crc32c : sums;
  return f;
}

constexpr table_sum all_sums[] = {table_sum::none, table_sum::crc32c, table_sum::xxhash,
                                  table_sum::xxhash64, table_sum::xxh3};

TEST(RocksDbTable, EveryFormatAndChecksum) {
  const auto ks = ascending(1000);
  const auto bare_bytes = filter(ks);
  const auto bare = must(foreign_filter::decode("rocksdb", bare_bytes));
  for (std::uint32_t format = 0; format <= 7; ++format)
    for (const table_sum sums : all_sums) {
      SCOPED_TRACE(std::to_string(format) + " " + std::to_string(static_cast<int>(sums)));
      const auto form = form_of(format, sums);
      const auto image = sst_image({bare_bytes}, {}, 1000, form);
      EXPECT_EQ(could_be(rocksdb(), image), likeness::certain);
      EXPECT_EQ(could_be(leveldb(), image), likeness::no);
      const auto f = must(foreign_filter::decode("rocksdb", image));
      EXPECT_EQ(f.variant(), "table");
      EXPECT_EQ(f.is_checked(), form.sums != table_sum::none);
      EXPECT_EQ(f.bits(), bare.bits());
      EXPECT_EQ(f.hashes(), bare.hashes());
      EXPECT_EQ(f.estimated_keys(), 1000);
      for (const auto& k : ks) EXPECT_TRUE(f.may_contain(k));
      for (const auto& x : numbered("x", 1000))
        EXPECT_EQ(f.may_contain(x), bare.may_contain(x));
      const auto t = f.table();
      EXPECT_EQ(t.format, format);
      EXPECT_EQ(t.policy, "rocksdb.BuiltinBloomFilter");
      EXPECT_EQ(t.policy_class, "test");
      EXPECT_EQ(t.filters, "fastlocal");
      EXPECT_EQ(t.keys, "whole keys");
      EXPECT_EQ(t.entries, 1000u);
      EXPECT_STREQ(f.part(0).name, "all keys, fastlocal");
      EXPECT_EQ(f.part(0).offset, form.data + 5);
      EXPECT_TRUE(std::ranges::equal(must(f.encode()).bytes(), image));
    }
}

// tables/README.md has how they were made.
TEST(RocksDbTable, FilesThatRocksDbWrote) {
  const auto load = [](const char* name) {
    return must(
        foreign_filter::load("rocksdb", std::string(BLOOMERY_TABLES_DIR "/") + name));
  };
  const auto holds = [](const foreign_filter& f, std::size_t n) {
    for (const auto& k : ascending(n)) ASSERT_TRUE(f.may_contain(k)) << k;
    std::size_t found = 0;
    for (const auto& k : ascending(n)) found += f.may_contain(k + "x");
    EXPECT_NEAR(static_cast<double>(found) / static_cast<double>(n), f.realised_fpr(),
                0.01);
    EXPECT_EQ(f.table().entries, n);
  };
  const auto ribbon = load("000012.sst");
  holds(ribbon, 5000);
  EXPECT_EQ(ribbon.table().filters, "ribbon");
  EXPECT_EQ(ribbon.table().format, 5);
  const auto six = load("format6.sst");
  holds(six, 1000);
  EXPECT_EQ(six.parts(), 3u);
  EXPECT_EQ(six.table().format, 6);
  EXPECT_EQ(six.table().checksum, "xxh3");
  EXPECT_STREQ(six.part(1).name, "keys to \"key000683\", fastlocal");
}

TEST(RocksDbTable, EveryPartitionIsFound) {
  const auto ks = ascending(1000);
  for (const std::uint32_t format : {0u, 2u, 3u, 4u, 5u, 6u})
    for (const std::size_t step : {std::size_t{1}, std::size_t{2}, std::size_t{16}})
      for (const bool with_sequence : {false, true})
        for (const std::size_t a_partition : {1000u, 300u, 7u}) {
          auto form = form_of(format, table_sum::xxh3);
          form.step = step;
          form.with_sequence = with_sequence;
          const auto image = partitioned(ks, a_partition, form);
          const auto f = must(foreign_filter::decode("rocksdb", image));
          SCOPED_TRACE("format " + std::to_string(format) + " step " +
                       std::to_string(step) + " of " + std::to_string(a_partition));
          ASSERT_EQ(f.parts(), (1000 + a_partition - 1) / a_partition);
          for (std::size_t i = 0; i < ks.size(); ++i) {
            ASSERT_TRUE(f.may_contain(ks[i])) << ks[i];
            // Before, within and behind what is there.
            if (i % 50 != 0) continue;
            const auto part =
                must(foreign_filter::decode("rocksdb", image, as("", i / a_partition)));
            ASSERT_TRUE(part.may_contain(ks[i])) << ks[i];
            const std::string name = f.part(i / a_partition).name;
            EXPECT_NE(name.find("fastlocal"), std::string::npos);
          }
          // One partition is asked, and not all of them.
          std::size_t fp = 0;
          for (const auto& x : ks) fp += f.may_contain(x + "x");
          EXPECT_LT(fp, 40u);
          EXPECT_FALSE(f.may_contain("") && f.may_contain("a") && f.may_contain("zz") &&
                       f.may_contain("key9999999"));
          // 7 keys have a line of 512 bits to themselves.
          EXPECT_GT(f.realised_fpr(), a_partition == 7 ? 1e-8 : 0.0005);
          EXPECT_LT(f.realised_fpr(), 0.02);
        }
}

// A key that is asked of the wrong partition is denied: each key has its own.
TEST(RocksDbTable, KeysAreComparedAsTheEngineDoes) {
  // Lengths, bytes above 127, beginnings of one another, the empty key.
  keys ks{"",
          std::string(1, '\0'),
          std::string(9, '\0'),
          "a",
          "aa",
          "aaaaaaaaaaaaaaaa",
          "ab",
          "b",
          "ba\x7f",
          "ba\x80",
          "ba\xff",
          "ba\xff\xff",
          "c",
          std::string(300, 'c'),
          std::string(301, 'c'),
          "d\xff",
          "\xff",
          "\xff\xff"};
  std::ranges::sort(ks);
  for (const std::size_t step : {1u, 3u, 100u})
    for (const bool with_sequence : {false, true})
      for (const std::uint32_t format : {3u, 5u}) {
        auto form = form_of(format, table_sum::crc32c);
        form.step = step;
        form.with_sequence = with_sequence;
        const auto f = must(foreign_filter::decode("rocksdb", partitioned(ks, 1, form)));
        for (std::size_t i = 0; i < ks.size(); ++i) {
          EXPECT_TRUE(f.may_contain(ks[i])) << i;
        }
      }
  // Downwards.
  std::ranges::reverse(ks);
  sst_form form;
  form.step = 3;
  form.properties = {{"rocksdb.comparator", "rocksdb.ReverseBytewiseComparator"}};
  const auto down = must(foreign_filter::decode("rocksdb", partitioned(ks, 1, form)));
  for (const auto& k : ks) EXPECT_TRUE(down.may_contain(k));
  EXPECT_EQ(down.table().comparator, "rocksdb.ReverseBytewiseComparator");
  // In an order that is not known all partitions are asked.
  form.properties = {{"rocksdb.comparator", "somebody's"}};
  const auto any = must(foreign_filter::decode("rocksdb", partitioned(ks, 1, form)));
  for (const auto& k : ks) EXPECT_TRUE(any.may_contain(k));
}

TEST(RocksDbTable, AGlobalSequenceNumberIsNotInTheChecksum) {
  const auto ks = ascending(10);
  sst_form form;
  form.properties = {{"rocksdb.external_sst_file.global_seqno", std::string(8, '\0')}};
  auto image = sst_image({filter(ks)}, {}, 10, form);
  const std::string name = "external_sst_file.global_seqno";
  const auto at = std::ranges::search(image, std::as_bytes(std::span(name))).begin() -
                  image.begin() + static_cast<std::ptrdiff_t>(name.size());
  image[static_cast<std::size_t>(at)] = std::byte{77};
  const auto f = must(foreign_filter::decode("rocksdb", image));
  for (const auto& k : ks) EXPECT_TRUE(f.may_contain(k));
  image[static_cast<std::size_t>(at) - 1] ^= std::byte{1};
  EXPECT_FALSE(foreign_filter::decode("rocksdb", image));
}

TEST(RocksDbTable, RefusesWithTheOffset) {
  const auto ks = ascending(100);
  sst_form form;
  const auto image = sst_image({filter(ks)}, {}, 100, form);
  const std::uint64_t footer = image.size() - 53, at = form.data + 5,
                      size = filter(ks).size();
  const auto changed = [](table_bytes t, std::uint64_t where, std::uint8_t value) {
    t[static_cast<std::size_t>(where)] = std::byte{value};
    return t;
  };
  const auto bad = [](const table_bytes& t, std::uint64_t where,
                      errc code = errc::corrupt) {
    expect_refused("rocksdb", t, code, where, as("table"));
  };
  bad(changed(image, at + 3, 0xaa), at + size + 1);  // a bit of the filter
  bad(changed(image, footer + 41, 99), footer + 41, errc::unsupported);
  bad(changed(image, footer + 41, 0), footer + 41, errc::unsupported);
  bad(changed(image, footer, 9), footer, errc::unsupported);
  bad(changed(image, footer + 1, 0xff), footer);  // the metaindex elsewhere
  bad(changed(image, footer + 45, 0), footer + 45);
  expect_refused("rocksdb", std::span(image).first(40), errc::corrupt, 40, as("table"));

  // The codec that RocksDB would need, and never does.
  for (const auto& [code, name] : {std::pair{1, "snappy"}, {4, "lz4"}, {7, "zstd"}}) {
    sst_form compressed;
    compressed.compression = static_cast<std::uint8_t>(code);
    const auto f =
        foreign_filter::decode("rocksdb", sst_image({filter(ks)}, {}, 100, compressed));
    ASSERT_FALSE(f);
    EXPECT_EQ(f.error().code, errc::unsupported);
    EXPECT_EQ(f.error().at, at + size);
    EXPECT_NE(std::string(f.error().what).find(name), std::string::npos);
  }
  // A filter whose own numbers do not agree.
  auto odd = filter(ks);
  odd.insert(odd.begin(), std::byte{0});
  bad(sst_image({odd}, {}, 100), at + (odd.size() - 5) / 64 * 64);

  sst_form newest;
  newest.format = 6;
  const auto six = sst_image({filter(ks)}, {}, 100, newest);
  const std::uint64_t foot = six.size() - 53;
  bad(changed(six, foot + 1, 0), foot + 1);
  bad(changed(six, foot + 5, static_cast<std::uint8_t>(six[foot + 5]) ^ 1), foot + 5);
  bad(changed(six, foot + 9, 1), foot + 5);    // the context
  bad(changed(six, foot + 13, 1), foot + 5);   // the size of the metaindex
  bad(changed(six, foot + 20, 1), foot + 17);  // reserved
  // A block of another table, or from another place: the checksum has the place.
  sst_form moved = newest;
  moved.context ^= 1;
  const auto other = sst_image({filter(ks)}, {}, 100, moved);
  auto mixed = six;
  std::copy_n(other.begin() + static_cast<std::ptrdiff_t>(at), size + 5,
              mixed.begin() + static_cast<std::ptrdiff_t>(at));
  bad(mixed, at + size + 1);

  // Partitions one over the other, restarts elsewhere.
  form.step = 2;
  form.sums = table_sum::none;
  form.format = 3;
  const auto parts = partitioned(ks, 30, form);
  must(foreign_filter::decode("rocksdb", parts));
  EXPECT_EQ(foreign_filter::decode("rocksdb", parts, as("", 4)).error().code,
            errc::invalid_argument);
}

TEST(RocksDbTable, OtherTablesAreNamed) {
  for (const auto& [magic, what] :
       {std::pair<std::uint64_t, const char*>{0x8242229663bf9564, "plain table"},
        {0x4f3418eb7a8f13b8, "plain table"},
        {0x926789d0c5f17873, "cuckoo table"}}) {
    table_bytes image(100);
    put(image, magic);
    EXPECT_EQ(could_be(rocksdb(), image), likeness::certain);
    const auto f = foreign_filter::decode("rocksdb", image);
    ASSERT_FALSE(f);
    EXPECT_EQ(f.error().code, errc::unsupported);
    EXPECT_EQ(f.error().at, 100u);
    EXPECT_NE(std::string(f.error().what).find(what), std::string::npos);
  }
  // A table without filters, and one whose filters are those of data blocks.
  table_writer to{table_sum::crc32c};
  entry_block meta;
  meta.add("filter.rocksdb.BuiltinBloomFilter", block_handle{0, 0}.bytes());
  meta.add("rocksdb.properties", to.block(sst_properties({}, 0)).bytes());
  const auto place = to.block(meta.finish());
  const std::size_t footer = to.out.size();
  to.out.push_back(std::byte{1});
  put_bytes(to.out, place.bytes());
  to.out.resize(footer + 41);
  put(to.out, std::uint32_t{2});
  put(to.out, std::uint64_t{0x88e241b785f4cff7});
  const auto f = foreign_filter::decode("rocksdb", to.out);
  ASSERT_FALSE(f);
  EXPECT_EQ(f.error().code, errc::unsupported);
  EXPECT_NE(std::string(f.error().what).find("data blocks"), std::string::npos);
}

// Without checksums nothing that a lie changes is noticed before it is read.
TEST(RocksDbTable, SurvivesAbuse) {
  const auto ks = ascending(6);
  for (const std::uint32_t format : {3u, 6u}) {
    auto form = form_of(format, table_sum::none);
    form.data = 4;
    form.step = 2;
    expect_survives("rocksdb", partitioned(ks, 2, form), as("table"));
  }
  sst_form full = form_of(5, table_sum::none);
  full.data = 4;
  expect_survives("rocksdb", sst_image({filter({"a"})}, {}, 1, full));
}

TEST(RocksDbTable, DamageInAContainerIsAnsweredWithPerhaps) {
  const auto ks = ascending(1000);
  const auto image = partitioned(ks, 500, {});
  auto f = must(foreign_filter::decode("rocksdb", image));
  const auto where = f.part(1).offset + 128;  // in no chunk of the other
  std::vector<std::uint64_t> damaged(image.size() / 64 / 64 + 1);
  damaged[where / 64 / 64] |= std::uint64_t{1} << (where / 64 % 64);
  damaged[0] |= 1;  // data: nobody looks at it
  must(f.mark_damaged(damaged, 6));
  std::size_t denied = 0;
  for (std::size_t i = 0; i < ks.size(); ++i) {
    EXPECT_TRUE(f.may_contain(ks[i]));
    denied += !f.may_contain(ks[i] + "x");
  }
  EXPECT_NEAR(static_cast<double>(denied), 500, 15);
  EXPECT_EQ(f.insert("x").error().code, errc::unsupported);
  EXPECT_EQ(f.encode().error().code, errc::corrupt);
}

}  // namespace
}  // namespace bloomery::testing::rocksdb_table
