// Tiny filters: every size, rates, bytes that nobody wrote, and the published vectors.
#include <bloomery/tiny_filter.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/hasher.hpp>

#include "cases.hpp"
#include "full.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::must;

// Sizes as in LevelDB's bloom_test: each one at first, then in growing steps.
std::vector<std::size_t> sizes() {
  std::vector<std::size_t> all;
  for (std::size_t n = 1; n <= 10'000; n += n < 10     ? 1
                                            : n < 100  ? 10
                                            : n < 1000 ? 100
                                                       : 1000)
    all.push_back(n);
  for (const std::size_t n : {7, 8, 9, 37, 63, 64, 65, 127, 128, 165, 513})
    all.push_back(n);
  return all;
}

TEST(TinyFilter, FindsEveryKey) {
  std::uint64_t lookups = 0;
  for (const std::size_t n : sizes())
    for (const unsigned columns : {1u, 3u, 9u, 27u}) {
      const auto ks = testing::keys(n + columns, n);
      const pages f = must(tiny_filter::build(ks, columns));
      for (const key k : ks)
        ASSERT_TRUE(tiny_filter::may_contain(f.bytes(), k)) << n << " " << columns;
      const auto shape = tiny_filter::shape_of(f.bytes());
      EXPECT_EQ(shape.columns, columns);
      EXPECT_EQ(f.size(), (columns * shape.slots + 7) / 8 + tiny_filter::tail_bytes);
      EXPECT_TRUE(tiny_filter::is_intact(f.bytes()));
      EXPECT_LE(shape.slots, n + n / 10 + 8);
      lookups += n;
    }
  testing::count_cases("lookups", lookups);
}

// The rate is 2^-columns whatever the size; at most 5 standard deviations off.
TEST(TinyFilter, HasTheRateOfItsColumns) {
  constexpr double asked = 400'000;
  for (const std::size_t n : {1, 5, 8, 37, 64, 165, 1000, 10'000})
    for (const unsigned columns : {1u, 5u, 9u}) {
      double found = 0;
      constexpr int filters = 20;
      for (std::uint64_t i = 0; i < filters; ++i) {
        const pages f = must(tiny_filter::build(testing::keys(1000 * n + i, n), columns));
        EXPECT_EQ(tiny_filter::fpr(f.bytes()),
                  std::ldexp(1.0, -static_cast<int>(columns)));
        for (const key k :
             testing::keys(77'000 + i, static_cast<std::size_t>(asked) / filters))
          found += tiny_filter::may_contain(f.bytes(), k);
      }
      const double p = std::ldexp(1.0, -static_cast<int>(columns));
      EXPECT_NEAR(found / asked, p, 5 * std::sqrt(p / asked)) << n << " " << columns;
    }
}

TEST(TinyFilter, TheSameKeysGiveTheSameBytes) {
  for (const std::size_t n : {1, 37, 165, 3000}) {
    auto ks = testing::keys(n, n);
    const auto bytes = must(tiny_filter::build(ks, 9));
    std::ranges::reverse(ks);
    EXPECT_TRUE(
        std::ranges::equal(must(tiny_filter::build(ks, 9)).bytes(), bytes.bytes()));
    std::vector<key> twice;
    for (const key k : ks) twice.insert(twice.end(), {k, k, k});
    EXPECT_TRUE(
        std::ranges::equal(must(tiny_filter::build(twice, 9)).bytes(), bytes.bytes()));
  }
}

TEST(TinyFilter, RefusesWhatItCannotBuild) {
  const auto ks = testing::keys(1, 10);
  const auto code = [](const result<pages>& r) { return r ? errc{} : r.error().code; };
  EXPECT_EQ(code(tiny_filter::build({}, 9)), errc::invalid_argument);
  EXPECT_EQ(code(tiny_filter::build(ks, 0)), errc::invalid_argument);
  EXPECT_EQ(code(tiny_filter::build(ks, 28)), errc::invalid_argument);
}

bool finds_all(std::span<const std::byte> bytes, std::span<const key> ks) {
  // Memory of exactly this size, so that a sanitizer sees a byte too many.
  const std::vector<std::byte> own(bytes.begin(), bytes.end());
  return std::ranges::all_of(ks, [&](key k) { return tiny_filter::may_contain(own, k); });
}

// Bytes of any length and content answer "possibly present", whatever their form.
TEST(TinyFilter, BytesThatNobodyWroteHaveNoFalseNegatives) {
  const auto ks = testing::keys(3, 50);
  std::uint64_t tried = 0;
  EXPECT_TRUE(finds_all({}, ks));
  for (unsigned last = 0; last < 256; ++last)
    for (std::size_t size = 1; size < 40; ++size, ++tried) {
      std::vector<std::byte> bytes(size, std::byte{0x5a});
      bytes.back() = static_cast<std::byte>(last);
      ASSERT_TRUE(finds_all(bytes, ks)) << last << " " << size;
      ASSERT_EQ(tiny_filter::fpr(bytes), 1);
    }
  testing::random from(31);
  for (int i = 0; i < 50'000; ++i, ++tried) {
    std::vector<std::byte> bytes(from.below(120));
    for (std::byte& b : bytes) b = static_cast<std::byte>(from.next());
    ASSERT_TRUE(finds_all(bytes, ks)) << testing::to_hex(bytes);
  }
  testing::count_cases("images", tried);
}

// Each changed bit and each truncation of a filter: no key of it is lost.
TEST(TinyFilter, ADamagedFilterHasNoFalseNegatives) {
  std::uint64_t flips = 0, cuts = 0;
  for (const std::size_t n : {1, 8, 37, 165, 600}) {
    const auto ks = testing::keys(n, n);
    pages f = must(tiny_filter::build(ks, 8));
    for (std::size_t cut = 0; cut < f.size(); ++cut, ++cuts)
      ASSERT_TRUE(finds_all(f.bytes().first(cut), ks)) << n << " " << cut;
    for (std::size_t bit = 0; bit < 8 * f.size(); ++bit, ++flips) {
      const std::byte mask{static_cast<unsigned char>(1u << bit % 8)};
      f.data()[bit / 8] ^= mask;
      ASSERT_FALSE(tiny_filter::is_intact(f.bytes())) << n << " " << bit;
      ASSERT_TRUE(finds_all(f.bytes(), ks)) << n << " " << bit;
      ASSERT_EQ(tiny_filter::fpr(f.bytes()), 1);
      f.data()[bit / 8] ^= mask;
    }
    EXPECT_TRUE(tiny_filter::is_intact(f.bytes()));
  }
  testing::count_cases("flips", flips);
  testing::count_cases("cuts", cuts);
}

TEST(TinyFilter, ColumnsWithinBytesFit) {
  EXPECT_EQ(tiny_filter::columns_within(0, 100), 0u);
  EXPECT_EQ(tiny_filter::columns_within(10, 5), 0u);
  EXPECT_EQ(tiny_filter::columns_within(37, 48), 9u);
  EXPECT_EQ(tiny_filter::columns_within(1, 1000), tiny_filter::max_columns);
  for (const std::size_t n : {1, 37, 165, 5000}) {
    const std::size_t bytes = 5 * n / 4 + 10;
    const unsigned columns = tiny_filter::columns_within(n, bytes);
    EXPECT_LE(must(tiny_filter::build(testing::keys(9, n), columns)).size(), bytes);
  }
}

// spec/tiny_filter.md
TEST(TinyFilter, PublishedVectors) {
  std::ifstream page(BLOOMERY_VECTORS_DIR "/../tiny_filter.md");
  std::string line;
  const std::regex row(R"(\| `(\w*)` to `\w*` \| (\d+) \| (\d+) \| `([0-9a-f]+)` \|)");
  std::size_t rows = 0;
  while (std::getline(page, line)) {
    std::smatch m;
    if (!std::regex_search(line, m, row)) continue;
    std::vector<key> ks;
    for (int i = 0; i < std::stoi(m[2]); ++i)
      ks.push_back(hasher::xxh3().hash("k" + std::to_string(i)));
    const pages f = must(tiny_filter::build(ks, static_cast<unsigned>(std::stoul(m[3]))));
    EXPECT_EQ(testing::to_hex(f.bytes()), m[4]) << line;
    ++rows;
  }
  EXPECT_EQ(rows, 5u);
}

}  // namespace
}  // namespace bloomery
