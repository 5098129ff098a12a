// The partitioned filter against its specification (spec/filters.md, section 6), and what
// only it has: slices.
#include <bloomery/partitioned_bloom.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/concurrent.hpp>
#include <bloomery/kinds.hpp>

#include "ask.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::must;

// As the page words it.
std::vector<std::uint64_t> positions(std::uint64_t s, std::uint32_t k, std::uint64_t h) {
  __extension__ using u128 = unsigned __int128;
  std::vector<std::uint64_t> out;
  std::uint64_t x = h | 1;
  for (std::uint32_t j = 0; j < k; ++j) {
    x *= 0xf1357aea2e62a9c5U;
    out.push_back(j * s + static_cast<std::uint64_t>(static_cast<u128>(x) * s >> 64));
  }
  return out;
}

TEST(PartitionedBloom, TheExamplesOfTheSpecification) {
  auto f = must(partitioned_bloom::make(partitioned_layout{16, 6}));
  f.insert("k0");
  EXPECT_EQ(testing::to_hex(f.bytes()), "200000010002020000100200");
  auto g = must(partitioned_bloom::make(partitioned_layout{13, 7}));
  g.insert("k0");
  EXPECT_EQ(testing::to_hex(g.bytes()), "100010000201004002000004");
}

TEST(PartitionedBloom, SetsTheBitsOfTheSpecification) {
  for (const std::uint64_t s : {1u, 2u, 7u, 8u, 63u, 64u, 65u, 1000u, 100'003u})
    for (const std::uint32_t k : {1u, 2u, 3u, 7u, 8u, 30u, 64u}) {
      SCOPED_TRACE(::testing::Message() << "s=" << s << " k=" << k);
      auto one = must(partitioned_bloom::make(partitioned_layout{s, k}));
      auto batch = must(partitioned_bloom::make(partitioned_layout{s, k}));
      auto shared = must(concurrent<partitioned_bloom>::make({.keys = 9}));
      shared = must(concurrent<partitioned_bloom>::adopt(must(one.empty_like())));
      std::vector<std::byte> want((s * k + 7) / 8);
      const auto in = testing::keys(s, 70);
      for (const key x : in) {
        one.insert(x);
        for (const std::uint64_t at : positions(s, k, x.bits()))
          want[at / 8] |= static_cast<std::byte>(1u << (at % 8));
      }
      batch.insert(in);
      shared.insert(std::span(in).first(35));
      for (const key x : std::span(in).subspan(35)) shared.insert(x);
      EXPECT_EQ(testing::to_hex(one.bytes()), testing::to_hex(want));
      EXPECT_EQ(batch, one);
      EXPECT_EQ(must(shared.snapshot()), one);
    }
}

TEST(PartitionedBloom, SlicesAreCountedApart) {
  auto f = must(partitioned_bloom::make(partitioned_layout{1009, 7}));
  f.insert(testing::keys(1, 400));
  std::uint64_t all = 0;
  double product = 1;
  for (std::uint32_t j = 0; j < f.slices(); ++j) {
    std::uint64_t ones = 0;
    for (std::uint64_t i = j * 1009; i < (j + 1) * 1009; ++i)
      ones += static_cast<unsigned>(f.bytes()[i / 8]) >> (i % 8) & 1;
    EXPECT_EQ(f.slice_ones(j), ones);
    EXPECT_NEAR(f.slice_fill(j), 1 - std::exp(-400 / 1009.0), 0.06);
    all += ones;
    product *= static_cast<double>(ones) / 1009;
  }
  EXPECT_EQ(f.ones(), all);
  const double alike = f.estimated_keys() * 0x1p-63;  // but for their lowest bit
  EXPECT_DOUBLE_EQ(f.realised_fpr(), product + (1 - product) * alike);
  EXPECT_NEAR(f.estimated_keys(), 400, 20);
}

// Independent slices: the closed form is the mean over filters, not only near it.
TEST(PartitionedBloom, TheClosedFormIsTheMeanOverFilters) {
  constexpr std::uint64_t s = 32, n = 20;
  constexpr std::uint32_t k = 4, filters = 20'000;
  double sum = 0, squares = 0;
  auto f = must(partitioned_bloom::make(partitioned_layout{s, k}));
  for (std::uint32_t i = 0; i < filters; ++i) {
    f.clear();
    f.insert(testing::keys(1000 + i, n));
    const double rate = f.realised_fpr();
    sum += rate;
    squares += rate * rate;
  }
  const double mean = sum / filters;
  const double sigma = std::sqrt((squares / filters - mean * mean) / filters);
  EXPECT_NEAR(mean, f.expected_fpr(n), 5 * sigma);
  EXPECT_NEAR(f.expected_fpr(n), std::pow(1 - std::pow(1 - 1.0 / s, n), k), 1e-12);
}

TEST(PartitionedBloom, SizesAreTheFewestBitsThatKeepTheRate) {
  for (const std::uint64_t n : {1u, 2u, 10u, 1000u, 1'000'000u})
    for (const double p : {0.5, 0.1, 0.01, 1e-3, 1e-6, 1e-9}) {
      SCOPED_TRACE(::testing::Message() << "n=" << n << " p=" << p);
      const auto best = must(size_partitioned_by_rate(n, p));
      const auto rate = [&](std::uint64_t slice_bits, std::uint32_t slices) {
        return must(partitioned_bloom::make(partitioned_layout{slice_bits, slices}))
            .expected_fpr(n);
      };
      EXPECT_LE(rate(best.slice_bits, best.slices), p);
      if (n > 10'000) continue;
      for (std::uint32_t k = 1; k <= 64; ++k) {
        const std::uint64_t fewer = (best.bits() - 1) / k;
        if (fewer != 0) {
          EXPECT_GT(rate(fewer, k), p) << k;
        }
      }
    }
}

TEST(PartitionedBloom, RefusesWhatTheFormatCannotHold) {
  const auto code = [](std::uint64_t s, std::uint32_t k) {
    return partitioned_bloom::make(partitioned_layout{s, k}).error().code;
  };
  EXPECT_EQ(code(0, 1), errc::invalid_argument);
  EXPECT_EQ(code(1, 0), errc::invalid_argument);
  EXPECT_EQ(code(1, 65), errc::too_large);
  EXPECT_EQ(code((std::uint64_t{1} << 48) / 7 + 1, 7), errc::too_large);
  EXPECT_EQ(code(~std::uint64_t{0}, 64), errc::too_large);
  EXPECT_EQ(size_partitioned_by_rate(0, 0.1).error().code, errc::invalid_argument);
  EXPECT_EQ(size_partitioned_by_rate(10, 1e-30).error().code, errc::unattainable);
}

TEST(PartitionedBloom, OtherSlicesDoNotMerge) {
  auto f = must(partitioned_bloom::make(partitioned_layout{12, 8}));
  // As many bits, cut otherwise.
  EXPECT_EQ(
      f.merge(must(partitioned_bloom::make(partitioned_layout{8, 12}))).error().code,
      errc::incompatible);
  EXPECT_EQ(f.merge(must(partitioned_bloom::make(partitioned_layout{12, 8}, 0,
                                                 hasher::xxh3(1))))
                .error()
                .code,
            errc::incompatible);
}

}  // namespace
}  // namespace bloomery
