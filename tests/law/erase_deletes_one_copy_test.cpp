// Law: an erase deletes one copy of one key, and no key that is still in the filter is
// denied.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/detail/receipt.hpp>

#include "ask.hpp"
#include "cases.hpp"
#include "edges.hpp"
#include "form.hpp"
#include "full.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

class EraseDeletesOneCopy : public law {
 protected:
  void SetUp() override {
    if (!GetParam().is_erasable) GTEST_SKIP();
  }
};
INSTANTIATE_TEST_SUITE_P(Filters, EraseDeletesOneCopy, ::testing::ValuesIn(every_form()),
                         form_name);

TEST_P(EraseDeletesOneCopy, AllThatWasInsertedLeavesANewFilter) {
  for (const std::size_t n : edge_counts) {
    SCOPED_TRACE(n);
    const auto ks = keys(1, n);
    subject f = GetParam().of(ks, 0.001);
    const auto half = std::span<const key>(ks).first(n / 2),
               rest = std::span<const key>(ks).subspan(n / 2);
    for (const key k : half) must(f.erase_present(k));
    EXPECT_EQ(count_maybe(ask(f, rest)), rest.size());
    for (const key k : rest) must(f.erase_present(k));
    EXPECT_EQ(f.fill(), 0);
    EXPECT_TRUE(f == GetParam().empty(n, 0.001));
    count_cases("erases", n);
  }
}

TEST_P(EraseDeletesOneCopy, InBatchesAsOneByOne) {
  for (const std::size_t n : edge_counts) {
    SCOPED_TRACE(n);
    const auto ks = keys(2, n + 40);  // the last 40 are absent, or nearly all of them
    subject batch = GetParam().of(std::span<const key>(ks).first(n), 1e-6);
    subject single = GetParam().of(std::span<const key>(ks).first(n), 1e-6);
    const auto erased = std::make_unique<bool[]>(ks.size());
    const std::size_t count = must(batch.erase_present(ks, {erased.get(), ks.size()}));
    std::size_t done = 0;
    for (std::size_t i = 0; i < ks.size(); ++i) {
      const bool was = single.erase_present(ks[i]).has_value();
      EXPECT_EQ(erased[i], was) << i;
      done += was;
    }
    EXPECT_EQ(count, done);
    EXPECT_GE(count, n);
    EXPECT_TRUE(batch == single);
    count_cases("erases", ks.size());
  }
}

TEST_P(EraseDeletesOneCopy, OfAKeyThatIsAbsentIsRefusedAndChangesNothing) {
  subject f = GetParam().of(keys(3, 1000), 0.01);
  const subject same = GetParam().of(keys(3, 1000), 0.01);
  for (const key k : keys(4, 2000)) {
    if (f.may_contain(k)) continue;
    const auto refused = f.erase_present(k);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, errc::not_present);
    count_cases("refusals", 1);
  }
  EXPECT_TRUE(f == same);
}

TEST_P(EraseDeletesOneCopy, CopiesAreCounted) {
  if (!GetParam().is_counting) GTEST_SKIP();
  subject f = GetParam().empty(1000, 0.001);
  const auto ks = keys(5, 100);
  for (unsigned copies = 1; copies <= 4; ++copies)
    for (const key k : ks) {
      f.insert(k);
      EXPECT_GE(f.count(k), copies);
    }
  for (unsigned copies = 4; copies >= 1; --copies)
    for (const key k : ks) {
      EXPECT_GE(f.count(k), copies);
      EXPECT_TRUE(f.may_contain(k));
      must(f.erase_present(k));
    }
  if (!GetParam().sticks) {
    EXPECT_EQ(f.fill(), 0);
  }
}

TEST_P(EraseDeletesOneCopy, AReceiptIsUsedOnceAndByItsFilterOnly) {
  subject f = GetParam().empty(1000, 0.001), other = GetParam().empty(3000, 0.001);
  const key k = keys(6, 1)[0];
  receipt r = must(f.try_insert_with_receipt(k));
  const auto stored = r.bytes();
  must(other.try_insert(k));
  // A receipt of another layout.
  const auto foreign = other.erase(std::move(r));
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code, errc::incompatible);
  EXPECT_FALSE(r.empty());
  EXPECT_TRUE(other.may_contain(k));
  must(f.erase(std::move(r)));
  EXPECT_TRUE(r.empty());  // NOLINT: that it is used up is the point
  EXPECT_EQ(f.fill(), 0);
  // Stored, and used again: not present any more.
  receipt again = receipt::from_bytes(stored);
  const auto twice = f.erase(std::move(again));
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, errc::not_present);
  EXPECT_FALSE(again.empty());
  // Any changed bit.
  must(f.try_insert(k));
  for (std::size_t bit = 0; bit < 8 * stored.size(); ++bit) {
    auto damaged = stored;
    damaged[bit / 8] ^= std::byte{1} << (bit % 8);
    const auto refused = f.erase(receipt::from_bytes(damaged));
    ASSERT_FALSE(refused) << bit;
    EXPECT_EQ(refused.error().code, errc::incompatible) << bit;
  }
  EXPECT_FALSE(f.erase(receipt()));
  EXPECT_TRUE(f.may_contain(k));
  count_cases("refusals", 131);
}

// Random operations against an exact multiset.  Keys are few, so that copies are
// frequent; erases are by receipt, so none hurts another key.
void run(const form& f, std::uint64_t keys_of, std::uint64_t operations,
         std::uint64_t seed) {
  subject filter = f.empty(keys_of, 0.01);
  std::vector<std::pair<key, receipt>> in;
  std::map<std::uint64_t, unsigned> copies;
  random from(seed);
  for (std::uint64_t i = 0; i < operations; ++i) {
    const key k = key::from_bits(random(from.below(2 * keys_of)).next());
    const std::uint64_t action = from.below(8);
    if (action < 3 && in.size() < keys_of) {
      auto r = filter.try_insert_with_receipt(k);
      if (!r) {
        // Copies crowd two buckets as distinct keys do not.
        EXPECT_TRUE(r.error().code == errc::too_many_copies ||
                    r.error().code == errc::full);
        continue;
      }
      in.emplace_back(k, *std::move(r));
      ++copies[k.bits()];
    } else if (action < 5 && !in.empty()) {
      std::swap(in[from.below(in.size())], in.back());
      must(filter.erase(std::move(in.back().second)));
      --copies[in.back().first.bits()];
      in.pop_back();
    } else if (const auto found = copies.find(k.bits());
               found != copies.end() && found->second != 0) {
      ASSERT_TRUE(filter.may_contain(k)) << "a false negative, at " << i;
      if (f.is_counting) {
        ASSERT_GE(filter.count(k), found->second);
      }
    }
  }
  for (const auto& [k, r] : in) ASSERT_TRUE(filter.may_contain(k));
  for (auto& [k, r] : in) must(filter.erase(std::move(r)));
  if (!f.sticks) {
    EXPECT_EQ(filter.fill(), 0);
  }
  count_cases("operations", operations);
}

TEST_P(EraseDeletesOneCopy, AmongRandomOperations) {
  for (const std::uint64_t n : {1u, 5u, 100u, 3000u}) run(GetParam(), n, 100'000, n);
}

class EraseDeletesOneCopyFull : public EraseDeletesOneCopy {};
INSTANTIATE_TEST_SUITE_P(Filters, EraseDeletesOneCopyFull,
                         ::testing::ValuesIn(every_form()), form_name);

TEST_P(EraseDeletesOneCopyFull, AmongAHundredMillionOperations) {
  BLOOMERY_FULL_ONLY();
  run(GetParam(), 100'000, 100'000'000, 7);
}

}  // namespace
}  // namespace bloomery::testing
