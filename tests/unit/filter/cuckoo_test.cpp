// The cuckoo filter against its specification (spec/filters.md, section 7) and model.
#include <bloomery/cuckoo.hpp>

#include <cmath>
#include <cstddef>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/container.hpp>

#include "ask.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::keys;
using testing::must;

__extension__ using u128 = unsigned __int128;

// As the page words it.
struct worded {
  std::uint64_t buckets;
  std::uint32_t f;

  static std::uint64_t mulhi(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(static_cast<u128>(a) * b >> 64);
  }
  std::uint64_t tags() const { return (std::uint64_t{1} << f) - 1; }
  std::uint64_t tag(key k) const {
    return 1 + mulhi(k.bits() * 0x9e3779b97f4a7c15U, tags());
  }
  std::uint64_t other(std::uint64_t i, std::uint64_t tag) const {
    std::uint64_t x = tag * 0xf1357aea2e62a9c5U;
    x = (x ^ (x >> 32)) * 0x9e3779b97f4a7c15U;
    return (2 * mulhi(x, buckets / 2) + 1 + buckets - i) % buckets;
  }
  std::uint64_t slot(std::span<const std::byte> bytes, std::uint64_t bucket,
                     unsigned s) const {
    std::uint64_t tag = 0;
    for (std::uint32_t b = 0; b < f; ++b) {
      const std::uint64_t at = 4 * f * bucket + f * s + b;
      tag |= (static_cast<std::uint64_t>(bytes[at / 8]) >> (at % 8) & 1) << b;
    }
    return tag;
  }
  unsigned count(std::span<const std::byte> bytes, std::uint64_t i,
                 std::uint64_t tag) const {
    unsigned n = 0;
    for (unsigned s = 0; s < 4; ++s) n += slot(bytes, i, s) == tag;
    return n;
  }
};

TEST(Cuckoo, TheExamplesOfTheSpecification) {
  auto f = must(cuckoo::make(cuckoo_layout{6, 12}));
  must(f.try_insert("k0"));
  EXPECT_EQ(testing::to_hex(f.bytes()),
            std::string(48, '0') + "2f" + std::string(22, '0'));
  auto g = must(cuckoo::make(cuckoo_layout{6, 9}));
  must(g.try_insert("k0"));
  EXPECT_EQ(testing::to_hex(g.bytes()),
            std::string(36, '0') + "06" + std::string(16, '0'));
}

TEST(Cuckoo, HoldsTheTagsOfTheSpecification) {
  for (std::uint32_t f = 6; f <= 32; ++f)
    for (const std::uint64_t buckets : {2u, 4u, 34u, 1000u}) {
      SCOPED_TRACE(::testing::Message() << "B=" << buckets << " f=" << f);
      auto filter = must(cuckoo::make(cuckoo_layout{buckets, f}));
      auto in = keys(f, 4 * buckets + 20);
      in.resize(filter.try_insert(in));
      EXPECT_GE(in.size(), 2 * buckets);
      const worded w{buckets, f};
      std::multiset<std::pair<std::uint64_t, std::uint64_t>> want, found;
      for (const key k : in) {
        const std::uint64_t i = worded::mulhi(k.bits(), buckets), tag = w.tag(k);
        want.emplace(std::min(i, w.other(i, tag)), tag);
      }
      for (std::uint64_t i = 0; i < buckets; ++i)
        for (unsigned s = 0; s < 4; ++s)
          if (const std::uint64_t tag = w.slot(filter.bytes(), i, s); tag != 0)
            found.emplace(std::min(i, w.other(i, tag)), tag);
      EXPECT_EQ(found, want);
      EXPECT_EQ(filter.occupied(), in.size());
      for (const key k : keys(f + 100, 500)) {
        const std::uint64_t i = worded::mulhi(k.bits(), buckets), tag = w.tag(k);
        const unsigned n = w.count(filter.bytes(), i, tag) +
                           w.count(filter.bytes(), w.other(i, tag), tag);
        EXPECT_EQ(filter.count(k), n);
        EXPECT_EQ(filter.may_contain(k), n != 0);
      }
    }
}

// Over every bucket and tag that a key can have.
TEST(Cuckoo, TheRealisedRateIsExact) {
  for (const std::uint32_t f : {6u, 7u, 8u, 9u})
    for (const std::uint64_t buckets : {2u, 6u, 50u, 128u}) {
      const worded w{buckets, f};
      auto filter = must(cuckoo::make(cuckoo_layout{buckets, f}));
      for (std::uint64_t round = 0; round < 4; ++round) {
        std::uint64_t found = 0;
        for (std::uint64_t i = 0; i < buckets; ++i)
          for (std::uint64_t tag = 1; tag <= w.tags(); ++tag)
            found += w.count(filter.bytes(), i, tag) != 0 ||
                     w.count(filter.bytes(), w.other(i, tag), tag) != 0;
        EXPECT_DOUBLE_EQ(
            filter.realised_fpr(),
            static_cast<double>(found) / static_cast<double>(buckets * w.tags()));
        filter.try_insert(keys(round, buckets + 3));
      }
    }
}

TEST(Cuckoo, TheExpectedRateIsTheMeanOverFilters) {
  const cuckoo_layout l{30, 7};
  constexpr std::size_t n = 80, filters = 5000;
  double sum = 0;
  auto f = must(cuckoo::make(l));
  for (std::size_t i = 0; i < filters; ++i) {
    f.clear();
    ASSERT_EQ(f.try_insert(keys(1000 + i, n)), n);
    sum += f.realised_fpr();
  }
  EXPECT_NEAR(sum / filters / f.expected_fpr(n), 1, 0.002);
}

TEST(Cuckoo, HoldsEightCopiesOfAKey) {
  for (const std::uint32_t f : {6u, 12u, 19u, 32u}) {
    auto filter = must(cuckoo::make(cuckoo_layout{100, f}));
    ASSERT_EQ(filter.try_insert(keys(1, 50)), 50u);
    const key k = keys(2, 1)[0];
    for (unsigned copies = 1; copies <= 8; ++copies) {
      must(filter.try_insert(k));
      EXPECT_EQ(filter.count(k), copies);
    }
    const std::vector<std::byte> before(filter.bytes().begin(), filter.bytes().end());
    const auto ninth = filter.try_insert(k);
    ASSERT_FALSE(ninth);
    EXPECT_EQ(ninth.error().code, errc::too_many_copies);
    EXPECT_TRUE(std::ranges::equal(filter.bytes(), before));
    for (unsigned copies = 8; copies >= 1; --copies) {
      EXPECT_EQ(filter.count(k), copies);
      must(filter.erase_present(k));
    }
    EXPECT_EQ(filter.erase_present(k).error().code, errc::not_present);
    EXPECT_EQ(testing::count_maybe(testing::ask(filter, keys(1, 50))), 50u);
  }
}

TEST(Cuckoo, ReceiptsTellFiltersOfOneLayoutApart) {
  auto a = must(cuckoo::make({.keys = 100, .identity = 1}));
  auto b = must(cuckoo::make({.keys = 100, .identity = 2}));
  auto r = must(a.try_insert_with_receipt("alice"));
  must(b.try_insert("alice"));
  EXPECT_EQ(b.erase(std::move(r)).error().code, errc::incompatible);
  const auto copy = must(cuckoo::decode(must(a.encode()).bytes()));
  EXPECT_EQ(copy.identity(), 1u);
  EXPECT_EQ(copy, a);
  must(a.erase(std::move(r)));
}

// A filter of several chunks, one of them damaged.
TEST(Cuckoo, DamagedBytesAnswerPossiblyPresentAndAreNotChanged) {
  auto whole = must(cuckoo::make(cuckoo_layout{4000, 13}));
  const auto in = keys(5, 12'000), out = keys(6, 4000);
  ASSERT_EQ(whole.try_insert(in), in.size());
  const auto file = must(whole.encode());
  std::vector<std::byte> bytes(file.bytes().begin(), file.bytes().end());
  const auto facts = must(inspect(bytes, bytes.size()));
  bytes[static_cast<std::size_t>(facts.payload_at) + 5000] ^= std::byte{1};
  auto f = must(cuckoo::decode(bytes));
  EXPECT_FALSE(f.damage().empty());
  EXPECT_EQ(testing::count_maybe(testing::ask(f, in)), in.size());
  EXPECT_EQ(testing::ask(f, out), testing::ask_one_by_one(f, out));
  const std::size_t maybe = testing::count_maybe(testing::ask(f, out));
  EXPECT_GT(maybe, testing::count_maybe(testing::ask(whole, out)) + 500);
  EXPECT_TRUE(testing::within_5_sigma(maybe, out.size(), f.realised_fpr()));
  EXPECT_NEAR(f.estimated_keys(), 12'000, 300);
  EXPECT_EQ(f.encode().error().code, errc::corrupt);
  EXPECT_EQ(f.clone().error().code, errc::corrupt);
  const std::vector<std::byte> before(f.bytes().begin(), f.bytes().end());
  std::size_t refused = 0, erased = 0;
  for (const key k : in) {
    const auto done = f.erase_present(k);
    if (done) {
      ++erased;
      continue;
    }
    EXPECT_EQ(done.error().code, errc::corrupt);
    EXPECT_EQ(f.try_insert(k).error().code, errc::corrupt);
    EXPECT_EQ(f.count(k), 8u);
    ++refused;
  }
  EXPECT_GT(refused, 3000u);
  EXPECT_GT(erased, 3000u);
  // Bytes 4096 .. 8191 are as they were.
  EXPECT_TRUE(std::ranges::equal(f.bytes().subspan(4096, 4096),
                                 std::span(before).subspan(4096, 4096)));
  for (const key k : out)
    if (const auto done = f.try_insert(k); !done) {
      EXPECT_EQ(done.error().code, errc::corrupt);
    }
  EXPECT_TRUE(std::ranges::equal(f.bytes().subspan(4096, 4096),
                                 std::span(before).subspan(4096, 4096)));
}

// The smallest filter that has its offsets in a table.
cuckoo_layout with_offsets(std::uint32_t tag_bits) {
  cuckoo_layout l{2, tag_bits};
  while (!cuckoo_offsets_pay(cuckoo_probe(l.buckets, tag_bits))) l.buckets += 2;
  return l;
}

TEST(Cuckoo, WithItsOffsetsInATableItHoldsTheTagsOfTheSpecification) {
  for (const std::uint32_t f : {6u, 8u, 9u, 12u}) {
    SCOPED_TRACE(f);
    const cuckoo_layout layout = with_offsets(f);
    const worded w{layout.buckets, f};
    auto one = must(cuckoo::make(layout)), batch = must(cuckoo::make(layout));
    const auto in = keys(f, layout.slots() * (f < 8 ? 80 : 94) / 100);
    for (const key k : in) ASSERT_TRUE(one.try_insert(k));
    ASSERT_EQ(batch.try_insert(in), in.size());
    EXPECT_EQ(one, batch);
    EXPECT_EQ(one.occupied(), in.size());
    const auto out = keys(100 + f, 20'000);
    for (const auto& asked : {in, out}) {
      const auto answers = testing::ask(one, asked);
      EXPECT_EQ(answers, testing::ask_one_by_one(one, asked));
      for (std::size_t i = 0; i < asked.size(); i += 97) {
        const std::uint64_t tag = w.tag(asked[i]),
                            first = worded::mulhi(asked[i].bits(), layout.buckets);
        const unsigned n = w.count(one.bytes(), first, tag) +
                           w.count(one.bytes(), w.other(first, tag), tag);
        EXPECT_EQ(n, one.count(asked[i]));
        EXPECT_EQ(n != 0, answers[i]);
      }
    }
    EXPECT_EQ(testing::count_maybe(testing::ask(one, in)), in.size());
    // Read back, copied, and moved.
    const auto file = must(one.encode());
    auto read = must(cuckoo::decode(file.bytes()));
    EXPECT_EQ(read, one);
    const cuckoo moved = std::move(read);
    EXPECT_EQ(testing::ask_one_by_one(moved, out), testing::ask(one, out));
    EXPECT_EQ(must(one.clone()), one);
    for (const key k : in) ASSERT_TRUE(one.erase_present(k));
    EXPECT_EQ(one.occupied(), 0u);
    EXPECT_EQ(one.erase_present(in[0]).error().code, errc::not_present);
    batch.clear();
    EXPECT_EQ(one, batch);
    EXPECT_TRUE(batch.try_insert(in[0]));
    EXPECT_TRUE(batch.may_contain(in[0]));
  }
}

TEST(Cuckoo, WithItsOffsetsInATableItRespectsDamage) {
  auto whole = must(cuckoo::make(with_offsets(12)));
  const auto in = keys(5, whole.slots() / 2);
  ASSERT_EQ(whole.try_insert(in), in.size());
  const auto file = must(whole.encode());
  std::vector<std::byte> bytes(file.bytes().begin(), file.bytes().end());
  const auto facts = must(inspect(bytes, bytes.size()));
  bytes[static_cast<std::size_t>(facts.payload_at) + 5000] ^= std::byte{1};
  auto f = must(cuckoo::decode(bytes));
  const std::vector<std::byte> before(f.bytes().begin(), f.bytes().end());
  std::size_t refused = 0;
  for (const key k : in) {
    ASSERT_TRUE(f.may_contain(k));
    const auto gone = f.erase_present(k), back = f.try_insert(k);
    ASSERT_EQ(gone.has_value(), back.has_value());
    refused += !gone;
    if (!gone) {
      EXPECT_EQ(gone.error().code, errc::corrupt);
    }
  }
  EXPECT_GT(refused, 0u);
  EXPECT_LT(refused, in.size() / 10);
  EXPECT_TRUE(std::ranges::equal(f.bytes().subspan(4096, 4096),
                                 std::span(before).subspan(4096, 4096)));
  f.clear();
  EXPECT_FALSE(f.may_contain(in[0]));
  EXPECT_EQ(f.try_insert(in), in.size());
}

// Every width near the end of an allocation: the sanitizer sees a word read too far.
TEST(Cuckoo, ReadsNothingBeyondItsMemory) {
  for (std::uint32_t f = 6; f <= 32; ++f)
    for (std::uint64_t buckets = 2; buckets <= 140; buckets += 2) {
      auto filter = must(cuckoo::make(cuckoo_layout{buckets, f}));
      const key last = key::from_bits(~std::uint64_t{0});
      must(filter.try_insert(last));
      EXPECT_TRUE(filter.may_contain(last));
      must(filter.erase_present(last));
      EXPECT_EQ(filter.occupied(), 0u);
    }
}

}  // namespace
}  // namespace bloomery
