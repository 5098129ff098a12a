#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "hash/xxh.hpp"
#include "hostile_image.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing::blockbloom {
namespace {

foreign_options reading(std::string_view variant, std::uint32_t hashes) {
  foreign_options o;
  o.variant = variant;
  o.hashes = hashes;
  return o;
}

foreign_filter made(std::uint64_t keys, std::string_view variant = {},
                    double fpr = 0.01) {
  foreign_params p;
  p.keys = keys;
  p.fpr = fpr;
  p.variant = variant;
  return must(foreign_filter::make("blockbloom", p));
}

// The bits of a key, from the text of the rule.
std::vector<std::uint64_t> bits_of(std::string_view key, std::uint64_t blocks, unsigned k,
                                   bool section) {
  const std::uint64_t h = hash::xxh64(key, 0);
  std::vector<std::uint64_t> out;
  for (std::uint64_t x = section ? h : h | 1; k != 0; --k) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    out.push_back(h % blocks * 512 + (x & 511));
  }
  return out;
}

TEST(BlockBloomDialect, SetsTheBitsOfTheRule) {
  for (const bool section : {false, true}) {
    for (const auto& key : edge65()) {
      foreign_params p;
      p.bits = 3 * 512;
      p.hashes = 16;
      p.variant = section ? "section" : "appendix";
      auto f = must(foreign_filter::make("blockbloom", p));
      must(f.insert(key));
      std::vector<std::byte> expected(3 * 64);
      for (const auto i : bits_of(key, 3, 16, section))
        expected[i / 8] |= static_cast<std::byte>(1u << (i % 8));
      EXPECT_TRUE(std::ranges::equal(must(f.encode()).bytes(), expected));
    }
  }
}

TEST(BlockBloomDialect, VariantsDifferForEvenHashesOnly) {
  std::size_t differ = 0;
  for (const auto& key : numbered("k", 1000)) {
    const bool same = bits_of(key, 8, 8, false) == bits_of(key, 8, 8, true);
    EXPECT_EQ(same, hash::xxh64(key, 0) % 2 == 1);
    differ += !same;
  }
  EXPECT_NEAR(static_cast<double>(differ), 500, 80);
}

TEST(BlockBloomDialect, Sizes) {
  EXPECT_EQ(made(10).bits(), 512u);
  EXPECT_EQ(made(10).hashes(), 8u);
  EXPECT_EQ(made(1000).bits(), 24u * 512);
  EXPECT_EQ(made(1000, {}, 0.001).bits(), 36u * 512);
  EXPECT_EQ(made(1000, {}, 0.001).hashes(), 12u);
  EXPECT_EQ(made(1000, {}, 1e-9).hashes(), 16u);  // the most there are
  EXPECT_EQ(made(1000, {}, 0.999).hashes(), 1u);
  EXPECT_EQ(made(10).variant(), "appendix");
  EXPECT_EQ(made(10, "section").variant(), "section");
  // What the bytes do not tell is told.
  EXPECT_EQ(made(1000).options().hashes, 8u);
}

TEST(BlockBloomDialect, EdgeKeysAreFound) {
  for (const char* variant : {"appendix", "section"}) {
    auto f = made(65, variant);
    for (const auto& k : edge65()) must(f.insert(k));
    for (const auto& k : edge65()) EXPECT_TRUE(f.may_contain(k));
    const auto again = must(
        foreign_filter::decode("blockbloom", f.bytes(), reading(variant, f.hashes())));
    for (const auto& k : edge65()) EXPECT_TRUE(again.may_contain(k));
    EXPECT_LT(f.realised_fpr(), 0.02);
  }
}

TEST(BlockBloomDialect, RefusesWhatItCannotKnow) {
  const std::vector<std::byte> block(64);
  const auto bad = [](std::span<const std::byte> b, const foreign_options& o, errc code,
                      std::uint64_t at = 0) {
    expect_refused("blockbloom", b, code, at, o);
  };
  bad({}, reading("appendix", 8), errc::corrupt);
  bad(std::span(block).first(63), reading("appendix", 8), errc::corrupt, 0);
  bad(std::vector<std::byte>(65), reading("appendix", 8), errc::corrupt, 64);
  foreign_options o;
  o.variant = "section";
  bad(block, o, errc::invalid_argument);  // hashes
  o.hashes = 8;
  o.variant = {};
  bad(block, o, errc::invalid_argument);  // variant
  for (const std::uint32_t k : {0u, 17u, 0xffffffffu})
    bad(block, reading("appendix", k), errc::invalid_argument);
  foreign_params p;
  p.bits = 500;
  p.hashes = 8;
  EXPECT_EQ(foreign_filter::make("blockbloom", p).error().code, errc::invalid_argument);
  p.bits = 512;
  p.hashes = 17;
  EXPECT_EQ(foreign_filter::make("blockbloom", p).error().code, errc::invalid_argument);
  p.hashes = {};
  EXPECT_EQ(foreign_filter::make("blockbloom", p).error().code, errc::invalid_argument);
  p.bits = std::uint64_t{1} << 63;
  p.hashes = 8;
  EXPECT_EQ(foreign_filter::make("blockbloom", p).error().code, errc::too_large);
}

TEST(BlockBloomDialect, SmallImagesAreBattered) {
  auto f = made(10);
  must(f.insert("a"));
  expect_survives("blockbloom", f.bytes(), reading("appendix", 8));
  expect_survives("blockbloom", f.bytes(), reading("section", 16));
}

TEST(BlockBloomDialect, VariantsAreNotUnited) {
  auto a = made(10), b = made(10, "section"), c = made(10);
  must(c.insert("c"));
  EXPECT_EQ(a.merge(b).error().code, errc::incompatible);
  EXPECT_EQ(a.encode("section").error().code, errc::unsupported);
  must(a.merge(c));
  EXPECT_TRUE(a.may_contain("c"));
}

}  // namespace
}  // namespace bloomery::testing::blockbloom
