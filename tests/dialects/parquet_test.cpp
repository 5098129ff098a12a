// Parquet's filter with its header, and bare.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "hex.hpp"
#include "hostile_image.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing::parquet {
namespace {

foreign_filter filled(std::uint64_t bytes, const std::vector<std::string>& keys,
                      std::string_view variant = {}) {
  foreign_params p;
  p.bits = 8 * bytes;
  p.variant = variant;
  return filter_of("parquet", p, keys);
}

std::string hex(const foreign_filter& f, std::string_view variant = {}) {
  return to_hex(must(f.encode(variant)).bytes());
}

constexpr const char* k10_bits =
    "1262404a03200c72b084e001d282441015d202400640a48548481e20c1609020";

TEST(Parquet, KnownAnswers) {
  EXPECT_EQ(hex(filled(32, numbered("k", 10), "bitset")), k10_bits);
  EXPECT_EQ(hex(filled(32, numbered("k", 10))),
            std::string("15401c1c00001c1c00001c1c000000") + k10_bits);
  EXPECT_EQ(hex(filled(1024, {})).substr(0, 32), "1580101c1c00001c1c00001c1c000000");
}

TEST(Parquet, HeaderAndBitsetAreFormsOfTheSame) {
  const auto f = filled(64, edge65());
  EXPECT_EQ(f.variant(), "header");
  const auto bare = must(
      foreign_filter::decode("parquet", must(f.encode("bitset")).bytes(), as("bitset")));
  EXPECT_EQ(bare.variant(), "bitset");
  for (const auto& k : edge65()) EXPECT_TRUE(bare.may_contain(k));
  EXPECT_EQ(hex(bare, "header"), hex(f));
  EXPECT_EQ(hex(bare), hex(f, "bitset"));
  EXPECT_EQ(f.encode("file").error().code, errc::unsupported);
}

TEST(Parquet, SizesByArrowsFormula) {
  const auto bits = [](std::uint64_t keys, double fpr) {
    foreign_params p;
    p.keys = keys;
    p.fpr = fpr;
    return must(foreign_filter::make("parquet", p)).bits();
  };
  EXPECT_EQ(bits(1, 0.5), 256u);
  EXPECT_EQ(bits(10, 0.01), 256u);
  EXPECT_EQ(bits(1000, 0.01), 16384u);
  EXPECT_EQ(bits(1692, 0.01), 16384u);  // 9681 bits a thousand
  EXPECT_EQ(bits(1693, 0.01), 32768u);
  EXPECT_EQ(bits(110'000'000, 0.01), std::uint64_t{1} << 30);
  // Where Arrow would stop at 128 MiB and give up the rate.
  for (const double rate : {0.005, 1e-9, 1e-300, 5e-324})
    EXPECT_EQ(foreign_filter::make("parquet", sized(110'000'000, rate)).error().code,
              errc::too_large)
        << rate;
  foreign_params p;
  p.keys = 1000;
  p.bits_per_key = 10;
  EXPECT_EQ(must(foreign_filter::make("parquet", p)).bits(), 16384u);
  p = {};
  p.bits = 96 * 8;  // three blocks: the format allows it
  EXPECT_EQ(must(foreign_filter::make("parquet", p)).bits(), 768u);
  for (const std::uint64_t odd : {std::uint64_t{255}, std::uint64_t{257}}) {
    p.bits = odd;
    EXPECT_EQ(foreign_filter::make("parquet", p).error().code, errc::invalid_argument);
  }
  p.bits = std::uint64_t{1} << 63;
  EXPECT_EQ(foreign_filter::make("parquet", p).error().code, errc::too_large);
  p.bits = 256;
  p.hashes = 7;
  EXPECT_EQ(foreign_filter::make("parquet", p).error().code, errc::invalid_argument);
  p = {};
  p.keys = 10;
  p.variant = "file";
  EXPECT_EQ(foreign_filter::make("parquet", p).error().code, errc::unsupported);
}

TEST(Parquet, EdgeKeysAreFoundAndCounted) {
  for (const std::uint64_t bytes : {96u, 128u}) {  // at any alignment, any size
    const auto f = filled(bytes, edge65());
    for (const auto& k : edge65()) EXPECT_TRUE(f.may_contain(k));
    EXPECT_NEAR(f.estimated_keys(), 65, 12);
  }
  foreign_params p;
  p.keys = 1000;
  p.fpr = 0.01;
  auto f = must(foreign_filter::make("parquet", p));
  for (const auto& k : numbered("k", 1000)) must(f.insert(k));
  EXPECT_LT(f.realised_fpr(), 0.01);
}

TEST(Parquet, UnknownFieldsAreSkipped) {
  const auto tail = std::string("1c1c00001c1c00001c1c0000");
  const auto bits = std::string(k10_bits);
  for (const char* extra : {
           "11",                  // truth
           "154e",                // an integer
           "170000000000000000",  // a double
           "1803616263",          // text
           "193c000000",          // a list of three empty structures
           "1b01580203616263",    // a map of one, i32 to text
           "1c1c15020000",        // a structure in a structure
           "08c80100",            // field 100, named outright
       }) {
    SCOPED_TRACE(extra);
    const auto image = from_hex("1540" + tail + extra + "00" + bits);
    const auto f = foreign_filter::decode("parquet", image);
    ASSERT_TRUE(f.has_value()) << f.error().what;
    for (const auto& k : numbered("k", 10)) EXPECT_TRUE(f->may_contain(k));
    EXPECT_EQ(hex(*f), to_hex(image));  // kept as it was
  }
}

TEST(Parquet, RefusesWithTheOffset) {
  const std::string bits(64, '0');
  const auto bad = [&](const std::string& head, std::uint64_t at,
                       errc code = errc::corrupt) {
    SCOPED_TRACE(head);
    expect_refused("parquet", from_hex(head + bits), code, at, as("header"));
  };
  bad("15421c1c00001c1c00001c1c000000", 1);          // 33 bytes
  bad("15001c1c00001c1c00001c1c000000", 1);          // 0
  bad("153f1c1c00001c1c00001c1c000000", 1);          // -32
  bad("1580011c1c00001c1c00001c1c000000", 16 + 32);  // 64 bytes promised
  bad("15401c1c00001c1c00001c1c00000000", 15 + 32);  // one too many
  bad("1c1c00001c1c00001c1c000000", 13);             // no size, and so no second ...
  bad("15401c1c00001c1c000000", 11);                 // no compression
  bad("15401c2c00001c1c00001c1c000000", 0, errc::unsupported);
  bad("15401c1c00001c2c00001c1c000000", 0, errc::unsupported);
  bad("15401c1c00001c1c00001c2c000000", 0, errc::unsupported);
  expect_refused("parquet", {}, errc::corrupt, 0);
  expect_refused("parquet", {}, errc::corrupt, 0, as("bitset"));
  expect_refused("parquet", std::vector<std::byte>(65), errc::corrupt, 64, as("bitset"));
}

TEST(Parquet, SmallImagesAreBattered) {
  expect_survives("parquet", filled(32, {"a", "b"}).bytes());
  expect_survives("parquet", must(filled(32, {"a", "b"}).encode("bitset")).bytes(),
                  as("bitset"));
}

TEST(Parquet, Unites) {
  auto a = filled(64, {"a"});
  must(a.merge(filled(64, {"b"})));
  EXPECT_TRUE(a.may_contain("a"));
  EXPECT_TRUE(a.may_contain("b"));
  EXPECT_EQ(a.merge(filled(128, {})).error().code, errc::incompatible);
}

TEST(Parquet, DamagedBlocksMayHoldAnything) {
  auto f = filled(64, {"a"});
  const std::uint64_t damaged[] = {1u << 2};  // bytes 32 .. 47, in cells
  must(f.mark_damaged(damaged, 4));
  EXPECT_TRUE(f.may_contain("a"));
  const std::uint64_t header[] = {1};
  EXPECT_EQ(f.mark_damaged(header, 4).error().code, errc::corrupt);
}

}  // namespace
}  // namespace bloomery::testing::parquet
