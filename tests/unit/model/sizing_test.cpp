#include <bloomery/detail/sizing.hpp>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <bloomery/detail/kind/block/sizing.hpp>
#include <bloomery/detail/kind/bloom/sizing.hpp>
#include <bloomery/detail/kind/partitioned/sizing.hpp>
#include <bloomery/detail/kind/portable/probe.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/model.hpp>

#include "model/saturated.hpp"
#include "must.hpp"
#include "not_finite.hpp"

namespace bloomery {
namespace {

using testing::infinite;
using testing::must;
using testing::nan;

TEST(Sizing, ByRateGivesThePublishedLayouts) {
  struct row {
    std::uint64_t keys;
    double fpr;
    bloom_layout layout;
  };
  constexpr row rows[] = {
      {1, 0.01, {10, 7}},
      {4, 0.05, {25, 4}},
      {10, 0.01, {96, 7}},
      {100, 1e-4, {1918, 13}},
      {1000, 0.01, {9586, 7}},
      {1000, 0.001, {14378, 10}},
      {1000, 1e-4, {19171, 13}},
      {1000, 1e-6, {28756, 20}},
      {1000, 1e-9, {43133, 30}},
      {10'000, 1e-6, {287552, 20}},
      {1'000'000, 0.01, {9585059, 7}},
  };
  for (const row& r : rows)
    EXPECT_EQ(must(size_by_rate(r.keys, r.fpr)), r.layout) << r.keys << " " << r.fpr;
}

TEST(Sizing, ByRateStaysInRangeAtTheEdgesOfARate) {
  // Almost 1: one bit, one hash.  Almost 0: the 30 hashes of the format.
  EXPECT_EQ(must(size_by_rate(1, std::nextafter(1.0, 0.0))), (bloom_layout{1, 1}));
  EXPECT_EQ(must(size_by_rate(1000, 0.9999)), (bloom_layout{1, 1}));
  EXPECT_EQ(must(size_by_rate(1, 1e-30)).hashes, 30u);
  EXPECT_EQ(must(size_by_rate(1, std::numeric_limits<double>::denorm_min())).hashes, 30u);
}

TEST(Sizing, GrowsWithKeysAndShrinksWithTheRate) {
  std::uint64_t last = 0;
  for (std::uint64_t n = 1; n < std::uint64_t{1} << 50; n *= 3) {
    const bloom_layout l = must(size_by_rate(n, 0.01));
    EXPECT_GT(l.bits, last);
    EXPECT_EQ(l.hashes, 7u);
    last = l.bits;
  }
  for (double p = 0.5; p > 1e-12; p /= 2)
    EXPECT_LT(must(size_by_rate(1000, p)).bits, must(size_by_rate(1000, p / 2)).bits);
}

TEST(Sizing, ByBitsPerKeyAndByMemory) {
  EXPECT_EQ(must(size_by_bits_per_key(1000, 10)), (bloom_layout{10'000, 7}));
  EXPECT_EQ(must(size_by_bits_per_key(3, 9.6)), (bloom_layout{29, 7}));
  EXPECT_EQ(must(size_by_bits_per_key(1000, 0.0001)), (bloom_layout{1, 1}));
  EXPECT_EQ(must(size_by_bits_per_key(1, 1000)), (bloom_layout{1000, 30}));
  EXPECT_EQ(must(size_by_memory(1000, 1250)), (bloom_layout{10'000, 7}));
  EXPECT_EQ(must(size_by_memory(1'000'000, 1)), (bloom_layout{8, 1}));
  EXPECT_EQ(must(size_by_memory(1, std::uint64_t{1} << 60)),
            (bloom_layout{portable_probe::max_bits, 30}));
}

template <class T>
void expect_refused(const result<T>& r, errc code) {
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().code, code) << r.error().what;
}

TEST(Sizing, RefusesWhatIsNoRequest) {
  for (const double fpr : {0.0, -0.0, 1.0, -1.0, 1.5, nan, infinite, -infinite}) {
    SCOPED_TRACE(fpr);
    expect_refused(size_by_rate(1000, fpr), errc::invalid_argument);
  }
  for (const double bits : {0.0, -1.0, nan, -infinite}) {
    SCOPED_TRACE(bits);
    expect_refused(size_by_bits_per_key(1000, bits), errc::invalid_argument);
  }
  expect_refused(size_by_rate(0, 0.01), errc::invalid_argument);
  expect_refused(size_by_bits_per_key(0, 10), errc::invalid_argument);
  expect_refused(size_by_memory(0, 100), errc::invalid_argument);
  expect_refused(size_by_memory(1000, 0), errc::invalid_argument);
}

TEST(Sizing, RefusesMoreBitsThanTheFormatAddresses) {
  constexpr std::uint64_t two60 = std::uint64_t{1} << 60;
  expect_refused(size_by_rate(two60, 0.01), errc::too_large);
  expect_refused(size_by_rate(~std::uint64_t{0}, 0.5), errc::too_large);
  expect_refused(size_by_bits_per_key(two60, 8.01), errc::too_large);
  expect_refused(size_by_bits_per_key(1, infinite), errc::too_large);
  expect_refused(size_by_memory(1, two60 + 4096), errc::too_large);
  expect_refused(size_by_memory(1, ~std::uint64_t{0}), errc::too_large);
  EXPECT_TRUE(size_by_rate(two60, 0.05));  // 6.2 bits a key: just inside
  const auto r = size_by_rate(two60, 0.01);
  EXPECT_GT(r.error().asked, r.error().possible);
  EXPECT_EQ(r.error().possible, 0x1p63);
}

// Conversions that the language leaves open; under -fsanitize=float-cast-overflow (preset
// asan) one of them would end this program.
TEST(Sizing, TakesRealNumbersAsWholeOnes) {
  using model::saturated;
  EXPECT_EQ(saturated<std::uint64_t>(0.99), 0u);
  EXPECT_EQ(saturated<std::uint64_t>(41.99), 41u);
  EXPECT_EQ(saturated<std::uint32_t>(0x1p32), ~std::uint32_t{0});
  EXPECT_EQ(saturated<std::uint32_t>(0x1p32 - 1), ~std::uint32_t{0});
  EXPECT_EQ(saturated<std::uint64_t>(std::nextafter(0x1p64, 0)), 0xfffffffffffff800);
  EXPECT_EQ(saturated<std::uint64_t>(0x1p64), ~std::uint64_t{0});
  for (const double none : {-1.0, -1e300, -0.0, std::nan(""), -HUGE_VAL})
    EXPECT_EQ(saturated<std::uint64_t>(none), 0u) << none;
  EXPECT_EQ(saturated<std::uint64_t>(HUGE_VAL), ~std::uint64_t{0});
}

// Every request that sizing can be given, however odd, has a size or an error.
TEST(Sizing, OfOddRequestsIsDefined) {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  for (const std::uint64_t keys : {std::uint64_t{0}, std::uint64_t{1},
                                   std::uint64_t{1000}, std::uint64_t{1} << 40, most})
    for (const double x : {0.0, 5e-324, 1e-300, 1e-30, 1e-12, 0.01, 0.5, 1 - 1e-16, 1.0,
                           7.0, 1e30, 1e308, -1.0, HUGE_VAL, std::nan("")}) {
      SCOPED_TRACE(::testing::Message() << keys << " " << x);
      if (const auto l = size_bloom_by_rate(keys, x); l) {
        EXPECT_LE(model::bloom_fpr(static_cast<double>(l->bits), l->hashes,
                                   static_cast<double>(keys)),
                  x);
      }
      (void)size_by_rate(keys, x);
      (void)size_by_bits_per_key(keys, x);
      (void)size_partitioned_by_rate(keys, x);
      (void)size_blocks_by_rate(keys, x);
      size_request by_rate, by_bits;
      by_rate.fpr = by_bits.bits_per_key = x;
      for (const kind_info& kind : kinds())
        for (const size_request* r : {&by_rate, &by_bits})
          if (const auto size = kind.layout(keys, *r); size) {
            EXPECT_LE(static_cast<double>(size->bytes), kind.max_bytes);
          }
    }
}

}  // namespace
}  // namespace bloomery
