// block_bloom and split_block_bloom: what the laws of all filters do not cover.
#include <bloomery/block_bloom.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>

#include <gtest/gtest.h>

#include <bloomery/split_block_bloom.hpp>

#include "block_oracle.hpp"
#include "must.hpp"
#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::keys;
using testing::must;
using enum block_profile;

static_assert(!std::is_copy_constructible_v<block_bloom>);
static_assert(std::is_nothrow_move_constructible_v<block_bloom>);
static_assert(std::is_nothrow_move_assignable_v<block_bloom>);
static_assert(std::is_nothrow_move_constructible_v<split_block_bloom>);

TEST(BlockBloom, HoldsTheBitsOfTheSpecification) {
  const auto ks = keys(1, 300);
  for (const block_profile p : {half_line, line, two_lines, lanes16}) {
    const block_shape s{29, p};
    testing::block_oracle want(s);
    auto f = must(block_bloom::make(s));
    for (const key k : ks) want.insert(k), f.insert(k);
    EXPECT_TRUE(std::ranges::equal(f.bytes(), want.bytes())) << name_of(p);
    EXPECT_EQ(f.profile(), p);
    EXPECT_EQ(f.size_in_bytes(), want.bytes().size());
  }
}

TEST(BlockBloom, TellsItsShape) {
  const auto f = must(block_bloom::make(block_shape{10, two_lines}, 77));
  EXPECT_EQ(f.shape(), (block_shape{10, two_lines}));
  EXPECT_EQ(f.bits(), 10u * 512);
  EXPECT_EQ(f.hashes(), 16u);
  EXPECT_EQ(f.capacity(), 77u);
  EXPECT_EQ(must(block_bloom::make(block_shape{10, half_line})).hashes(), 4u);
  EXPECT_EQ(must(block_bloom::make(block_shape{10, half_line})).size_in_bytes(), 320u);
  EXPECT_EQ(must(split_block_bloom::make(10)).hashes(), 8u);
  EXPECT_STREQ(name_of(half_line), "half-line");
  EXPECT_STREQ(name_of(two_lines), "two-lines");
}

TEST(BlockBloom, RefusesImpossibleShapes) {
  const auto code = [](block_shape s) { return block_bloom::make(s).error().code; };
  EXPECT_EQ(code({0, line}), errc::invalid_argument);
  EXPECT_EQ(code({5, by_rate}), errc::invalid_argument);
  EXPECT_EQ(code({5, split}), errc::invalid_argument);
  EXPECT_EQ(code({(std::uint64_t{1} << 42) + 1, line}), errc::too_large);
  EXPECT_EQ(code({std::numeric_limits<std::uint64_t>::max(), half_line}),
            errc::too_large);
  EXPECT_EQ(split_block_bloom::make(0).error().code, errc::invalid_argument);
  EXPECT_EQ(split_block_bloom::make(1u << 26).error().code, errc::too_large);
}

// 2^47 bytes are allowed by the format and by no machine: a result, not a crash.
TEST(BlockBloom, MoreThanTheMachineHasIsAResult) {
  const auto f = block_bloom::make(block_shape{std::uint64_t{1} << 41, line});
  ASSERT_FALSE(f);
  EXPECT_EQ(f.error().code, errc::out_of_memory);
}

TEST(BlockBloom, BuildSizesForTheKeysItGets) {
  const auto ks = keys(2, 5000);
  const auto f = must(block_bloom::build(ks));
  EXPECT_EQ(f.capacity(), 5000u);
  EXPECT_EQ(f.shape(), must(block_bloom::make({.keys = 5000})).shape());
  EXPECT_EQ(must(block_bloom::build({})).capacity(), 1u);
  const auto roomy = must(block_bloom::build(ks, {.keys = 9000, .fpr = 0.001}));
  EXPECT_EQ(roomy.capacity(), 9000u);
  EXPECT_EQ(must(split_block_bloom::build(ks)).capacity(), 5000u);
}

TEST(BlockBloom, FoldableIsSlightlyLarger) {
  const auto plain = must(block_bloom::make({.keys = 1'000'000}));
  const auto f = must(block_bloom::make({.keys = 1'000'000, .foldable = true}));
  EXPECT_GE(f.size_in_bytes(), plain.size_in_bytes());
  EXPECT_LE(static_cast<double>(f.size_in_bytes()),
            1.01 * static_cast<double>(plain.size_in_bytes()));
}

// Answers as bits: bit i % 64 of word i / 64, zeros after the last.
template <class F>
void expect_bitmaps(const F& f, std::size_t n) {
  SCOPED_TRACE(n);
  const auto ks = keys(3, n);
  const auto strings = testing::mixed_strings(4, n);
  const auto texts = testing::views(strings);
  const auto compare = [&](auto some) {
    const auto bools = std::make_unique<bool[]>(n);
    f.may_contain(some, std::span<bool>(bools.get(), n));
    std::vector<std::uint64_t> bits((n + 63) / 64, 0x5555555555555555);
    f.may_contain(some, std::span<std::uint64_t>(bits));
    for (std::size_t i = 0; i < 64 * bits.size(); ++i)
      ASSERT_EQ((bits[i / 64] >> (i % 64) & 1) != 0, i < n && bools[i]) << i;
  };
  compare(std::span<const key>(ks));
  compare(std::span<const std::string_view>(texts));
}

TEST(BlockBloom, BitmapsAreTheAnswers) {
  for (const std::size_t n : {0u, 1u, 63u, 64u, 65u, 127u, 128u, 200u, 1000u}) {
    for (const block_profile p : {half_line, line, two_lines, lanes16}) {
      auto f = must(block_bloom::make({.keys = 1000, .fpr = 0.3, .profile = p}));
      f.insert(std::span<const key>(keys(3, 1000)).first(500));
      expect_bitmaps(f, n);
    }
    auto f = must(split_block_bloom::make({.keys = 1000, .fpr = 0.3}));
    f.insert(std::span<const key>(keys(3, 1000)).first(500));
    expect_bitmaps(f, n);
  }
}

// Room to spare after the last word that is needed is cleared.
TEST(BlockBloom, ABitmapMayBeLonger) {
  const auto ks = keys(5, 70);
  const auto f = must(block_bloom::build(ks));
  std::vector<std::uint64_t> bits(5, 42);
  f.may_contain(std::span<const key>(ks), std::span<std::uint64_t>(bits));
  EXPECT_EQ(bits, (std::vector<std::uint64_t>{~std::uint64_t{0}, 63, 0, 0, 0}));
}

TEST(BlockBloom, EveryHasherWorks) {
  for (const hasher h : {hasher::xxh3(5), hasher::xxh64(7), hasher::fnv1a_splitmix()}) {
    auto f = must(block_bloom::make({.keys = 100, .hasher = h}));
    f.insert("alice");
    EXPECT_TRUE(f.may_contain("alice"));
    EXPECT_TRUE(f.may_contain(h.hash("alice")));
    EXPECT_TRUE(f.hasher() == h);
  }
  EXPECT_TRUE(must(split_block_bloom::make(5)).hasher() == hasher::xxh64());
}

TEST(BlockBloom, AFullFilterSaysSo) {
  auto f = must(block_bloom::make(block_shape{1, half_line}));
  f.insert(std::span<const key>(keys(6, 100'000)));
  EXPECT_EQ(f.fill(), 1);
  EXPECT_EQ(f.realised_fpr(), 1);
  EXPECT_TRUE(std::isinf(f.estimated_keys()));
}

// The bare bitset of a Parquet file.
TEST(SplitBlockBloom, FromBitset) {
  const auto made = must(split_block_bloom::build(keys(7, 1000)));
  const auto same = must(split_block_bloom::from_bitset(made.bytes()));
  EXPECT_TRUE(same == made);
  EXPECT_EQ(same.capacity(), 0u);
  EXPECT_TRUE(std::ranges::equal(same.bytes(), made.bytes()));
  for (const std::size_t size : {0u, 1u, 31u, 33u, 63u, 65u}) {
    const auto refused = split_block_bloom::from_bitset(std::vector<std::byte>(size));
    ASSERT_FALSE(refused) << size;
    EXPECT_EQ(refused.error().code, errc::corrupt);
    EXPECT_EQ(refused.error().at, size / 32 * 32);
  }
  EXPECT_TRUE(split_block_bloom::from_bitset(std::vector<std::byte>(32)));
}

}  // namespace
}  // namespace bloomery
