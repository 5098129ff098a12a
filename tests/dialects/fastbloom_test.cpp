#include <bit>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "hash/siphash.hpp"
#include "hex.hpp"
#include "hostile_image.hpp"

namespace bloomery::testing::fastbloom {
namespace {

constexpr const char* name = "fastbloom";

foreign_params seeded(std::uint64_t keys, double fpr = 0.01) {
  foreign_params p = sized(keys, fpr);
  p.seed = 42;
  return p;
}

foreign_options reading(std::uint32_t hashes, std::uint64_t seed = 42) {
  foreign_options o;
  o.hashes = hashes;
  o.seed = seed;
  return o;
}

TEST(FastBloom, SizesOfTheOwner) {
  const auto small = must(foreign_filter::make(name, seeded(10)));
  EXPECT_EQ(small.bits(), 128u);
  EXPECT_EQ(small.hashes(), 9u);
  EXPECT_EQ(small.options().hashes, 9u) << "needed to read it again";
  const auto larger = must(foreign_filter::make(name, seeded(1000)));
  EXPECT_EQ(larger.bits(), 9600u);
  EXPECT_EQ(larger.hashes(), 7u);
  EXPECT_EQ(must(foreign_filter::make(name, seeded(1, 0.9))).bits(), 64u);
}

// The rule by hand: one word, the seed in the second half of the key, big-endian.
TEST(FastBloom, BitsAreTheTopBitsOfARotatedSum) {
  foreign_params p;
  p.bits = 64;
  p.hashes = 3;
  p.seed = 0x0102030405060708;
  const auto image = written(name, p, {"k0"});
  const std::uint64_t h = hash::siphash13_slice("k0", 0, 0x0807060504030201);
  const std::uint64_t step = h * 0x517cc1b727220a95;
  std::uint64_t word = 0, c = h;
  for (int i = 0; i < 3; ++i, c = std::rotl(c, 5) + step)
    word |= std::uint64_t{1} << (c >> 58);
  EXPECT_EQ(image, with_number(std::vector<std::byte>(8), 0, 8, word));
}

TEST(FastBloom, EdgeKeysAreFoundInEveryForm) {
  for (const key_form form : {key_form::bytes, key_form::text, key_form::integer}) {
    auto p = seeded(65);
    p.form = form;
    const auto made = must(foreign_filter::make(name, p));
    const auto image = written(name, p, edge65());
    const auto f = must(foreign_filter::decode(name, image, made.options()));
    EXPECT_EQ(count_found(f, edge65()), 65u);
  }
}

TEST(FastBloom, WhatTheBytesDoNotTellMustBeGiven) {
  const std::vector<std::byte> image(16);
  auto o = reading(3);
  EXPECT_TRUE(foreign_filter::decode(name, image, o));
  o.hashes.reset();
  expect_refused(name, image, errc::invalid_argument, 0, o);
  o = reading(3);
  o.seed.reset();
  expect_refused(name, image, errc::invalid_argument, 0, o);
  expect_refused(name, image, errc::invalid_argument, 0, reading(0));
  auto p = seeded(10);
  p.seed.reset();
  const auto made = foreign_filter::make(name, p);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, errc::invalid_argument);
}

TEST(FastBloom, LengthsAreWholeWords) {
  expect_refused(name, {}, errc::corrupt, 0, reading(3));
  expect_refused(name, std::vector<std::byte>(15), errc::corrupt, 8, reading(3));
  EXPECT_EQ(
      cut_everywhere(name, written(name, seeded(10), numbered("k", 10)), reading(9)), 1u)
      << "one word of the two";
}

TEST(FastBloom, FlippedBitsAreAnswered) {
  expect_survives(name, written(name, seeded(10), numbered("k", 10)), reading(9));
}

TEST(FastBloom, AnAbsurdNumberOfHashesIsNotAskedFor) {
  const std::vector<std::byte> full(16, std::byte{0xff});
  const auto f = must(foreign_filter::decode(name, full, reading(0xffffffff)));
  EXPECT_EQ(count_found(f, numbered("x", 1000)), 1000u);
}

TEST(FastBloom, UnionsNeedTheSameSeed) {
  auto a = must(foreign_filter::make(name, seeded(100)));
  auto b = must(foreign_filter::make(name, seeded(100)));
  must(a.insert("a"));
  must(b.insert("b"));
  must(a.merge(b));
  EXPECT_EQ(count_found(a, {"a", "b"}), 2u);
  auto p = seeded(100);
  p.seed = 43;
  const auto other = a.merge(must(foreign_filter::make(name, p)));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, errc::incompatible);
}

}  // namespace
}  // namespace bloomery::testing::fastbloom
