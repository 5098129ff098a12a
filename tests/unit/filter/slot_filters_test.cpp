// Fuse and xor filters: what is particular to filters that are built once.  tests/law has
// what every filter promises.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/container.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/fuse.hpp>
#include <bloomery/xor_filter.hpp>

#include "ask.hpp"
#include "cases.hpp"
#include "full.hpp"
#include "must.hpp"
#include "sigma.hpp"
#include "slot_filters.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::must;

template <class F>
std::vector<unsigned> arities() {
  if constexpr (std::same_as<F, fuse>)
    return {3, 4};
  else
    return {3};
}

template <class F>
class SlotFilters : public ::testing::Test {
 protected:
  static F built(std::span<const key> ks, slot_request r, unsigned threads = 1) {
    return must(F::build(ks, r, hasher::xxh3(), threads));
  }
  static void expect_all(const F& f, std::span<const key> ks) {
    EXPECT_EQ(testing::count_maybe(testing::ask(f, ks)), ks.size());
  }
  // Builds from n keys, every third time some of them twice, and asks for all.
  void hold_size(std::size_t n, std::uint64_t seed, unsigned arity) {
    auto ks = testing::keys(seed, n);
    if (seed % 3 == 0)
      for (std::size_t i = 0; i < n; i += 7) ks.push_back(ks[i / 2]);
    const F f = built(ks, {8, arity});
    expect_all(f, ks);
    EXPECT_EQ(f.capacity(), n);
    const auto keys = static_cast<double>(n);
    EXPECT_LE(static_cast<double>(f.size_in_bytes()),
              n <= slot_shape::max_small_keys ? 1.05 * keys + 12 : 1.5 * keys + 1)
        << n;
    EXPECT_EQ(f.residue(), 0u) << n;
    testing::count_cases("filters", 1);
  }
  // Shards of so many slots, in the layout that is not dense.
  static slot_shape shards_of(std::uint64_t segments, std::uint32_t shards) {
    if constexpr (std::same_as<F, fuse>)
      return {segments * 64, shards, 8, slot_layout::three, 6};
    else
      return {segments * 48, shards, 8, slot_layout::three, 0};
  }
};
using both = ::testing::Types<fuse, xor_filter>;
TYPED_TEST_SUITE(SlotFilters, both);

TYPED_TEST(SlotFilters, OfNoKeysTakesAByteAndContainsNothing) {
  const auto f = must(TypeParam::build({}));
  EXPECT_EQ(f.size_in_bytes(), 1u);
  EXPECT_EQ(f.estimated_keys(), 0);
  EXPECT_EQ(f.fill(), 0);
  EXPECT_EQ(f.realised_fpr(), 0);
  EXPECT_EQ(testing::count_maybe(testing::ask(f, testing::keys(1, 1000))), 0u);
  const auto again = must(TypeParam::decode(must(f.encode()).bytes()));
  EXPECT_TRUE(again == f);
  EXPECT_EQ(testing::count_maybe(testing::ask(again, testing::keys(1, 1000))), 0u);
}

// At most 1.1 times the least possible, and 16 bytes.
TYPED_TEST(SlotFilters, OfFewKeysAreSmall) {
  for (std::uint64_t n = 0; n <= 1000; ++n)
    for (std::uint32_t width = 1; width <= 32; ++width) {
      slot_shape s;
      if constexpr (std::same_as<TypeParam, fuse>)
        s = must(size_fuse(n, width));
      else
        s = must(size_xor(n, width));
      EXPECT_LE(static_cast<double>(s.bytes(0)),
                1.1 * static_cast<double>(n) * width / 8 + 16)
          << n << " keys, " << width << " bits";
    }
}

TYPED_TEST(SlotFilters, CanBeBuiltOfAnyNumberOfKeys) {
  for (const unsigned arity : arities<TypeParam>()) {
    for (std::size_t n = 0; n <= 20'000; n += n < 40 ? 1 : 1 + n / 6)
      this->hold_size(n, 100 * n + 1, arity);
    this->hold_size(200'000, 1, arity);
  }
  // Sizes at which other builders of this filter fail.
  for (const std::size_t n : {11'200u, 11'480u, 11'504u, 11'521u, 37'300u})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) this->hold_size(n, seed, 3);
}

template <class F>
class SlotFiltersFull : public SlotFilters<F> {};
TYPED_TEST_SUITE(SlotFiltersFull, both);

TYPED_TEST(SlotFiltersFull, CanBeBuiltOfEveryNumberOfKeys) {
  BLOOMERY_FULL_ONLY();
  for (const unsigned arity : arities<TypeParam>()) {
    for (std::size_t n = 0; n <= 20'000; ++n)
      for (std::uint64_t seed = 1; seed <= 3; ++seed)
        this->hold_size(n, 100 * n + seed, arity);
    testing::random from(7);
    for (std::uint64_t i = 0; i < 300; ++i)
      this->hold_size(from.below(1'000'000), 1000 + i, arity);
  }
}

TYPED_TEST(SlotFilters, BytesDependOnTheSetOnly) {
  for (const std::size_t n : {3u, 700u, 3000u, 70'000u}) {
    auto ks = testing::keys(n, n);
    const auto f = this->built(ks, {9});
    std::ranges::reverse(ks);
    EXPECT_TRUE(this->built(ks, {9}) == f) << n;
    std::ranges::sort(ks, {}, &key::bits);
    EXPECT_TRUE(this->built(ks, {9}) == f) << n;
    EXPECT_TRUE(
        must(TypeParam::build(sorted_keys(ks), slot_request{9}, hasher::xxh3())) == f)
        << n;
    auto twice = ks;
    twice.insert(twice.end(), ks.begin(), ks.end());
    twice.push_back(ks[0]);
    EXPECT_TRUE(this->built(twice, {9}) == f) << n;
    ks.push_back(ks[n / 2]);
    std::swap(ks[0], ks[1]);
    EXPECT_TRUE(this->built(ks, {9}) == f) << n;
    EXPECT_EQ(this->built(ks, {9}).capacity(), n);
  }
}

// A source that delivers a few keys at a time from elsewhere.
struct key_parts {
  std::span<const key> rest;
  std::vector<key> last;
  static result<std::span<const key>> take(void* context, std::uint64_t end) noexcept {
    key_parts& self = *static_cast<key_parts*>(context);
    std::size_t n = 0;
    while (n < self.rest.size() && (end == 0 || self.rest[n].bits() < end)) ++n;
    self.last.assign(self.rest.begin(), self.rest.begin() + std::ptrdiff_t(n));
    self.rest = self.rest.subspan(n);
    return std::span<const key>(self.last);
  }
};

TYPED_TEST(SlotFilters, BytesDoNotDependOnThreadsOrParts) {
  const slot_shape shape = this->shards_of(20, 23);
  const auto size = [&](std::uint64_t) noexcept -> result<slot_shape> { return shape; };
  auto ks = testing::keys(8, 23 * 800);
  const auto one = testing::filter_of_shape<TypeParam>(shape, ks);
  this->expect_all(one, ks);
  for (const unsigned threads : {2u, 4u, 7u, 100u})
    EXPECT_TRUE(testing::filter_of_shape<TypeParam>(shape, ks, hasher::xxh3(), threads) ==
                one)
        << threads;
  std::ranges::sort(ks, {}, &key::bits);
  using rule = typename TypeParam::rule;
  for (const unsigned threads : {1u, 2u, 4u, 7u}) {
    key_parts from{ks, {}};
    const auto made = must(build_slots<rule>(
        sorted_keys(ks.size(), &from, &key_parts::take), size, threads));
    EXPECT_TRUE(std::ranges::equal(made.store.bytes(), one.bytes())) << threads;
    EXPECT_EQ(made.residue, one.residue());
    EXPECT_TRUE(testing::filter_of_shape<TypeParam>(shape, ks, hasher::xxh3(), threads) ==
                one)
        << threads;
  }
}

TYPED_TEST(SlotFiltersFull, BytesOfLargeOnesDoNotDependOnThreads) {
  BLOOMERY_FULL_ONLY();
  auto ks = testing::keys(8, 10'000'000);
  const auto one = this->built(ks, {8});
  EXPECT_GE(one.shape().shards, 3u);
  this->expect_all(one, ks);
  for (const unsigned threads : {2u, 4u, 7u})
    EXPECT_TRUE(this->built(ks, {8}, threads) == one) << threads;
  std::ranges::sort(ks, {}, &key::bits);
  key_parts from{ks, {}};
  EXPECT_TRUE(must(TypeParam::build(sorted_keys(ks.size(), &from, &key_parts::take),
                                    slot_request{8}, hasher::xxh3(), 2)) == one);
}

TYPED_TEST(SlotFilters, ASourceThatLiesAboutItsKeysIsRefused) {
  const auto ks = [] {
    auto all = testing::keys(3, 5000);
    std::ranges::sort(all, {}, &key::bits);
    return all;
  }();
  for (const std::uint64_t said : {4999u, 5001u, 0u, 10u}) {
    key_parts from{ks, {}};
    EXPECT_EQ(
        TypeParam::build(sorted_keys(said, &from, &key_parts::take), {}).error().code,
        errc::invalid_argument)
        << said;
  }
}

// Hashes that are not uniform: correct in bounded time, if not small.
TYPED_TEST(SlotFilters, AdversarialHashes) {
  const auto hold = [&](const slot_shape& shape,
                        const std::vector<key>& ks) -> std::uint64_t {
    const auto f = testing::filter_of_shape<TypeParam>(shape, ks);
    this->expect_all(f, ks);
    EXPECT_TRUE(std::ranges::all_of(ks, [&](key k) { return f.may_contain(k); }));
    EXPECT_TRUE(must(TypeParam::decode(must(f.encode()).bytes())) == f);
    testing::count_cases("filters", 1);
    return f.residue();
  };
  std::vector<key> small;
  for (std::uint64_t i = 0; i < 5000; ++i) small.push_back(key::from_bits(i));
  // All in the first of many shards: most of them go to the residue.
  EXPECT_GE(hold(this->shards_of(10, 8), small), 4000u);
  // More in one slot than can be counted: all of them.
  EXPECT_EQ(hold(this->shards_of(3, 1), testing::keys(1, 100'000)), 100'000u);
  // Somewhat too many: some of them.
  const auto few = hold(this->shards_of(15, 1), testing::keys(1, 1000));
  EXPECT_GE(few, 1u);
  EXPECT_LE(few, 500u);
  // The equations of more keys than slots contradict each other.
  EXPECT_GE(hold({10, 1, 32, slot_layout::dense, 0}, testing::keys(1, 40)), 30u);
  EXPECT_EQ(hold({0, 1, 8, slot_layout::dense, 0}, testing::keys(1, 40)), 40u);
  // Keys that differ in few bits, wherever these are: no hash is uniform then.
  for (int shift = 0; shift <= 50; shift += 5) {
    std::vector<key> ks;
    for (std::uint64_t i = 0; i < 10'000; ++i) ks.push_back(key::from_bits(i << shift));
    const auto f = this->built(ks, {8});
    this->expect_all(f, ks);
  }
}

TYPED_TEST(SlotFilters, EveryWidthHasItsRate) {
  const auto ks = testing::keys(1, 20'000), others = testing::keys(2, 200'000);
  for (const unsigned arity : arities<TypeParam>())
    for (std::uint32_t width = 1; width <= 32; width += width < 10 ? 1 : 3) {
      const auto f = this->built(ks, {width, arity});
      this->expect_all(f, ks);
      EXPECT_TRUE(testing::within_5_sigma(testing::count_maybe(testing::ask(f, others)),
                                          others.size(), f.realised_fpr()))
          << width;
      EXPECT_NEAR(f.estimated_keys(), 20'000,
                  5 * std::sqrt(20'000 * std::exp2(-width)) + 1);
    }
}

TYPED_TEST(SlotFilters, WhatIsRefused) {
  const auto ks = testing::keys(1, 100);
  const auto code = [&](typename TypeParam::params p) {
    return TypeParam::build(ks, p).error().code;
  };
  EXPECT_EQ(code({.fpr = 0}), errc::invalid_argument);
  EXPECT_EQ(code({.fpr = 1}), errc::invalid_argument);
  EXPECT_EQ(code({.fpr = std::numeric_limits<double>::quiet_NaN()}),
            errc::invalid_argument);
  EXPECT_EQ(code({.fpr = 1e-10}), errc::unattainable);
  EXPECT_EQ(code({.keys = 99}), errc::full);
  EXPECT_TRUE(TypeParam::build(ks, {.keys = 100}));
  EXPECT_TRUE(TypeParam::build(ks, {.fpr = 0x1p-32}));
  for (const std::uint32_t width : {0u, 33u})
    EXPECT_EQ(TypeParam::build(ks, slot_request{width}, hasher::xxh3()).error().code,
              errc::invalid_argument);
  EXPECT_EQ(TypeParam::build(ks, slot_request{8, 5}, hasher::xxh3()).error().code,
            errc::unsupported);
}

// A byte in each part of the file: no key is denied, and the rate tells.
TYPED_TEST(SlotFilters, DamagedChunksAnswerPerhaps) {
  const auto ks = testing::keys(1, 20'000), others = testing::keys(2, 50'000);
  auto more = testing::keys(3, 1000);
  std::ranges::sort(more, {}, &key::bits);
  const auto plain = testing::filter_of_shape<TypeParam>(this->shards_of(160, 3), ks);
  const auto f = testing::with_residue(plain, more);
  const auto image = must(f.encode());
  const std::size_t at = 128;
  const auto hold = [&](std::initializer_list<std::uint64_t> bytes) {
    std::vector<std::byte> damaged(image.bytes().begin(), image.bytes().end());
    for (const std::uint64_t b : bytes) damaged[at + b] ^= std::byte{1};
    const auto read = must(TypeParam::decode(damaged));
    EXPECT_FALSE(read.damage().empty());
    this->expect_all(read, ks);
    this->expect_all(read, more);
    const auto answers = testing::ask(read, others);
    const auto hits = testing::count_maybe(answers);
    EXPECT_NEAR(static_cast<double>(hits) / static_cast<double>(others.size()),
                read.realised_fpr(), 0.02);
    EXPECT_EQ(read.clone().error().code, errc::corrupt);
    EXPECT_FALSE(read == f);
    for (std::size_t i = 0; i < 200; ++i)
      EXPECT_EQ(read.may_contain(others[i]), answers[i]);
    return read.realised_fpr();
  };
  const std::uint64_t rounds = f.shape().rounds_at(), residue = f.shape().residue_at();
  EXPECT_GT(hold({0}), 0.1);
  EXPECT_GT(hold({8192}), 0.1);
  EXPECT_GT(hold({0, 8192, 20'000}), 0.3);
  EXPECT_EQ(hold({residue + 7999}), 1);
  EXPECT_GT(hold({rounds}), 0.9);
  EXPECT_TRUE(must(f.clone()) == f);
}

TEST(SlotSizing, BitsPerKey) {
  const auto bits = [](const result<slot_shape>& s, double keys) {
    return 8 * static_cast<double>(must(s).bytes(0)) / keys;
  };
  EXPECT_LE(bits(size_fuse(1'000'000, 8), 1e6), 9.05);
  EXPECT_LE(bits(size_fuse(1'000'000, 8, slot_layout::four), 1e6), 8.65);
  for (const std::uint64_t n :
       {2'000'000u, 3'100'000u, 3'200'000u, 10'000'000u, 100'000'000u, 1'000'000'000u}) {
    const auto keys = static_cast<double>(n);
    EXPECT_LE(bits(size_fuse(n, 8), keys), 9.05) << n;
    EXPECT_LE(bits(size_fuse(n, 8, slot_layout::four), keys), 8.65) << n;
    EXPECT_LE(bits(size_xor(n, 8), keys), 9.95) << n;
  }
  // No size is much larger than the next.
  for (const slot_layout layout : {slot_layout::three, slot_layout::four}) {
    double last = 0;
    for (std::uint64_t n = 1025; n < 6'000'000; n += 1 + n / 1000) {
      const double now = static_cast<double>(must(size_fuse(n, 8, layout)).slots());
      EXPECT_GT(now, 0.95 * last) << n;
      EXPECT_LE(now, 1.5 * static_cast<double>(n)) << n;
      last = now;
    }
  }
  EXPECT_EQ(size_fuse(std::uint64_t{1} << 46, 8).error().code, errc::too_large);
  EXPECT_EQ(size_xor(std::numeric_limits<std::uint64_t>::max(), 1).error().code,
            errc::too_large);
}

}  // namespace
}  // namespace bloomery
