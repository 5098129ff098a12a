// The quotient filter: what it promises beyond the laws.
#include <bloomery/quotient.hpp>

#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "ask.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "quotient_files.hpp"
#include "quotient_oracle.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::multiset;
using testing::must;

multiset listed(const quotient& f) {
  multiset out;
  std::uint64_t least = 0;
  f.for_each([&](std::uint64_t fingerprint, std::uint64_t count) {
    EXPECT_GE(fingerprint, least);
    least = fingerprint + 1;
    out[fingerprint] = count;
  });
  return out;
}

multiset fingerprints(const quotient_layout& l, std::span<const key> ks) {
  multiset out;
  for (const key k : ks) ++out[l.fingerprint(k)];
  return out;
}

// Fingerprints in a filter of this layout, inserted one by one.
quotient inserted(const quotient_layout& l, const multiset& all) {
  auto f = must(quotient::make(l));
  for (const auto& [fingerprint, count] : all)
    for (std::uint64_t n = 0; n < count; ++n) must(f.try_insert(l.key_of(fingerprint)));
  return f;
}

TEST(Quotient, EveryFingerprintHasAKey) {
  for (const quotient_layout l :
       {quotient_layout_of(1, 2), quotient_layout_of(60, 7), quotient_layout_of(1009, 13),
        quotient_layout_of(std::uint64_t{1} << 28, 32)}) {
    testing::random from(l.quotients);
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t f = from.below(l.fingerprints());
      EXPECT_EQ(l.fingerprint(l.key_of(f)), f);
      if (const std::uint64_t h = l.key_of(f).bits(); h != 0) {
        EXPECT_EQ(l.fingerprint(key::from_bits(h - 1)) + 1, f);
      }
    }
  }
}

// At every load, the bytes are those of the multiset, however it came to be.
TEST(Quotient, BytesAreThoseOfTheMultisetAtEveryLoad) {
  for (const std::uint32_t r : {2u, 3u, 7u, 8u, 9u, 17u, 32u}) {
    const quotient_layout l = quotient_layout_of(1000, r);
    const auto ks = testing::keys(r, 980);
    auto f = must(quotient::make(l));
    for (std::size_t n = 0; n < ks.size(); ++n) {
      must(f.try_insert(ks[n]));
      if (n % 49 != 0) continue;
      const auto some = std::span(ks).first(n + 1);
      const multiset all = fingerprints(l, some);
      EXPECT_EQ(testing::to_hex(f.bytes()),
                testing::to_hex(must(testing::quotient_bytes(l, all))));
      EXPECT_EQ(listed(f), all);
      EXPECT_TRUE(f.is_well_formed());
    }
    for (std::size_t n = ks.size(); n-- > 0;) {
      must(f.erase_present(ks[n]));
      if (n % 49 != 0) continue;
      const auto some = std::span(ks).first(n);
      EXPECT_EQ(testing::to_hex(f.bytes()),
                testing::to_hex(must(testing::quotient_bytes(l, fingerprints(l, some)))));
    }
    EXPECT_EQ(f.ones(), 0u);
  }
}

TEST(Quotient, CountsAreExactAndLogarithmic) {
  for (const std::uint32_t r : {2u, 3u, 7u}) {
    const quotient_layout l = quotient_layout_of(50, r);
    auto f = must(quotient::make(l));
    const std::uint64_t mine = l.fingerprints() / 2;
    const key k = l.key_of(mine);
    must(f.try_insert(l.key_of(mine - 1)));
    must(f.try_insert(l.key_of(mine + 1)));
    multiset all{{mine - 1, 1}, {mine + 1, 1}};
    for (std::uint64_t n = 1; n <= 3000; ++n) {
      must(f.try_insert(k));
      all[mine] = n;
      EXPECT_EQ(f.count(k), n);
      if (n < 40 || n % 100 == 0) {
        EXPECT_EQ(testing::to_hex(f.bytes()),
                  testing::to_hex(must(testing::quotient_bytes(l, all))));
      }
    }
    EXPECT_LE(f.census().used_slots, 2 + 3 + (r == 2 ? 12 : 12 / (r - 1) + 1));
    for (std::uint64_t n = 3000; n-- > 0;) {
      must(f.erase_present(k));
      EXPECT_EQ(f.count(k), n);
      EXPECT_EQ(f.may_contain(k), n != 0);
    }
    EXPECT_EQ(f.erase_present(k).error().code, errc::not_present);
    EXPECT_EQ(f.census().copies, 2u);
  }
}

// A digit that equals a remainder is no remainder.
TEST(Quotient, DigitsAreNotFound) {
  const quotient_layout l = quotient_layout_of(10, 4);
  for (std::uint64_t count = 3; count < 200; ++count) {
    const multiset all{{5 * 16 + 3, count}};
    const quotient f =
        testing::quotient_of_bytes(l, must(testing::quotient_bytes(l, all)));
    for (std::uint64_t x = 0; x < l.fingerprints(); ++x)
      EXPECT_EQ(f.may_contain(l.key_of(x)), x == 5 * 16 + 3);
  }
}

// All keys in few quotients: offsets that are saturated, computed again.
TEST(Quotient, OneClusterOfEverything) {
  const quotient_layout l{300, 5, 40};
  multiset all;
  for (std::uint64_t x = 0; x < 60 * 32; ++x)
    if (x % 5 != 0) all[x] = 1 + (x % 11 == 0 ? x % 7 : 0);
  quotient f = inserted(l, all);
  EXPECT_EQ(testing::to_hex(f.bytes()),
            testing::to_hex(must(testing::quotient_bytes(l, all))));
  EXPECT_EQ(f.census().longest_cluster, f.census().used_slots);
  for (std::uint64_t x = 0; x < l.fingerprints(); ++x)
    ASSERT_EQ(f.count(l.key_of(x)), all.contains(x) ? all[x] : 0) << x;
  testing::random from(9);
  while (!all.empty()) {
    const auto at = all.lower_bound(from.below(60 * 32));
    if (at == all.end()) continue;
    must(f.erase_present(l.key_of(at->first)));
    if (--at->second == 0) all.erase(at);
    if (all.size() % 64 == 0) {
      ASSERT_EQ(testing::to_hex(f.bytes()),
                testing::to_hex(must(testing::quotient_bytes(l, all))));
    }
  }
}

TEST(Quotient, AFullFilterRefusesAndChangesNothing) {
  const quotient_layout l{10, 5, 1};
  auto f = must(quotient::make(l));
  multiset all;
  for (std::uint64_t x = 9 * 32;; ++x) {
    const auto before = testing::to_hex(f.bytes());
    const auto done = f.try_insert(l.key_of(x));
    if (!done) {
      EXPECT_EQ(done.error().code, errc::full);
      EXPECT_EQ(testing::to_hex(f.bytes()), before);
      break;
    }
    all[x] = 1;
    ASSERT_LT(x, 10 * 32);
    if (x == 10 * 32 - 1) break;
  }
  // Two slots for the third copy, and only one is left.
  auto g = must(quotient::make({1, 6, 1}));
  for (std::uint64_t x = 0; x < 62; ++x) must(g.try_insert(g.layout().key_of(x)));
  must(g.try_insert(g.layout().key_of(5)));
  const auto before = testing::to_hex(g.bytes());
  EXPECT_EQ(g.try_insert(g.layout().key_of(5)).error().code, errc::full);
  EXPECT_EQ(testing::to_hex(g.bytes()), before);
  EXPECT_EQ(g.count(g.layout().key_of(5)), 2u);
  must(g.try_insert(g.layout().key_of(62)));
  EXPECT_EQ(g.census().used_slots, 64u);
  EXPECT_TRUE(g.is_well_formed());
}

TEST(Quotient, MergeOfEightIsTheFilterOfAll) {
  const quotient_layout l = quotient_layout_of(5000, 6);
  const auto ks = testing::keys(3, 4500);
  const quotient whole = inserted(l, fingerprints(l, ks));
  std::vector<quotient> parts;
  for (std::size_t i = 0; i < 8; ++i) {
    parts.push_back(must(quotient::make(l)));
    for (std::size_t j = i; j < ks.size(); j += 8) must(parts[i].try_insert(ks[j]));
  }
  auto one = must(parts[0].clone());
  for (std::size_t i = 1; i < 8; ++i) must(one.merge(parts[i]));
  EXPECT_EQ(one, whole);
  std::vector<const quotient*> others;
  for (std::size_t i = 1; i < 8; ++i) others.push_back(&parts[i]);
  must(parts[0].merge(others));
  EXPECT_EQ(parts[0], whole);
}

TEST(Quotient, WhatCannotBeMergedIsRefused) {
  auto f = must(quotient::make(quotient_layout_of(100, 7)));
  must(f.try_insert(std::string_view("a")));
  const auto before = testing::to_hex(f.bytes());
  const auto refused = [&](const quotient& other) { return f.merge(other).error().code; };
  EXPECT_EQ(refused(must(quotient::make(quotient_layout_of(101, 7)))),
            errc::incompatible);
  EXPECT_EQ(refused(must(quotient::make(quotient_layout_of(100, 8)))),
            errc::incompatible);
  EXPECT_EQ(refused(must(quotient::make(quotient_layout_of(100, 7), 0, hasher::xxh3(1)))),
            errc::incompatible);
  auto full = must(quotient::make(quotient_layout{100, 7, 20}));
  for (std::uint64_t x = 0; x < 900; ++x)
    must(full.try_insert(full.layout().key_of(128 * 100 - 1 - x)));
  EXPECT_EQ(refused(full), errc::full);
  EXPECT_EQ(testing::to_hex(f.bytes()), before);
  // Doubled in count until there are too many copies.
  for (int i = 0; i < 47; ++i) must(f.merge(must(f.clone())));
  EXPECT_EQ(f.count(std::string_view("a")), std::uint64_t{1} << 47);
  EXPECT_EQ(refused(must(f.clone())), errc::too_many_copies);
  EXPECT_EQ(f.count(std::string_view("a")), std::uint64_t{1} << 47);
}

TEST(Quotient, NoMoreThanTheGreatestCount) {
  const quotient_layout l = quotient_layout_of(20, 5);
  const multiset all{{100, quotient_layout::max_count}, {101, 1}};
  auto f = testing::quotient_of_bytes(l, must(testing::quotient_bytes(l, all)));
  const auto before = testing::to_hex(f.bytes());
  EXPECT_EQ(f.try_insert(l.key_of(100)).error().code, errc::too_many_copies);
  EXPECT_EQ(testing::to_hex(f.bytes()), before);
  must(f.erase_present(l.key_of(100)));
  EXPECT_EQ(f.count(l.key_of(100)), quotient_layout::max_count - 1);
  must(f.try_insert(l.key_of(100)));
  EXPECT_EQ(testing::to_hex(f.bytes()), before);
}

TEST(Quotient, DoublingKeepsEveryAnswer) {
  const auto ks = testing::keys(4, 3000), others = testing::keys(5, 20000);
  auto f = must(quotient::make({.keys = 3000, .fpr = 0.001}));
  for (const key k : ks) must(f.try_insert(k));
  const multiset all = listed(f);
  const auto answers = testing::ask(f, others);
  for (std::uint32_t r = f.remainder_bits(); r > quotient_layout::min_remainder_bits;) {
    const double rate = f.expected_fpr(12345);
    must(f.grow());
    EXPECT_EQ(f.remainder_bits(), --r);
    EXPECT_EQ(listed(f), all);
    EXPECT_EQ(testing::ask(f, others), answers);
    EXPECT_EQ(f.expected_fpr(12345), rate);
    EXPECT_TRUE(f.is_well_formed());
    auto small = must(quotient::make({.keys = 3000, .fpr = 0.001}));
    must(small.merge(f));  // the same fingerprints, in another layout
    EXPECT_EQ(listed(small), all);
  }
  const auto before = testing::to_hex(f.bytes());
  EXPECT_EQ(f.grow().error().code, errc::unattainable);
  EXPECT_EQ(testing::to_hex(f.bytes()), before);
}

TEST(Quotient, BuiltIsWhatInsertsMake) {
  const auto ks = testing::keys(6, 20000);
  std::vector<key> twice(ks);
  twice.insert(twice.end(), ks.begin(), ks.begin() + 500);
  auto one = must(quotient::make({.keys = ks.size()}));
  EXPECT_EQ(one.try_insert(ks), ks.size());
  const auto built = must(quotient::build(twice));
  EXPECT_EQ(built, one);
  EXPECT_EQ(quotient::build(ks, {.keys = 100}).error().code, errc::full);
}

// Any one bit of a payload changed, under right checksums: refused, or a filter.  Lookups
// of what is not checked end, and read no byte beyond.
TEST(Quotient, HostilePayloadsAreRefused) {
  const quotient_layout l{60, 3, 2};
  const multiset all{{3, 1}, {4, 9}, {80, 2}, {81, 3}, {82, 100}, {478, 5}, {479, 1}};
  const auto good = must(testing::quotient_bytes(l, all));
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    auto bytes = good;
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    const auto f = quotient::decode(testing::quotient_container(l, bytes));
    if (!f) {
      ++refused;
      EXPECT_EQ(f.error().code, errc::corrupt);
      continue;
    }
    EXPECT_EQ(testing::to_hex(must(testing::quotient_bytes(l, listed(*f)))),
              testing::to_hex(bytes));
  }
  EXPECT_GT(refused, 8 * good.size() * 8 / 10);
  testing::random from(1);
  for (int i = 0; i < 2000; ++i) {
    auto bytes = good;
    for (std::uint64_t n = 1 + from.below(20); n != 0; --n)
      bytes[from.below(bytes.size())] = static_cast<std::byte>(from.next());
    const auto f = quotient::decode(testing::quotient_container(l, bytes));
    if (f) {
      EXPECT_EQ(testing::to_hex(must(testing::quotient_bytes(l, listed(*f)))),
                testing::to_hex(bytes));
    }
  }
}

TEST(Quotient, SizesAreThoseOfTheIssue) {
  const auto bits_per_key = [](std::uint64_t n) {
    return 8.0 *
           static_cast<double>(must(size_quotient_by_rate(n, 0.01)).size_in_bytes()) /
           static_cast<double>(n);
  };
  EXPECT_LE(bits_per_key(1'000'000), 9.75);
  EXPECT_LE(bits_per_key(100'000'000), 9.75);
  EXPECT_LE(bits_per_key(10'000), 10.6);
  const auto l = must(size_quotient_by_rate(1'000'000, 0.01));
  EXPECT_EQ(l.remainder_bits, 7u);
  EXPECT_GE(1e6 / static_cast<double>(l.quotients), 0.949);
}

TEST(Quotient, ImpossibleSizesAreRefused) {
  const auto code = [](quotient_layout l) { return quotient::make(l).error().code; };
  EXPECT_EQ(code({0, 7, 1}), errc::invalid_argument);
  EXPECT_EQ(code({65, 7, 1}), errc::invalid_argument);
  EXPECT_EQ(code({10, 1, 1}), errc::invalid_argument);
  EXPECT_EQ(code({10, 33, 1}), errc::too_large);
  EXPECT_EQ(code({std::uint64_t{1} << 54, 7, std::uint64_t{1} << 48}), errc::too_large);
  EXPECT_EQ(size_quotient_by_rate(0, 0.1).error().code, errc::invalid_argument);
  EXPECT_EQ(size_quotient_by_rate(10, 1).error().code, errc::invalid_argument);
  EXPECT_EQ(size_quotient_by_rate(10, std::nan("")).error().code, errc::invalid_argument);
  EXPECT_EQ(size_quotient_by_rate(1000, 1e-12).error().code, errc::unattainable);
  EXPECT_EQ(size_quotient_by_rate(std::uint64_t{1} << 60, 0.01).error().code,
            errc::too_large);
  EXPECT_EQ(size_quotient_by_bits(1000, 100).error().code, errc::unattainable);
}

}  // namespace
}  // namespace bloomery
