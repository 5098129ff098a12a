// nori's Bloom section and its quotient filter.
#include <bit>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "hash/xxh.hpp"
#include "hex.hpp"
#include "hostile_image.hpp"
#include "must.hpp"
#include "nori_images.hpp"
#include "test_key.hpp"

namespace bloomery::testing::nori {
namespace {

foreign_params params(std::uint64_t keys, std::string_view variant = {}) {
  foreign_params p;
  p.keys = keys;
  p.variant = variant;
  return p;
}

std::string hex(const foreign_filter& f) { return to_hex(must(f.encode()).bytes()); }

TEST(Nori, KnownAnswers) {
  EXPECT_EQ(hex(filter_of("nori", params(10), numbered("k", 10))),
            "070000008000000000000000140f9425a2057a5190e0cbf245195024");
  EXPECT_EQ(hex(filter_of("nori", params(10, "old-mod"), numbered("k", 10))),
            "070000006400000000000000d6e9bf1791fd6c004037e57904");
}

TEST(Nori, HashesFollowFromBitsPerKey) {
  for (const auto& [bits_per_key, k] :
       {std::pair{1.0, 1u}, {2.0, 2u}, {10.0, 7u}, {12.0, 9u}, {20.0, 14u}}) {
    auto p = params(100);
    p.bits_per_key = bits_per_key;
    EXPECT_EQ(must(foreign_filter::make("nori", p)).hashes(), k);
  }
  auto p = params(100, "old-mod");
  p.fpr = 0.01;  // 9.59 bits a key, rounded up
  EXPECT_EQ(must(foreign_filter::make("nori", p)).bits(), 1000u);
}

TEST(Nori, EdgeKeysAreFound) {
  for (const char* variant : {"current", "old-mod"}) {
    const auto f = filter_of("nori", params(65, variant), edge65());
    for (const auto& k : edge65()) EXPECT_TRUE(f.may_contain(k));
    EXPECT_LT(f.realised_fpr(), 0.03);
    EXPECT_NEAR(f.estimated_keys(), 65, 8);
  }
}

TEST(Nori, MadeForNoKeysMatchesNothing) {
  auto f = must(foreign_filter::make("nori", params(0)));
  EXPECT_EQ(hex(f), "070000000000000000000000");
  EXPECT_FALSE(f.may_contain(""));
  EXPECT_FALSE(f.may_contain("k0"));
  EXPECT_EQ(f.insert("k0").error().code, errc::unattainable);
  // Whatever k says.
  const auto read =
      must(foreign_filter::decode("nori", from_hex("ffffffff0000000000000000")));
  EXPECT_FALSE(read.may_contain("k0"));
  EXPECT_EQ(read.fill(), 0);
}

TEST(Nori, VariantsAreRulesForWriting) {
  const auto current = filter_of("nori", params(10), numbered("k", 10));
  const auto old = filter_of("nori", params(10, "old-mod"), numbered("k", 10));
  EXPECT_EQ(current.variant(), "current");
  EXPECT_EQ(old.variant(), "old-mod");
  EXPECT_EQ(to_hex(must(current.encode("old-mod")).bytes()), hex(current));
  EXPECT_EQ(old.encode("current").error().code, errc::unsupported);
  EXPECT_EQ(old.encode("sstable").error().code, errc::unsupported);
  EXPECT_EQ(current.encode("quotient").error().code, errc::unsupported);
  // An m that happens to be a power of two.
  auto p = params(16, "old-mod");
  p.bits_per_key = 8;
  EXPECT_EQ(filter_of("nori", p, {"a"}).variant(), "old-mod");
  expect_refused("nori", old.bytes(), errc::corrupt, 4, as("current"));
  EXPECT_EQ(foreign_filter::make("nori", params(10, "sstable")).error().code,
            errc::unsupported);
  p = params(10);
  p.bits = 100;
  p.hashes = 7;
  EXPECT_EQ(foreign_filter::make("nori", p).error().code, errc::invalid_argument);
  p.variant = "old-mod";
  EXPECT_EQ(must(foreign_filter::make("nori", p)).bits(), 100u);
}

TEST(Nori, TheNameOfAVariantOutlivesTheCaller) {
  auto name = std::string("old-mod");
  const auto f = must(foreign_filter::make("nori", params(10, name)));
  name = "another";
  EXPECT_EQ(f.variant(), "old-mod");
  EXPECT_EQ(foreign_filter::make("nori", params(10, "(r)")).error().code,
            errc::invalid_argument);
}

TEST(Nori, RefusesWithTheOffset) {
  auto bad = [](const char* text, std::uint64_t at) {
    expect_refused("nori", from_hex(text), errc::corrupt, at);
  };
  bad("", 0);
  bad("0700000000000000000000", 11);
  bad("000000000800000000000000ff", 0);
  bad("070000000900000000000000ff", 13);
  bad("070000000800000000000000ffff", 13);
  bad("07000000ffffffffffffffffff", 13);
}

TEST(Nori, AnAbsurdNumberOfHashesIsNotAskedFor) {
  const auto began = std::chrono::steady_clock::now();
  const auto f = must(foreign_filter::decode(
      "nori", from_hex("ffffffff4000000000000000ffffffffffffffff")));
  for (const auto& k : numbered("x", 1000)) EXPECT_TRUE(f.may_contain(k));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
}

TEST(Nori, SmallImagesAreBattered) {
  expect_survives("nori", filter_of("nori", params(4), {"a", "b"}).bytes());
  expect_survives("nori", filter_of("nori", params(3, "old-mod"), {"a", "b"}).bytes());
}

TEST(Nori, AllBytesOfThisLengthArePossible) {
  const auto f = filter_of("nori", params(10), {"a"});
  const auto nori = [] {
    std::size_t i = 0;
    while (dialect_at(i).name != "nori") ++i;
    return i;
  }();
  EXPECT_EQ(could_be(nori, f.bytes()), likeness::possible);
  EXPECT_EQ(could_be(nori, f.bytes().first(20)), likeness::no);
}

TEST(Nori, Unites) {
  auto a = filter_of("nori", params(20), {"a", "b"});
  const auto b = filter_of("nori", params(20), {"c"});
  must(a.merge(b));
  for (const char* k : {"a", "b", "c"}) EXPECT_TRUE(a.may_contain(k));
  EXPECT_EQ(a.merge(filter_of("nori", params(1000), {})).error().code,
            errc::incompatible);
}

// --- quotient filters ---

TEST(NoriQuotient, FindsItsKeysAndFewOthers) {
  for (const unsigned q : {5u, 7u, 10u}) {
    const auto n = std::size_t{3} << (q - 2);  // three quarters
    const auto keys = numbered("k", n);
    const auto f =
        must(foreign_filter::decode("nori", quotient_image(keys, q, 7), as("quotient")));
    for (const auto& k : keys) EXPECT_TRUE(f.may_contain(k));
    std::size_t fp = 0;
    for (const auto& x : numbered("x", 10'000)) fp += f.may_contain(x);
    EXPECT_LT(fp, 120u);  // 3/4 in 128: 59
    EXPECT_EQ(f.variant(), "quotient");
    EXPECT_EQ(f.bits(), std::uint64_t{1} << q);
    EXPECT_NEAR(f.estimated_keys(), static_cast<double>(n), 2);
  }
}

TEST(NoriQuotient, EdgeKeysAreFound) {
  const auto f = must(
      foreign_filter::decode("nori", quotient_image(edge65(), 7, 16), as("quotient")));
  for (const auto& k : edge65()) EXPECT_TRUE(f.may_contain(k));
}

TEST(NoriQuotient, AFullOneDeniesNothing) {
  // Its owner drops the keys that found no slot.
  const auto keys = numbered("k", 40);
  const auto f =
      must(foreign_filter::decode("nori", quotient_image(keys, 4, 7), as("quotient")));
  for (const auto& k : keys) EXPECT_TRUE(f.may_contain(k));
  EXPECT_EQ(f.realised_fpr(), 1);
}

TEST(NoriQuotient, OneWithoutSlotsHoldsNothing) {
  auto f = must(
      foreign_filter::decode("nori", from_hex("0100070000000000000000"), as("quotient")));
  EXPECT_FALSE(f.may_contain("k0"));
  EXPECT_EQ(f.insert("k0").error().code, errc::unsupported);
}

TEST(NoriQuotient, RefusesWithTheOffset) {
  const auto bad = [](const char* text, std::uint64_t at, errc code = errc::corrupt) {
    expect_refused("nori", from_hex(text), code, at, as("quotient"));
  };
  bad("01010700000000020000", 10);
  bad("0201070000000002000000", 0, errc::unsupported);
  bad("03010700000000020000000000", 0);
  bad("01200700000000020000000000", 1);
  bad("01011100000000020000000000", 2);
  bad("01010700000000030000000000", 7);
  bad("01000700000000010000000000", 7);
  bad("0101070000000002000000", 11);
  bad("01010700000000020000000002", 12);
  bad("010107000000000200000000000000", 13);
  bad("01010701000000020000000000", 3);
  bad("0101070100000002000000000102000000050000", 13);  // quotient 2 of 1 bit
  bad("010107010000000200000000010100000080", 18);      // cut in a slot
  bad("01010701000000020000000001010000008000", 13);    // remainder 128 of 7 bits
}

TEST(NoriQuotient, SmallImagesAreBattered) {
  expect_survives("nori", quotient_image(numbered("k", 3), 3, 7), as("quotient"));
}

TEST(NoriQuotient, DamageIsAnsweredWithPerhaps) {
  auto f = must(foreign_filter::decode("nori", quotient_image(numbered("k", 3), 3, 7),
                                       as("quotient")));
  const std::uint64_t damaged[] = {2};  // bytes 16 to 31
  must(f.mark_damaged(damaged, 4));
  for (const auto& x : numbered("x", 100)) EXPECT_TRUE(f.may_contain(x));
}

}  // namespace
}  // namespace bloomery::testing::nori
