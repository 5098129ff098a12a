#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "fastfilter_images.hpp"
#include "format/dialect/fastfilter_rank.hpp"
#include "hostile_image.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing::fastfilter {
namespace {

foreign_options reading(std::string_view variant, key_form form = key_form::bytes) {
  foreign_options o;
  o.variant = variant;
  o.form = form;
  return o;
}

// 65 keys: two segments of 32 and two more, as the owner would have it.
constexpr std::string_view variants[] = {"fuse8",    "fuse16", "packed8",
                                         "packed16", "xor8",   "xor16"};
std::vector<std::byte> edges_in(std::string_view variant) {
  const auto numbers = numbers_of(edge65());
  return variant.starts_with("xor") ? fastfilter_image(variant, numbers, 37, 0)
                                    : fastfilter_image(variant, numbers, 32, 2);
}

TEST(FastFilter, FindsKeysOfEveryLength) {
  for (const auto variant : variants) {
    const auto bytes = edges_in(variant);
    const auto f = must(foreign_filter::decode("fastfilter", bytes));
    EXPECT_EQ(f.variant(), variant);
    for (const auto& k : edge65()) EXPECT_TRUE(f.may_contain(k)) << variant << k.size();
    const double rate = variant.ends_with("16") ? 0x1p-16 : 0x1p-8;
    EXPECT_NEAR(f.realised_fpr(), rate, rate / 4) << variant;
    EXPECT_NEAR(f.estimated_keys(), 65, 1) << variant;
    EXPECT_EQ(f.seed() >> 16, 0x6df6b22537d2u);
  }
}

TEST(FastFilter, AsksForNumbers) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < 60; ++i) numbers.push_back(i * 1'000'003);
  const auto f = must(foreign_filter::decode("fastfilter",
                                             fastfilter_image("fuse16", numbers, 32, 3),
                                             reading("fuse16", key_form::integer)));
  unsigned others = 0;
  for (const auto n : numbers) {
    std::vector<std::byte> key, other;
    put(key, n, 8);
    put(other, n + 1, 8);
    const auto text = [](const auto& v) {
      return std::string_view(reinterpret_cast<const char*>(v.data()), v.size());
    };
    EXPECT_TRUE(f.may_contain(text(key)));
    others += f.may_contain(text(other));
  }
  EXPECT_LT(others, 3u);
  EXPECT_TRUE(f.may_contain("short"));  // not a number: nothing is known
}

// Every variant contains its keys; a set that the owner cannot build is refused.
TEST(FastFilter, BuildsEveryVariantOrRefuses) {
  for (const char* variant : {"fuse8", "fuse16", "packed8", "packed16", "xor8", "xor16"})
    for (const key_form form : {key_form::bytes, key_form::integer})
      for (const std::size_t n : {0u, 1u, 2u, 3u, 100u, 3000u}) {
        std::vector<std::string> texts;
        random from(n);
        for (std::size_t i = 0; i < n; ++i) {
          const std::uint64_t bits = from.next();
          texts.emplace_back(reinterpret_cast<const char*>(&bits), 8);
        }
        foreign_params p;
        p.variant = variant;
        p.form = form;
        const auto f = must(foreign_filter::build("fastfilter", p, views(texts)));
        for (const std::string& t : texts) ASSERT_TRUE(f.may_contain(t));
        const auto read = must(foreign_filter::decode("fastfilter", f.bytes(), p));
        for (const std::string& t : texts) ASSERT_TRUE(read.may_contain(t));
      }
  // 11,521 keys: the owner's size for them is just too small.
  const auto many = numbered("k", 11'521);
  EXPECT_EQ(foreign_filter::build("fastfilter", {}, views(many)).error().code,
            errc::unattainable);
  foreign_params sized;
  sized.fpr = 0.01;
  EXPECT_EQ(foreign_filter::build("fastfilter", sized, {}).error().code,
            errc::invalid_argument);
  foreign_params numbers;
  numbers.form = key_form::integer;
  const std::string_view seven = "1234567";
  EXPECT_EQ(foreign_filter::build("fastfilter", numbers, {&seven, 1}).error().code,
            errc::invalid_argument);
}

TEST(FastFilter, NothingCanBeAdded) {
  foreign_params p;
  p.keys = 10;
  EXPECT_EQ(foreign_filter::make("fastfilter", p).error().code, errc::unsupported);
  auto f = must(foreign_filter::decode("fastfilter", edges_in("fuse8")));
  EXPECT_EQ(f.insert("a").error().code, errc::unsupported);
  EXPECT_EQ(f.merge(f).error().code, errc::unsupported);
}

TEST(FastFilter, RefusesNumbersThatDoNotFit) {
  // The offset that is blamed if 4 bytes at `at` become `value`.
  const auto refused = [](std::string_view variant, std::size_t at, std::uint64_t value) {
    auto bytes = edges_in(variant);
    for (std::size_t i = 0; i < 4; ++i)
      bytes[at + i] = static_cast<std::byte>(value >> (8 * i) & 0xff);
    const auto f = foreign_filter::decode("fastfilter", bytes, reading(variant));
    EXPECT_FALSE(f) << variant << " " << at << " " << value;
    if (f) return ~std::uint64_t{0};
    EXPECT_EQ(f.error().code, errc::corrupt);
    return f.error().at;
  };
  for (const std::uint64_t bad : {0u, 3u, 33u, 0xffffffffu})
    EXPECT_EQ(refused("fuse8", 12, bad), 12u);
  EXPECT_EQ(refused("fuse8", 16, 0), 16u);
  EXPECT_EQ(refused("fuse8", 16, 4), 20u);
  EXPECT_EQ(refused("fuse8", 16, 0x80000002), 20u);  // equal modulo 2^32
  EXPECT_EQ(refused("fuse8", 20, 97), 20u);
  EXPECT_EQ(refused("fuse8", 24, 161), 24u);
  EXPECT_EQ(refused("fuse16", 24, 0xffffffff), 24u);
  EXPECT_EQ(refused("xor8", 8, 0), 8u);
  EXPECT_EQ(refused("xor8", 12, 1), 8u);            // 2^32 and more
  EXPECT_EQ(refused("xor8", 8, 36), 16 + 3 * 36u);  // trailing bytes
  EXPECT_EQ(refused("xor8", 8, 38), 16 + 3 * 37u);  // truncated: the end
  EXPECT_EQ(refused("packed8", 8, 0xffffffff), 8u);
  EXPECT_EQ(refused("packed8", 8, 100'000), edges_in("packed8").size());
  for (const auto variant : variants)
    EXPECT_EQ(
        foreign_filter::decode("fastfilter", std::vector<std::byte>(3), reading(variant))
            .error()
            .at,
        3u);
}

// A fuse filter of 4 slots for 65 keys, which nobody wrote, has the length of a packed
// one whose bitmap is the same numbers.
TEST(FastFilter, BytesThatFitSeveralVariantsNeedOne) {
  std::vector<std::byte> bytes;
  put(bytes, 0, 8);
  for (const unsigned n : {65u, 1u, 2u, 2u, 4u}) put(bytes, n, 4);
  bytes.resize(28 + 4);
  EXPECT_EQ(foreign_filter::decode("fastfilter", bytes).error().code,
            errc::invalid_argument);
  for (const auto variant : {"fuse8", "packed8"})
    EXPECT_EQ(
        must(foreign_filter::decode("fastfilter", bytes, reading(variant))).variant(),
        variant);
}

TEST(FastFilter, RanksAreSumsOfOnes) {
  random from(7);
  for (const std::size_t size : {1u, 2u, 7u, 8u, 9u, 47u, 48u, 49u, 64u, 100u, 1000u}) {
    std::vector<std::byte> map(size);
    for (auto& b : map) b = static_cast<std::byte>(from.next() & 0xff);
    const std::uint64_t bits = 8 * size - from.below(8);
    std::uint64_t sums[format::sampled_rank::samples], ones = 0;
    const auto all = format::sampled_rank::sample(map, bits, sums);
    const format::sampled_rank rank(map, bits, sums);
    for (std::uint64_t i = 0; i < bits; ++i) {
      ASSERT_EQ(rank.before(i), ones) << size << " " << i;
      ones += static_cast<unsigned>(map[i / 8]) >> (i % 8) & 1;
    }
    EXPECT_EQ(all, ones);
  }
}

TEST(FastFilter, DamageIsAnsweredWithPerhaps) {
  for (const auto variant : variants) {
    auto f = must(foreign_filter::decode("fastfilter", edges_in(variant)));
    std::uint64_t chunks[1] = {};
    for (std::size_t at = 64; at < f.size_in_bytes(); at += 16)
      chunks[0] |= std::uint64_t{1} << (at / 16);
    must(f.mark_damaged(chunks, 4));
    for (const auto& k : edge65()) EXPECT_TRUE(f.may_contain(k));
    EXPECT_GT(f.realised_fpr(), 0.5) << variant;
    chunks[0] = 1;
    EXPECT_EQ(f.mark_damaged(chunks, 4).error().code, errc::corrupt);
  }
}

TEST(FastFilter, SurvivesAbuse) {
  for (const auto variant : variants) {
    expect_survives("fastfilter", edges_in(variant), reading(variant));
    expect_survives("fastfilter", edges_in(variant));
    expect_survives("fastfilter", edges_in(variant), reading(variant, key_form::integer));
  }
}

}  // namespace
}  // namespace bloomery::testing::fastfilter
