// How many keys a cuckoo filter holds: sizing, building, and keys that are refused.
#include <bloomery/cuckoo.hpp>

#include <cstddef>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/any_filter.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/model.hpp>

#include "ask.hpp"
#include "cases.hpp"
#include "full.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::keys;
using testing::must;

TEST(Cuckoo, ABuiltFilterIsThatOfTheSetOfItsKeys) {
  auto ks = keys(3, 3000);
  const auto want = must(cuckoo::build(ks));
  EXPECT_EQ(want.capacity(), 3000u);
  EXPECT_EQ(want.occupied(), 3000u);
  std::ranges::reverse(ks);
  ks.insert(ks.end(), ks.begin(), ks.begin() + 1500);
  EXPECT_EQ(must(cuckoo::build(ks)), want);
  EXPECT_EQ(cuckoo::build(ks, {.keys = 2999}).error().code, errc::full);
  EXPECT_EQ(must(cuckoo::build({})).occupied(), 0u);
  // Many more keys with short tags than fit: it grows until they do.
  EXPECT_EQ(must(cuckoo::build(keys(4, 200'000), {.fpr = 0.1})).occupied(), 200'000u);
}

// Multiples of a number whose product with the multiplier of the tags is small: equal in
// their highest bits, and in those of their products, in filters of any size.
std::vector<key> alike_keys(std::size_t n) {
  std::uint64_t step = 1;
  for (std::uint64_t i = 1; i < 1u << 20; ++i)
    if (i * 0x9e3779b97f4a7c15U < step * 0x9e3779b97f4a7c15U) step = i;
  std::vector<key> all;
  for (std::uint64_t i = 1; i <= n; ++i)
    all.push_back(key::from_bits((std::uint64_t{1} << 50) + i * step));
  return all;
}

// Whatever the size, nine of them do not fit: that is found out in twice the size.
TEST(Cuckoo, KeysThatWereChosenToShareBucketsTakeNoMemory) {
  const auto ks = alike_keys(9);
  for (const std::uint64_t buckets : {100u, 10'000u, 1'000'000u})
    EXPECT_EQ(must(cuckoo::make(cuckoo_layout{buckets, 12})).try_insert(ks), 8u);
  EXPECT_EQ(must(cuckoo::build(std::span(ks).first(8))).occupied(), 8u);
  EXPECT_EQ(cuckoo::build(ks).error().code, errc::full);
  const auto& row = *find_kind(container_kind::cuckoo);
  EXPECT_EQ(row.build(ks, 9, {}, hasher::xxh3(), 1).error().code, errc::full);
  size_request small;
  small.memory = 72;  // tags of 12 bits
  EXPECT_EQ(row.build(ks, 9, small, hasher::xxh3(), 1).error().code, errc::full);
  // Among many others, too.
  auto more = keys(8, 20'000);
  more.insert(more.end(), ks.begin(), ks.end());
  EXPECT_EQ(cuckoo::build(more).error().code, errc::full);
}

TEST(Cuckoo, SizesHoldTheirKeysAtTheRate) {
  for (const std::uint64_t n : {1u, 8u, 9u, 100u, 1000u, 5000u, 10'000u, 1'000'000u})
    for (const double p : {0.9, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6, 1e-8}) {
      SCOPED_TRACE(::testing::Message() << "n=" << n << " p=" << p);
      const auto l = must(size_cuckoo_by_rate(n, p));
      EXPECT_LE(model::cuckoo_fpr(static_cast<double>(l.buckets), l.tag_bits,
                                  static_cast<double>(n)),
                p);
      EXPECT_GE(cuckoo_capacity(l.buckets), n);
      const auto same = must(size_cuckoo_by_bits(n, l.bits()));
      EXPECT_LE(same.bits(), l.bits());
      EXPECT_GE(same.tag_bits, l.tag_bits);
      EXPECT_GE(cuckoo_capacity(same.buckets), n);
    }
  for (std::uint64_t buckets = 2; buckets < 6000; buckets += 2) {
    const std::uint64_t n = cuckoo_capacity(buckets);
    EXPECT_LE(cuckoo_buckets_for(static_cast<double>(n)), static_cast<double>(buckets));
    EXPECT_GT(cuckoo_buckets_for(static_cast<double>(n + 1)),
              static_cast<double>(buckets));
  }
  // What users are promised for a million keys.
  const auto bits = [](double p) {
    return static_cast<double>(must(size_cuckoo_by_rate(1'000'000, p)).bits()) / 1e6;
  };
  EXPECT_LE(bits(0.031), 8.6);
  EXPECT_LE(bits(0.002), 12.8);
  EXPECT_LE(bits(0.00013), 17.1);
}

TEST(Cuckoo, RefusesWhatItCannotBe) {
  const auto code = [](std::uint64_t buckets, std::uint32_t f) {
    return cuckoo::make(cuckoo_layout{buckets, f}).error().code;
  };
  EXPECT_EQ(code(0, 12), errc::invalid_argument);
  EXPECT_EQ(code(3, 12), errc::invalid_argument);
  EXPECT_EQ(code(4, 5), errc::invalid_argument);
  EXPECT_EQ(code(4, 33), errc::too_large);
  EXPECT_EQ(code(cuckoo_probe::max_buckets(12) + 2, 12), errc::too_large);
  EXPECT_EQ(code(~std::uint64_t{1}, 32), errc::too_large);
  EXPECT_EQ(cuckoo::make({.keys = 0}).error().code, errc::invalid_argument);
  EXPECT_EQ(cuckoo::make({.keys = 10, .fpr = 1}).error().code, errc::invalid_argument);
  EXPECT_EQ(cuckoo::make({.keys = 1000, .fpr = 1e-12}).error().code, errc::unattainable);
  EXPECT_EQ(cuckoo::make({.keys = std::uint64_t{1} << 60}).error().code, errc::too_large);
  EXPECT_EQ(size_cuckoo_by_bits(1000, 100).error().code, errc::unattainable);
  EXPECT_EQ(size_cuckoo_by_bits(1000, ~std::uint64_t{0}).error().code, errc::too_large);
}

void hold_at_capacity(std::uint64_t n, std::uint32_t tag_bits, std::uint64_t seed) {
  const auto buckets =
      static_cast<std::uint64_t>(cuckoo_buckets_for(static_cast<double>(n)));
  auto f = must(cuckoo::make(cuckoo_layout{buckets, tag_bits}, n));
  ASSERT_EQ(f.try_insert(keys(seed, n)), n) << "seed " << seed;
  testing::count_cases("filters", 1);
}

TEST(Cuckoo, HoldsTheKeysItIsSizedFor) {
  for (std::uint64_t n = 1; n <= 1000; ++n) hold_at_capacity(n, 12, 7 * n);
  for (std::uint64_t i = 0; i < 3; ++i) hold_at_capacity(1'000'000, 12, i);
  for (const std::uint32_t f : {8u, 10u, 16u}) hold_at_capacity(300'000, f, f);
}

void refuse_many(std::uint64_t buckets, std::size_t refusals) {
  auto f = must(cuckoo::make(cuckoo_layout{buckets, 12}));
  std::vector<key> in;
  testing::random from(buckets);
  std::vector<std::byte> before;
  for (std::size_t refused = 0, row = 0; refused < refusals;) {
    const key k = key::from_bits(from.next());
    // Only a filter that is full is compared: every insert that succeeds changes it.
    if (row >= 20) before.assign(f.bytes().begin(), f.bytes().end());
    if (f.try_insert(k)) {
      in.push_back(k);
      row = 0;
      continue;
    }
    if (row++ < 20) continue;
    ASSERT_TRUE(std::ranges::equal(f.bytes(), before)) << refused;
    ++refused;
  }
  EXPECT_EQ(testing::count_maybe(testing::ask(f, in)), in.size());
  EXPECT_EQ(f.occupied(), in.size());
  testing::count_cases("refusals", refusals);
}

TEST(Cuckoo, ARefusedInsertLeavesEveryByte) {
  for (const std::uint64_t buckets : {2u, 8u, 100u, 1000u}) refuse_many(buckets, 500);
}

TEST(CuckooFull, AThousandBuildsAndEverySize) {
  BLOOMERY_FULL_ONLY();
  for (std::uint64_t n = 1; n <= 5000; ++n) hold_at_capacity(n, 12, 11 * n);
  for (std::uint64_t i = 0; i < 1000; ++i) hold_at_capacity(1'000'000, 12, 1000 + i);
}
TEST(CuckooFull, AHundredThousandRefusals) {
  BLOOMERY_FULL_ONLY();
  refuse_many(1000, 100'000);
}

}  // namespace
}  // namespace bloomery
