#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "fixtures.hpp"
#include "format/dialect/leveldb_block.hpp"
#include "hex.hpp"
#include "hostile_image.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing::leveldb {
namespace {

std::string hex_of(const std::vector<std::string>& keys, double bits_per_key) {
  return to_hex(
      filter_of("leveldb", sized_by_bits(keys.size(), bits_per_key), keys).bytes());
}

// The block of the fixture: data blocks at 0 (k0..k4), 2000 (k5), 3100 (k6, k7) and 9000
// (k8, k9).  A filter covers 2048 bytes of data: those at 4096 and 6144 are empty.
std::string block_of_ten() {
  const auto k = numbered("k", 10);
  const auto some = [&](std::size_t first, std::size_t end) {
    const std::vector<std::string> keys(k.begin() + static_cast<std::ptrdiff_t>(first),
                                        k.begin() + static_cast<std::ptrdiff_t>(end));
    return filter_of("leveldb", sized_by_bits(keys.size(), 10), keys);
  };
  const auto a = some(0, 6), b = some(6, 8), c = some(8, 10);
  const std::span<const std::byte> filters[] = {a.bytes(), b.bytes(), {}, {}, c.bytes()};
  return to_hex(must(format::leveldb_filter_block(filters)).bytes());
}

TEST(LevelDb, KnownAnswers) {
  EXPECT_EQ(hex_of({"hello", "world"}, 10), "114000414410401006");
  EXPECT_EQ(hex_of(numbered("k", 10), 10), "925175d598aabd10d37c76191606");
  EXPECT_EQ(hex_of({}, 10), "000000000000000006");
}

TEST(LevelDb, HashesFollowFromBitsPerKey) {
  const auto hashes = [](double bits_per_key) {
    return must(foreign_filter::make("leveldb", sized_by_bits(100, bits_per_key)))
        .hashes();
  };
  EXPECT_EQ(hashes(1), 1u);
  EXPECT_EQ(hashes(10), 6u);  // 6.9 cut off
  EXPECT_EQ(hashes(16), 11u);
  EXPECT_EQ(hashes(43), 29u);
  EXPECT_EQ(hashes(44), 30u);
  EXPECT_EQ(hashes(60), 30u);
  EXPECT_EQ(must(foreign_filter::make("leveldb", {})).bits(), 64u);
}

TEST(LevelDb, WhatCannotBeMade) {
  const auto code = [](const foreign_params& p) {
    const auto f = foreign_filter::make("leveldb", p);
    return f ? errc{} : f.error().code;
  };
  EXPECT_EQ(code(sized_by_bits(10, 9.5)), errc::invalid_argument);
  EXPECT_EQ(code(sized_by_bits(10, -1)), errc::invalid_argument);
  EXPECT_EQ(code(sized_by_bits(~std::uint64_t{0}, 10)), errc::too_large);
  EXPECT_EQ(code(sized_by_bits(std::uint64_t{1} << 32, 10, "block")), errc::too_large);
  foreign_params p;
  p.keys = 10;
  p.hashes = 31;
  EXPECT_EQ(code(p), errc::invalid_argument);
  p.hashes.reset();
  p.fpr = 1e-20;
  EXPECT_EQ(code(p), errc::unattainable);
}

TEST(LevelDb, ARateTakesTheFewestBitsThatReachIt) {
  foreign_params p;
  p.keys = 1000;
  p.fpr = 0.01;
  auto f = must(foreign_filter::make("leveldb", p));
  EXPECT_EQ(f.bits(), 10'000u);
  for (const auto& k : numbered("k", 1000)) must(f.insert(k));
  EXPECT_LT(f.realised_fpr(), 0.01);
}

TEST(LevelDb, FindsKeysOfEveryLength) {
  const auto f = filter_of("leveldb", sized_by_bits(65, 10), edge65());
  for (const auto& k : edge65()) EXPECT_TRUE(f.may_contain(k)) << k.size();
}

// What its reader answers to bytes that no writer wrote.
TEST(LevelDb, OddBytesHaveTheOwnersAnswers) {
  const auto answer = [](std::string_view hex) {
    const auto f = must(foreign_filter::decode("leveldb", from_hex(hex), as("filter")));
    EXPECT_EQ(f.may_contain("a"), f.may_contain("b"));
    return f.may_contain("a");
  };
  EXPECT_FALSE(answer(""));
  EXPECT_FALSE(answer("06"));
  EXPECT_FALSE(answer("ff"));  // too short comes first
  EXPECT_FALSE(answer("0006"));
  EXPECT_TRUE(answer("001f"));  // k = 31: reserved
  EXPECT_TRUE(answer("0080"));
  EXPECT_TRUE(answer("00ff"));
  EXPECT_TRUE(answer("0000"));  // k = 0 asks for nothing
  EXPECT_TRUE(answer("ff1e"));

  auto never = must(foreign_filter::decode("leveldb", from_hex("06"), as("filter")));
  EXPECT_EQ(never.insert("a").error().code, errc::unattainable);
  auto always = must(foreign_filter::decode("leveldb", from_hex("001f")));
  must(always.insert("a"));
  EXPECT_TRUE(always.may_contain("a"));
  EXPECT_EQ(to_hex(always.bytes()), "001f");
}

TEST(LevelDb, UnionIsTheFilterOfBoth) {
  auto a = filter_of("leveldb", sized_by_bits(2, 10), {"hello"});
  must(a.merge(filter_of("leveldb", sized_by_bits(2, 10), {"world"})));
  EXPECT_EQ(to_hex(a.bytes()), "114000414410401006");
  EXPECT_EQ(a.merge(filter_of("leveldb", sized_by_bits(2, 20), {})).error().code,
            errc::incompatible);
}

TEST(LevelDb, ElevenHashesAreNoBlock) {
  const auto f = filter_of("leveldb", sized_by_bits(10, 16), numbered("k", 10));
  EXPECT_EQ(f.variant(), "filter");
  EXPECT_EQ(must(foreign_filter::decode("leveldb", f.bytes())).variant(), "filter");
  // Nor while it is empty, where every offset is 0 and would fit.
  const auto empty = filter_of("leveldb", sized_by_bits(0, 16), {});
  EXPECT_EQ(to_hex(empty.bytes()), "00000000000000000b");
  EXPECT_EQ(must(foreign_filter::decode("leveldb", empty.bytes())).variant(), "filter");
  // Nor if its last bits point to 16 bytes before them: no filter there has 1 to 30
  // hashes.
  const auto sparse = with_number(image_bytes(64), 60, 4, 16);
  auto bytes = with_number(sparse, 3, 1, 8);
  bytes.push_back(std::byte{11});
  const auto read = must(foreign_filter::decode("leveldb", bytes));
  EXPECT_EQ(read.variant(), "filter");
  EXPECT_EQ(read.hashes(), 11u);
}

TEST(LevelDb, DamageIsAnsweredWithPerhaps) {
  auto f = filter_of("leveldb", sized_by_bits(1000, 10), numbered("k", 1000));
  const std::uint64_t all[] = {1};
  must(f.mark_damaged(all, 12));
  EXPECT_TRUE(f.may_contain("x1"));
}

TEST(LevelDbBlock, IsRebuilt) {
  const std::string hex = block_of_ten();
  EXPECT_EQ(hex.substr(54),
            "0000000009000000120000001200000012000000"
            "1b0000000b");
  EXPECT_EQ(to_hex(must(format::leveldb_filter_block({})).bytes()), "000000000b");
  BLOOMERY_NEEDS_FIXTURE("leveldb/filterblock_k10_bpk10.bin");
  EXPECT_EQ(hex, to_hex(bytes_of(fixture("leveldb/filterblock_k10_bpk10.bin"))));
}

TEST(LevelDbBlock, IsAskedByPart) {
  const auto bytes = from_hex(block_of_ten());
  const auto all = must(foreign_filter::decode("leveldb", bytes));
  EXPECT_EQ(all.variant(), "block");
  ASSERT_EQ(all.parts(), 5u);
  EXPECT_EQ(all.bits(), 3 * 64u);
  EXPECT_EQ(all.part(4).offset, 18u);
  EXPECT_EQ(all.part(4).bits, 64u);
  EXPECT_EQ(all.part(3).bits, 0u);
  for (const auto& k : numbered("k", 10)) EXPECT_TRUE(all.may_contain(k));
  const std::array<std::uint64_t, 10> part_of{0, 0, 0, 0, 0, 0, 1, 1, 4, 4};
  for (std::size_t i = 0; i < 10; ++i) {
    const std::string key = "k" + std::to_string(i);
    const auto one = must(foreign_filter::decode("leveldb", bytes, as("", part_of[i])));
    EXPECT_TRUE(one.may_contain(key)) << key;
    const auto none = must(foreign_filter::decode("leveldb", bytes, as("block", 2)));
    EXPECT_FALSE(none.may_contain(key)) << key;
  }
  EXPECT_EQ(foreign_filter::decode("leveldb", bytes, as("block", 5)).error().code,
            errc::invalid_argument);
}

TEST(LevelDbBlock, IsChangedByPart) {
  const auto bytes = from_hex(block_of_ten());
  auto all = must(foreign_filter::decode("leveldb", bytes));
  EXPECT_EQ(all.insert("new").error().code, errc::unsupported);
  auto empty = must(foreign_filter::decode("leveldb", bytes, as("", 3)));
  EXPECT_EQ(empty.insert("new").error().code, errc::unattainable);
  auto last = must(foreign_filter::decode("leveldb", bytes, as("", 4)));
  must(last.insert("new"));
  EXPECT_TRUE(last.may_contain("new"));
  EXPECT_TRUE(std::ranges::equal(last.bytes().first(18), std::span(bytes).first(18)));
  must(all.merge(must(foreign_filter::decode("leveldb", last.bytes()))));
  EXPECT_TRUE(all.may_contain("new"));
  EXPECT_EQ(to_hex(must(last.encode("filter")).bytes()),
            to_hex(last.bytes().subspan(18, 9)));
  EXPECT_EQ(all.encode("filter").error().code, errc::unsupported);
}

TEST(LevelDbBlock, IsMadeWithOneFilter) {
  const auto f = filter_of("leveldb", sized_by_bits(2, 10, "block"), {"hello", "world"});
  EXPECT_EQ(f.variant(), "block");
  EXPECT_EQ(to_hex(f.bytes()),
            "114000414410401006"
            "00000000"
            "09000000"
            "0b");
  EXPECT_EQ(to_hex(must(f.encode("filter")).bytes()), "114000414410401006");
  const auto bare = filter_of("leveldb", sized_by_bits(2, 10), {"hello", "world"});
  EXPECT_EQ(to_hex(must(bare.encode("block")).bytes()), to_hex(f.bytes()));
}

TEST(LevelDbBlock, RefusesOffsetsThatDoNotFit) {
  const auto refused_at = [](std::string_view hex) {
    const auto f = foreign_filter::decode("leveldb", from_hex(hex), as("block"));
    EXPECT_FALSE(f) << hex;
    if (f) return ~std::uint64_t{0};
    EXPECT_EQ(f.error().code, errc::corrupt);
    return f.error().at;
  };
  EXPECT_EQ(refused_at("0000000b"), 4u);    // shorter than the trailer
  EXPECT_EQ(refused_at("010000000b"), 0u);  // an array beyond the end
  EXPECT_EQ(refused_at("ffffffff0b"), 0u);
  EXPECT_EQ(refused_at("0000000000"
                       "000000000b"),
            5u);  // 5 bytes of offsets
  EXPECT_EQ(refused_at("0a000000"
                       "000000000b"),
            0u);  // begins after its end
  EXPECT_EQ(refused_at("00000000"
                       "02000000"
                       "01000000"
                       "000000000b"),
            4u);
  EXPECT_EQ(refused_at("00000000"
                       "ffffffff"
                       "000000000b"),
            4u);
}

TEST(LevelDb, SurvivesAbuse) {
  for (const auto variant : {"", "filter", "block"}) {
    expect_survives("leveldb", from_hex(block_of_ten()), as(variant));
    expect_survives("leveldb", from_hex("114000414410401006"), as(variant));
  }
  expect_survives("leveldb", from_hex(block_of_ten()), as("block", 4));
}

}  // namespace
}  // namespace bloomery::testing::leveldb
