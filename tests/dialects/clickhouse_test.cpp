#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include <bloomery/detail/hash/mix.hpp>
#include "hash/cityhash.hpp"
#include "hex.hpp"
#include "hostile_image.hpp"

namespace bloomery::testing::clickhouse {
namespace {

constexpr const char* name = "clickhouse";

foreign_options reading(std::string_view variant, std::uint32_t hashes) {
  foreign_options o;
  o.variant = variant;
  o.hashes = hashes;
  if (variant == "tokenbf") o.seed = 0;
  return o;
}

foreign_params token(std::uint64_t bytes, std::uint32_t hashes) {
  foreign_params p;
  p.variant = "tokenbf";
  p.bits = 8 * bytes;
  p.hashes = hashes;
  return p;
}

foreign_params granule(std::uint64_t rows, std::optional<double> fpr = {}) {
  foreign_params p;
  p.variant = "granule";
  p.keys = rows;
  p.fpr = fpr;
  return p;
}

errc code_of(const foreign_params& p) {
  const auto f = foreign_filter::make(name, p);
  return f ? errc{} : f.error().code;
}

// The rule by hand; the empty token hashes to 0 under seed 0.
TEST(ClickHouse, TokensStepQuadratically) {
  const std::uint64_t h2 = hash::city64_with_seed("", 217728422);
  std::vector<std::byte> expected(32);
  for (std::uint64_t i = 0; i < 3; ++i) {
    const std::uint64_t bit = (i * h2 + i * i) % 256;
    expected[bit / 8] |= static_cast<std::byte>(1u << (bit % 8));
  }
  EXPECT_EQ(written(name, token(32, 3), {""}), expected);
}

TEST(ClickHouse, TheSeedChangesTheTokens) {
  auto p = token(32, 3);
  const auto plain = written(name, p, {"k0"});
  p.seed = 0;
  EXPECT_EQ(written(name, p, {"k0"}), plain) << "0 unless it is given";
  p.seed = 7;
  EXPECT_NE(written(name, p, {"k0"}), plain);
}

TEST(ClickHouse, SizesOfGranules) {
  const auto size = [](std::optional<double> fpr) {
    const auto f = must(foreign_filter::make(name, granule(1000, fpr)));
    EXPECT_EQ(f.bits() % 1000, 0u);
    EXPECT_EQ(f.capacity(), 1000u);
    return std::pair(f.bits() / 1000, f.hashes());
  };
  using pair = std::pair<std::uint64_t, std::uint32_t>;
  EXPECT_EQ(size({}), pair(8, 4)) << "the owner's default, 0.025";
  EXPECT_EQ(size(0.025), pair(8, 4));
  EXPECT_EQ(size(0.01), pair(10, 5));
  EXPECT_EQ(size(0.001), pair(15, 7));
  EXPECT_EQ(size(0.283), pair(2, 2));
  EXPECT_EQ(size(0.9), pair(2, 2));
  EXPECT_EQ(size(0.28), pair(3, 2));
  EXPECT_EQ(size(0.000109), pair(19, 13));
  EXPECT_EQ(size(1e-9), pair(19, 13)) << "as low as it goes";
  // As ClickHouse 26.9 sized them: a row where one hash would do is passed over ...
  EXPECT_EQ(size(0.2209), pair(4, 2));
  EXPECT_EQ(size(0.221), pair(19, 13));
  EXPECT_EQ(size(0.2369), pair(19, 13));
  EXPECT_EQ(size(0.2371), pair(3, 2));
  // ... and a rate of the table is not reached by a double below its decimal digits.
  EXPECT_EQ(size(0.237), pair(19, 13));
  EXPECT_EQ(size(0.147), pair(5, 2));
  EXPECT_EQ(size(0.1471), pair(4, 3));
  EXPECT_EQ(size(0.0216), pair(8, 6));
  EXPECT_EQ(size(0.0118), pair(10, 5));
}

TEST(ClickHouse, GranulesBeginWithTheirRows) {
  EXPECT_EQ(to_hex(written(name, granule(1), {})), "0100");
  const auto image = written(name, granule(1000), numbered("k", 1000));
  EXPECT_EQ(image.size(), 1002u);
  EXPECT_EQ(to_hex(std::span(image).first(2)), "e807");
}

// intHash64 is the finalizer of murmur3.
TEST(ClickHouse, NumbersAreMixedNotHashed) {
  auto p = granule(1);
  p.bits_per_key = 8;
  p.hashes = 1;
  p.form = key_form::integer;
  const std::string seven("\x07\0\0\0\0\0\0\0", 8);
  const std::uint64_t bit = hash::city_mix(hash::fmix64(7), 13635471485423070496u) % 8;
  EXPECT_EQ(to_hex(written(name, p, {seven})),
            to_hex(std::vector{std::byte{1}, static_cast<std::byte>(1u << bit)}));
  EXPECT_EQ(written(name, p, {seven}), written(name, p, {seven.substr(0, 4)}))
      << "a UInt32";
  p.form = key_form::bytes;
  p.keys = 1000;
  auto numbers = p;
  numbers.form = key_form::integer;
  EXPECT_NE(written(name, p, {seven}), written(name, numbers, {seven}));
}

TEST(ClickHouse, EdgeKeysAreFound) {
  for (const char* variant : {"tokenbf", "granule"})
    for (const key_form form : {key_form::bytes, key_form::integer}) {
      if (form == key_form::integer && variant == std::string("tokenbf")) continue;
      foreign_params p;
      p.variant = variant;
      p.keys = 65;
      p.form = form;
      const auto made = must(foreign_filter::make(name, p));
      const auto f =
          must(foreign_filter::decode(name, written(name, p, edge65()), made.options()));
      EXPECT_EQ(f.variant(), variant);
      EXPECT_EQ(count_found(f, edge65()), 65u);
    }
}

TEST(ClickHouse, WhatTheBytesDoNotTellMustBeGiven) {
  const std::vector<std::byte> image(32, std::byte{1});
  expect_refused(name, image, errc::invalid_argument, 0, reading({}, 3));
  foreign_options o;
  o.variant = "tokenbf";
  expect_refused(name, image, errc::invalid_argument, 0, o);
  expect_refused(name, image, errc::invalid_argument, 0, reading("tokenbf", 0));
  expect_refused(name, image, errc::invalid_argument, 0, reading("granule", 16));
  o = reading("tokenbf", 3);
  o.seed.reset();  // another seed would deny what is there
  expect_refused(name, image, errc::invalid_argument, 0, o);
  o = reading("tokenbf", 3);
  o.form = key_form::integer;
  expect_refused(name, image, errc::invalid_argument, 0, o);
}

TEST(ClickHouse, RequestsOutOfRange) {
  auto p = token(32, 3);
  p.bits = 255;
  EXPECT_EQ(code_of(p), errc::invalid_argument);
  EXPECT_EQ(code_of(granule(0)), errc::invalid_argument);
  EXPECT_EQ(code_of(granule(~std::uint64_t{0})), errc::too_large);
  p = granule(10);
  for (const double bits : {0.0, -1.0, 0.5, 2.5, 21.0, 1e300}) {
    p.bits_per_key = bits;
    EXPECT_EQ(code_of(p), errc::invalid_argument) << bits;
  }
  p = granule(10);
  p.hashes = 16;
  EXPECT_EQ(code_of(p), errc::invalid_argument);
  p = granule(10);
  p.bits = 80;
  EXPECT_EQ(code_of(p), errc::invalid_argument);
}

TEST(ClickHouse, TheRowsOfAGranuleAgreeWithItsLength) {
  const auto o = reading("granule", 4);
  const auto refused = [&](const char* hex, std::uint64_t at) {
    SCOPED_TRACE(hex);
    expect_refused(name, from_hex(hex), errc::corrupt, at, o);
  };
  refused("", 0);
  refused("80", 1);
  refused("00", 0);
  refused("00ff", 0);
  refused("01", 1);
  refused("09ff", 2);        // 9 rows, 8 bits
  refused("14ffffffff", 1);  // 20 rows, 32 bits
  refused("0101020304", 1);  // 1 row, 32 bits
  refused("ffffffffffffffffff01ff", 11);
  refused("ffffffffffffffffff02ff", 10);  // beyond 64 bits
  refused("ffffffffffffffffffff01ff", 10);
  for (const char* fine : {"01ff", "01ffff", "01ffffff", "08ff", "04ff", "0affff"})
    EXPECT_TRUE(foreign_filter::decode(name, from_hex(fine), o)) << fine;
}

TEST(ClickHouse, DamageIsRefusedOrAnswered) {
  const auto image = written(name, granule(10), numbered("k", 10));
  cut_everywhere(name, image, reading("granule", 4));
  expect_survives(name, image, reading("granule", 4));
  expect_survives(name, image, reading("tokenbf", 4));
  expect_refused(name, {}, errc::corrupt, 0, reading("tokenbf", 4));
}

TEST(ClickHouse, AnAbsurdNumberOfHashesIsNotAskedFor) {
  const std::vector<std::byte> full(32, std::byte{0xff});
  const auto f = must(foreign_filter::decode(name, full, reading("tokenbf", 0xffffffff)));
  EXPECT_EQ(count_found(f, numbered("x", 1000)), 1000u);
}

TEST(ClickHouse, UnionsNeedTheSameRows) {
  auto a = must(foreign_filter::make(name, granule(100)));
  auto b = must(foreign_filter::make(name, granule(100)));
  must(a.insert("a"));
  must(b.insert("b"));
  must(a.merge(b));
  EXPECT_EQ(count_found(a, {"a", "b"}), 2u);
  const auto other = a.merge(must(foreign_filter::make(name, granule(101))));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, errc::incompatible);
}

}  // namespace
}  // namespace bloomery::testing::clickhouse
