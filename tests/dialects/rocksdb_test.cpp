#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "fixtures.hpp"
#include "hash/leveldb.hpp"
#include "hex.hpp"
#include "hostile_image.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing::rocksdb {
namespace {

// `cells` bytes of 0, then this trailer.
std::vector<std::byte> with_trailer(std::size_t cells, std::string_view trailer) {
  std::vector<std::byte> out(cells);
  const auto tail = from_hex(trailer);
  out.insert(out.end(), tail.begin(), tail.end());
  return out;
}

TEST(RocksDb, KnownAnswer) {
  const auto f = filter_of("rocksdb", sized_by_bits(10, 10), numbered("k", 10));
  const std::string hex = to_hex(f.bytes());
  ASSERT_EQ(hex.size(), 2 * 69u);
  EXPECT_TRUE(hex.starts_with("8000401808084044"));
  EXPECT_TRUE(hex.ends_with("02103010ff00060000"));
  EXPECT_EQ(to_hex(filter_of("rocksdb", sized_by_bits(0, 10), {}).bytes()), "ff00060000");
  EXPECT_EQ(to_hex(filter_of("rocksdb", sized_by_bits(0, 10, "legacy"), {}).bytes()),
            "0600000000");
}

TEST(RocksDb, ProbesFollowFromBitsPerKey) {
  const auto probes = [](double bits_per_key, std::string_view variant) {
    return must(
               foreign_filter::make("rocksdb", sized_by_bits(100, bits_per_key, variant)))
        .hashes();
  };
  struct row {
    double bits_per_key;
    std::uint32_t fastlocal, legacy;
  };
  for (const row r :
       {row{0.5, 1, 1}, row{2.08, 1, 1}, row{2.081, 2, 1}, row{10, 6, 6},
        row{10.07, 6, 6}, row{10.071, 7, 6}, row{14.001, 8, 9}, row{15.5, 9, 11},
        row{25.501, 12, 17}, row{25.502, 11, 17}, row{44, 20, 30}, row{50, 23, 30},
        row{50.001, 24, 30}, row{100, 24, 30}, row{1000, 24, 30}}) {
    EXPECT_EQ(probes(r.bits_per_key, "fastlocal"), r.fastlocal) << r.bits_per_key;
    EXPECT_EQ(probes(r.bits_per_key, "legacy"), r.legacy) << r.bits_per_key;
  }
}

TEST(RocksDb, LegacyHasAnOddNumberOfLines) {
  const auto lines = [](std::uint64_t keys) {
    return must(foreign_filter::make("rocksdb", sized_by_bits(keys, 10, "legacy")))
               .bits() /
           512;
  };
  EXPECT_EQ(lines(1), 1u);
  EXPECT_EQ(lines(51), 1u);
  EXPECT_EQ(lines(52), 3u);  // 520 bits: two lines, made odd
  EXPECT_EQ(lines(150), 3u);
  EXPECT_EQ(lines(200), 5u);
}

TEST(RocksDb, WhatCannotBeMade) {
  const auto code = [](const foreign_params& p) {
    const auto f = foreign_filter::make("rocksdb", p);
    return f ? errc{} : f.error().code;
  };
  EXPECT_EQ(code(sized_by_bits(10, 0.4)), errc::invalid_argument);
  EXPECT_EQ(code(sized_by_bits(10, 10, "ribbon")), errc::unsupported);
  EXPECT_EQ(code(sized_by_bits(10, 10, "(r)")), errc::invalid_argument);
  foreign_params p;
  p.bits = std::uint64_t{1} << 36;
  EXPECT_EQ(code(p), errc::too_large);
  // Where RocksDB would make the largest filter there is, and give up the rate.
  EXPECT_EQ(code(sized_by_bits(std::uint64_t{1} << 33, 10)), errc::too_large);
  EXPECT_EQ(code(sized_by_bits(std::uint64_t{1} << 29, 10, "legacy")), errc::too_large);
  p.bits = 1000;
  p.hashes = 31;
  EXPECT_EQ(code(p), errc::invalid_argument);
  p = sized_by_bits(10, 10);
  p.bits_per_key.reset();
  p.fpr = 1e-30;
  EXPECT_EQ(code(p), errc::unattainable);
}

TEST(RocksDb, ARateIsReached) {
  for (const std::string_view variant : {"fastlocal", "legacy"}) {
    foreign_params p;
    p.variant = variant;
    p.keys = 10'000;
    p.fpr = 0.01;
    const auto f = filter_of("rocksdb", p, numbered("k", 10'000));
    EXPECT_LT(f.realised_fpr(), 0.012) << variant;
    EXPECT_GT(f.realised_fpr(), 0.005) << variant;
  }
}

TEST(RocksDb, FindsKeysOfEveryLength) {
  for (const std::string_view variant : {"fastlocal", "legacy"}) {
    const auto f = filter_of("rocksdb", sized_by_bits(65, 10, variant), edge65());
    EXPECT_EQ(f.variant(), variant);
    for (const auto& k : edge65()) EXPECT_TRUE(f.may_contain(k)) << k.size();
    const auto read = must(foreign_filter::decode("rocksdb", f.bytes()));
    EXPECT_EQ(read.variant(), variant);
  }
}

TEST(RocksDb, UnionIsTheFilterOfBoth) {
  const auto k = numbered("k", 10);
  auto a = filter_of("rocksdb", sized_by_bits(10, 10), {k.begin(), k.begin() + 4});
  must(a.merge(filter_of("rocksdb", sized_by_bits(10, 10), {k.begin() + 4, k.end()})));
  EXPECT_EQ(to_hex(a.bytes()),
            to_hex(filter_of("rocksdb", sized_by_bits(10, 10), k).bytes()));
}

// Machines of other cache lines write other files; all are read.
TEST(RocksDb, LegacyLinesOfOtherMachines) {
  for (const std::size_t line : {1u, 32u, 64u, 128u, 256u, 4096u}) {
    auto bytes = with_trailer(3 * line, "0603000000");
    for (const auto& k : edge65()) {
      std::uint32_t h = hash::rocksdb32(k);
      const std::uint32_t delta = std::rotr(h, 17);
      const std::size_t at = h % 3 * line;
      for (int i = 0; i < 6; ++i, h += delta) {
        const std::size_t bit = h % (8 * line);
        bytes[at + bit / 8] |= static_cast<std::byte>(1u << (bit % 8));
      }
    }
    const auto f = must(foreign_filter::decode("rocksdb", bytes));
    EXPECT_EQ(f.variant(), "legacy");
    for (const auto& k : edge65()) EXPECT_TRUE(f.may_contain(k)) << line;
    auto again =
        must(foreign_filter::decode("rocksdb", with_trailer(3 * line, "0603000000")));
    for (const auto& k : edge65()) must(again.insert(k));
    EXPECT_EQ(to_hex(again.bytes()), to_hex(bytes)) << line;
  }
}

TEST(RocksDb, OddBytesHaveTheOwnersAnswers) {
  const auto answer = [](std::size_t cells, std::string_view trailer) {
    auto f = must(foreign_filter::decode("rocksdb", with_trailer(cells, trailer)));
    const bool found = f.may_contain("a");
    if (found) must(f.insert("a"));
    if (cells == 0) {
      EXPECT_EQ(f.insert("a").error().code, errc::unattainable);
    }
    return found;
  };
  // No more bytes than the trailer: nothing.
  for (const std::string_view short_one :
       {"", "ff", "ff0006", "ff000600", "ff00060000", "fe00020000", "0000000000",
        "0601000000", "8000000000"})
    EXPECT_FALSE(answer(0, short_one)) << short_one;
  // Well-formed and empty: nothing.
  EXPECT_FALSE(answer(64, "ff00060000"));
  EXPECT_FALSE(answer(64, "0601000000"));
  EXPECT_FALSE(answer(64, "7f01000000"));
  // Reserved: everything.
  for (const std::string_view reserved :
       {"0000000000", "8000000000", "fd00060000",  // codes
        "ff01060000",                              // another implementation
        "ff00000000", "ff001f0000",                // 0 and 31 probes
        "ff00260000", "ff00e60000",                // blocks of 128 bytes and more
        "ff00060100", "ff00060001",                // the last two bytes
        "0600000000", "0603000000", "06ffffffff",  // lines: 0; 64 / 3; more than bytes
        "0601000004",                              // 2^26 + 1 lines: 64 modulo 2^32
        "fe00000000", "fe00010000"})               // fewer than 2 blocks
    EXPECT_TRUE(answer(64, reserved)) << reserved;
  EXPECT_TRUE(answer(96, "0601000000"));  // a line of 96 bytes
}

TEST(RocksDb, RefusesWhatNoReaderMeant) {
  const auto refused = [](std::size_t cells, std::string_view trailer) {
    const auto f = foreign_filter::decode("rocksdb", with_trailer(cells, trailer));
    EXPECT_FALSE(f) << trailer;
    return f ? error{} : f.error();
  };
  EXPECT_EQ(refused(65, "ff00060000").at, 64u);
  EXPECT_EQ(refused(63, "ff00060000").at, 0u);
  EXPECT_EQ(refused(100, "fe00020000").at, 96u);
  EXPECT_EQ(refused(16 * 65, "fe00020000").at, 16 * 65 + 2u);  // 33 columns
}

TEST(RocksDb, TheTrailerDecidesTheVariant) {
  foreign_options o;
  o.variant = "legacy";
  EXPECT_EQ(
      foreign_filter::decode("rocksdb", with_trailer(64, "ff00060000"), o).error().code,
      errc::invalid_argument);
}

// A ribbon whose columns are all 0 agrees with keys whose result bits are 0.
TEST(RocksDbRibbon, AsksAsManyColumnsAsTheBlockHas) {
  struct row {
    std::size_t segments;
    std::string_view trailer;
    double rate;
  };
  for (const row r : {row{1, "fe00ffffff", 1.0},          // nearly no block has one
                      row{7 * 64, "fe00400000", 0x1p-7},  // 64 blocks of 7
                      row{7 * 64 - 32, "fe00400000", 1.5 * 0x1p-7},
                      row{32 * 2, "fe00020000", 0x1p-32}}) {
    auto f =
        must(foreign_filter::decode("rocksdb", with_trailer(16 * r.segments, r.trailer)));
    EXPECT_EQ(f.variant(), "ribbon");
    EXPECT_NEAR(f.realised_fpr(), r.rate, 0.05 * r.rate + 1e-9) << r.trailer;
    EXPECT_EQ(f.insert("a").error().code, errc::unsupported);
  }
}

TEST(RocksDbRibbon, DamageIsAnsweredWithPerhaps) {
  BLOOMERY_NEEDS_FIXTURE("rocksdb/ribbon_k10000_bpk10.bin");
  const auto bytes = bytes_of(fixture("rocksdb/ribbon_k10000_bpk10.bin"));
  auto f = must(foreign_filter::decode("rocksdb", bytes));
  const auto before = f.realised_fpr();
  const std::uint64_t first[] = {1};
  must(f.mark_damaged(first, 12));
  for (const auto& k : numbered("k", 10'000)) EXPECT_TRUE(f.may_contain(k));
  EXPECT_NEAR(f.realised_fpr(), before + 4096.0 / 8800, 0.05);
  const std::uint64_t last[] = {4};  // holds the trailer
  EXPECT_EQ(f.mark_damaged(last, 12).error().code, errc::corrupt);
}

TEST(RocksDb, SurvivesAbuse) {
  expect_survives("rocksdb",
                  filter_of("rocksdb", sized_by_bits(10, 10), numbered("k", 10)).bytes());
  expect_survives(
      "rocksdb",
      filter_of("rocksdb", sized_by_bits(10, 10, "legacy"), numbered("k", 10)).bytes());
  expect_survives("rocksdb", with_trailer(16 * 5, "fe07020000"));
  foreign_options o;
  for (const std::string_view variant : {"fastlocal", "legacy", "ribbon"}) {
    o.variant = variant;
    expect_survives("rocksdb", with_trailer(64, "fe07020000"), o);
  }
}

}  // namespace
}  // namespace bloomery::testing::rocksdb
