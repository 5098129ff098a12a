// Filters in the blocks of an engine (spec/table_filter.md): the published vectors, views
// at any address, bytes that nobody wrote.
#include <bloomery/filter_view.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/fuse.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/ribbon.hpp>
#include <bloomery/xor_filter.hpp>

#include "base/crc32c.hpp"
#include "cases.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::must;

template <class F>
std::vector<std::byte> table_bytes(const F& f) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(must(table_filter_size(f))));
  write_table_filter(f, bytes);
  return bytes;
}

// An allocation of exactly these bytes, the first of them at any address: under
// AddressSanitizer whatever a lookup reads beyond is an error.
class exact_copy {
 public:
  explicit exact_copy(std::span<const std::byte> bytes, std::size_t shift = 0)
      : memory_(new std::byte[shift + bytes.size()]),
        bytes_(memory_.get() + shift, bytes.size()) {
    std::ranges::copy(bytes, bytes_.begin());
  }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::span<std::byte> bytes_;
};

template <class F>
class TableFilter : public ::testing::Test {};
using table_filters = ::testing::Types<block_bloom, ribbon, fuse, xor_filter>;
TYPED_TEST_SUITE(TableFilter, table_filters);

TYPED_TEST(TableFilter, AnswersAsTheFilterAtAnyAddress) {
  std::uint64_t lookups = 0;
  for (const std::size_t n : {1, 2, 7, 40, 300, 1000, 1025, 1100, 5000, 20'000})
    for (const double fpr : {0.3, 0.01, 0.004, 1e-4}) {
      const auto ks = testing::keys(n, n), others = testing::keys(n + 1, 500);
      const TypeParam f = must(TypeParam::build(ks, {.fpr = fpr}));
      const exact_copy copy(table_bytes(f), n % 67);
      const auto view = must(table_filter_view<TypeParam>::over(copy.bytes()));
      std::vector<key> all(ks.begin(), ks.end());
      all.insert(all.end(), others.begin(), others.end());
      const auto expected = std::make_unique<bool[]>(all.size()),
                 answers = std::make_unique<bool[]>(all.size());
      f.may_contain(all, {expected.get(), all.size()});
      view.filter().may_contain(all, {answers.get(), all.size()});
      for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(answers[i], expected[i]) << n << ' ' << fpr;
        ASSERT_EQ(view.filter().may_contain(all[i]), expected[i]) << n << ' ' << fpr;
      }
      EXPECT_EQ(table_bytes(view.filter()), table_bytes(f));
      EXPECT_EQ(table_filter_kind(copy.bytes()), TypeParam::kind.number);
      EXPECT_EQ(copy.bytes().size(),
                f.size_in_bytes() + table_filter_trailer(TypeParam::kind.number));
      lookups += 2 * all.size();
    }
  testing::count_cases("lookups", lookups);
}

TYPED_TEST(TableFilter, ChangedBytesAreRefused) {
  const auto bytes = table_bytes(must(TypeParam::build(testing::keys(1, 100))));
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    auto changed = bytes;
    changed[bit / 8] ^= std::byte{1} << bit % 8;
    EXPECT_FALSE(table_filter_view<TypeParam>::over(changed)) << bit;
  }
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const std::span<const std::byte> all(bytes);
    const exact_copy front(all.first(n)), back(all.subspan(n + 1));
    EXPECT_FALSE(table_filter_view<TypeParam>::over(front.bytes())) << n;
    EXPECT_FALSE(table_filter_view<TypeParam>::over(back.bytes())) << n;
  }
  testing::count_cases("flips", 8 * bytes.size());
  testing::count_cases("cuts", 2 * bytes.size());
}

// Every byte of the trailer at every value, under a checksum that agrees: refused, or a
// filter that may be asked.
TYPED_TEST(TableFilter, ForgedTrailersAreRefusedOrHarmless) {
  const auto bytes = table_bytes(must(TypeParam::build(testing::keys(2, 700))));
  const auto others = testing::keys(3, 64);
  const std::size_t trailer = table_filter_trailer(TypeParam::kind.number);
  std::uint64_t tried = 0, accepted = 0;
  const std::size_t crc_at = bytes.size() - 13;
  for (std::size_t at = bytes.size() - trailer; at < bytes.size(); ++at) {
    if (at >= crc_at && at < crc_at + 4) continue;
    for (unsigned value = 0; value < 256; ++value) {
      auto forged = bytes;
      forged[at] = static_cast<std::byte>(value);
      const std::uint32_t crc =
          base::crc32c(std::span(forged).subspan(crc_at + 4),
                       base::crc32c(std::span(forged).first(crc_at)));
      for (unsigned i = 0; i < 4; ++i)
        forged[crc_at + i] = static_cast<std::byte>(crc >> 8 * i & 0xff);
      const exact_copy copy(forged);
      const auto view = table_filter_view<TypeParam>::over(copy.bytes());
      ++tried;
      if (!view) continue;
      ++accepted;
      for (const key k : others) (void)view->filter().may_contain(k);
      bool answers[64];
      view->filter().may_contain(others, answers);
    }
  }
  EXPECT_LT(accepted, tried / 4);
  testing::count_cases("forged", tried);
}

TEST(TableFilterKinds, OthersAreRefused) {
  const auto ks = testing::keys(1, 100);
  EXPECT_EQ(table_filter_size(must(bloom::build(ks))).error().code, errc::unsupported);
  const block_shape small{10, block_profile::lanes16};
  EXPECT_EQ(table_filter_size(must(block_bloom::make(small))).error().code,
            errc::unsupported);
  EXPECT_EQ(table_filter_size(must(block_bloom::build(ks, {.hasher = hasher::xxh3(1)})))
                .error()
                .code,
            errc::incompatible);
  const auto bytes = table_bytes(must(block_bloom::build(ks)));
  EXPECT_EQ(table_filter_view<ribbon>::over(bytes).error().code, errc::incompatible);
  EXPECT_EQ(table_filter_view<block_bloom>::over({}).error().code, errc::incompatible);
}

// "| block | 50 | 10 | 77 | 3b7f95d2 |", and of kinds that are built "| ribbon | 1000 |
// 0.01 | 905 | .. |": rate.
TEST(TableFilterVectors, ArePublished) {
  std::ifstream page(std::string(BLOOMERY_VECTORS_DIR) + "/../table_filter.md");
  const std::regex row(
      R"(\| (\w*?) ?\|? ?(\d+) \| ([\d.]+) \| (\d+) \| ([0-9a-f]{8}) \|)");
  int rows = 0;
  for (std::string line; std::getline(page, line);) {
    std::smatch m;
    if (!std::regex_match(line, m, row)) continue;
    ++rows;
    const auto n = std::stoull(m[2]);
    const double amount = std::stod(m[3]);
    std::vector<key> ks;
    for (std::uint64_t i = 0; i < n; ++i) {
      char big_endian[8];
      for (unsigned b = 0; b < 8; ++b)
        big_endian[b] = static_cast<char>(i >> (56 - 8 * b) & 0xff);
      ks.push_back(hasher::xxh3().hash(std::string_view(big_endian, 8)));
    }
    std::vector<std::byte> bytes;
    if (m[1].length() == 0) {
      const auto profile = amount < 8.5  ? block_profile::half_line
                           : amount > 18 ? block_profile::two_lines
                                         : block_profile::line;
      const double block =
          8.0 * static_cast<double>(block_shape{1, profile}.block_bytes());
      const auto blocks = static_cast<std::uint64_t>(
          std::max(1.0, std::ceil(static_cast<double>(n) * amount / block)));
      auto f = must(block_bloom::make(block_shape{blocks, profile}));
      f.insert(std::span<const key>(ks));
      bytes = table_bytes(f);
    } else {
      const auto f = must(
          find_kind(std::string(m[1]))->build(ks, n, {.fpr = amount}, hasher::xxh3(), 1));
      bytes = f.visit([](const auto& one) { return table_bytes(one); });
    }
    char crc[16];
    std::snprintf(crc, sizeof crc, "%08x", base::crc32c(bytes));
    EXPECT_EQ(std::to_string(bytes.size()), m[4]) << line;
    EXPECT_EQ(std::string(crc), m[5]) << line;
  }
  EXPECT_EQ(rows, 12);
}

}  // namespace
}  // namespace bloomery
