// Which numbers were used, against a set.
#include <bloomery/detail/receipt_ledger.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "must.hpp"

namespace bloomery {
namespace {

using testing::must;

std::vector<std::byte> bytes_of(std::vector<std::uint64_t> words) {
  std::vector<std::byte> all;
  for (const std::uint64_t w : words)
    for (unsigned i = 0; i < 8; ++i) all.push_back(static_cast<std::byte>(w >> 8 * i));
  return all;
}

TEST(ReceiptLedger, DrawsAnIdentityOnce) {
  receipt_ledger a, b, chosen(7);
  EXPECT_EQ(a.identity(), 0u);
  for (receipt_ledger* l : {&a, &b, &chosen}) must(l->ensure_identity());
  EXPECT_NE(a.identity(), 0u);
  EXPECT_NE(a.identity(), b.identity());
  EXPECT_EQ(chosen.identity(), 7u);
  const std::uint64_t first = a.identity();
  must(a.ensure_identity());
  EXPECT_EQ(a.identity(), first);
}

TEST(ReceiptLedger, AgreesWithASet) {
  std::mt19937_64 random(1);
  for (const std::uint64_t n : {1, 2, 3, 10, 100, 3000}) {
    receipt_ledger l(1);
    for (std::uint64_t i = 1; i <= n; ++i) EXPECT_EQ(l.next_number(), i);
    std::set<std::uint64_t> used;
    std::vector<std::uint64_t> order;
    for (std::uint64_t i = 1; i <= n; ++i) order.push_back(i);
    std::shuffle(order.begin(), order.end(), random);
    for (std::size_t i = 0; i < order.size(); ++i) {
      ASSERT_FALSE(l.is_used(order[i]));
      must(l.reserve());
      l.use(order[i]);
      used.insert(order[i]);
      const std::uint64_t asked = n <= 100 || i % 500 == 0 ? n + 2 : 0;
      for (std::uint64_t x = 0; x < asked; ++x) {
        ASSERT_EQ(l.is_used(x), used.contains(x)) << x;
      }
      ASSERT_EQ(l.used_count(), used.size());
    }
    EXPECT_EQ(l.used().size(), 1u) << "all of a batch are one range";
    EXPECT_EQ(l.expired(), 0u);
    EXPECT_TRUE(must(l.copy()) == l);
  }
}

TEST(ReceiptLedger, ClosesTheSmallestGapWhenItIsFull) {
  constexpr std::uint64_t max = receipt_ledger::max_ranges;
  receipt_ledger l(1);
  for (std::uint64_t i = 0; i < 3 * max + 20; ++i) l.next_number();
  // 3, 6, 9 ...: gaps of two; then one of one.
  for (std::uint64_t i = 1; i < max; ++i) must(l.reserve()), l.use(3 * i);
  must(l.reserve());
  l.use(3 * (max - 1) + 2);
  ASSERT_EQ(l.used().size(), max);
  EXPECT_EQ(l.expired(), 0u);
  must(l.reserve());
  l.use(3 * max + 10);
  EXPECT_EQ(l.used().size(), max);
  EXPECT_EQ(l.expired(), 1u);
  EXPECT_TRUE(l.is_used(3 * (max - 1) + 1)) << "in the smallest gap";
  EXPECT_FALSE(l.is_used(4));
  must(l.reserve());
  l.use(3 * max + 15);
  EXPECT_TRUE(l.is_used(4) && l.is_used(5)) << "the lowest of those as small";
  EXPECT_FALSE(l.is_used(7));
  EXPECT_EQ(l.expired(), 3u);
}

TEST(ReceiptLedger, RefusesRecordsThatNoFilterWrote) {
  const auto refuses = [](std::uint64_t issued, std::vector<std::uint64_t> words,
                          std::size_t cut = 0) {
    receipt_ledger l(1);
    auto bytes = bytes_of(words);
    bytes.resize(bytes.size() - cut);
    const auto done = l.restore(issued, bytes);
    return !done && done.error().code == errc::corrupt && l.issued() == 0 &&
           l.used().empty();
  };
  EXPECT_TRUE(refuses(0, {}));
  EXPECT_TRUE(refuses(~std::uint64_t{0}, {}));
  EXPECT_TRUE(refuses(9, {0, 1})) << "there is no number 0";
  EXPECT_TRUE(refuses(9, {2, 2})) << "empty";
  EXPECT_TRUE(refuses(9, {3, 2}));
  EXPECT_TRUE(refuses(9, {3, 11})) << "not issued";
  EXPECT_TRUE(refuses(9, {1, 3, 3, 5})) << "they touch";
  EXPECT_TRUE(refuses(9, {4, 5, 1, 2})) << "not ascending";
  EXPECT_TRUE(refuses(9, {1, 2}, 1)) << "cut";
  EXPECT_TRUE(refuses(9, {1}));
  std::vector<std::uint64_t> many;
  for (std::uint64_t i = 0; i <= receipt_ledger::max_ranges; ++i)
    many.insert(many.end(), {3 * i + 1, 3 * i + 2});
  EXPECT_TRUE(refuses(100'000, many)) << "more than there is room for";

  receipt_ledger l(1);
  must(l.restore(9, bytes_of({1, 3, 4, 10})));
  EXPECT_TRUE(l.is_used(1) && l.is_used(2) && !l.is_used(3) && l.is_used(9));
  EXPECT_EQ(l.next_number(), 10u);
  must(l.reserve());
  l.use(3);
  EXPECT_EQ(l.used().size(), 1u);
}

}  // namespace
}  // namespace bloomery
