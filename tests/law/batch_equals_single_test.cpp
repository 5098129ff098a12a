// Law: a batch sets the bits and gives the answers of its keys one by one.
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "ask.hpp"
#include "cases.hpp"
#include "edges.hpp"
#include "form.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

class BatchEqualsSingle : public law {};
INSTANTIATE_TEST_SUITE_P(Filters, BatchEqualsSingle, ::testing::ValuesIn(every_form()),
                         form_name);

TEST_P(BatchEqualsSingle, OnLookup) {
  for (const std::size_t n : edge_counts) {
    SCOPED_TRACE(n);
    // A coarse rate: both answers are frequent among absent keys.
    const subject f = GetParam().of(keys(1, n), 0.3);
    const auto probe = keys(1, 2 * n + 3);  // the first n are present
    EXPECT_EQ(ask(f, probe), ask_one_by_one(f, probe));
    count_cases("comparisons", 1);
  }
}

TEST_P(BatchEqualsSingle, OnInsert) {
  if (!GetParam().grows) GTEST_SKIP();
  for (const std::size_t n : edge_counts) {
    SCOPED_TRACE(n);
    const auto ks = keys(2, n);
    subject batch = GetParam().empty(n, 0.01);
    subject single = GetParam().empty(n, 0.01);
    batch.insert(std::span<const key>(ks));
    for (const key k : ks) single.insert(k);
    EXPECT_TRUE(batch == single);
    count_cases("comparisons", 1);
  }
}

// Every third key is one that came shortly before, in the same batch or the last one: a
// batch that looked all its keys up before it inserted any would call it new twice.  At a
// coarse rate some new keys test positive because of others in the batch.
TEST_P(BatchEqualsSingle, OnInsertIfAbsent) {
  if (!GetParam().is_deduplicating) GTEST_SKIP();
  for (const std::size_t n : edge_counts) {
    SCOPED_TRACE(n);
    auto ks = keys(5, n);
    for (std::size_t i = 2; i < n; i += 3) ks[i] = ks[i - (i % 5 == 0 ? 2 : 1)];
    subject batch = GetParam().empty(n, 0.3);
    subject single = GetParam().empty(n, 0.3);
    std::vector<char> one_by_one;
    for (const key k : ks) one_by_one.push_back(single.insert_if_absent(k));
    const auto absent = std::make_unique<bool[]>(n);
    batch.insert_if_absent(ks, {absent.get(), n});
    EXPECT_EQ(std::vector<char>(absent.get(), absent.get() + n), one_by_one);
    EXPECT_TRUE(batch == single);
    if (n > 100) {
      EXPECT_GT(std::ranges::count(one_by_one, 1), static_cast<std::ptrdiff_t>(n / 3));
    }
    count_cases("comparisons", 2);
  }
}

TEST_P(BatchEqualsSingle, InAwkwardLayouts) {
  if (!GetParam().grows) GTEST_SKIP();
  auto batches = GetParam().shapes(), singles = GetParam().shapes();
  for (std::size_t i = 0; i < batches.size(); ++i) {
    SCOPED_TRACE(batches[i].name);
    subject &batch = batches[i].filter, &single = singles[i].filter;
    auto ks = keys(3, 130);
    ks.resize(batch.insert_up_to(ks));
    for (const key k : ks) single.insert(k);
    EXPECT_TRUE(batch == single);
    const auto probe = keys(3, 1000);
    EXPECT_EQ(ask(batch, probe), ask_one_by_one(batch, probe));
    count_cases("comparisons", 2);
  }
}

TEST_P(BatchEqualsSingle, OnStrings) {
  if (!GetParam().grows) GTEST_SKIP();
  for (const std::size_t n : edge_counts) {
    SCOPED_TRACE(n);
    const auto strings = strings_for(GetParam(), n + 1, n),
               others = mixed_strings(n + 2, n);
    const auto texts = views(strings), probe = views(others);
    subject batch = GetParam().empty(n, 0.1);
    subject single = GetParam().empty(n, 0.1);
    batch.insert(std::span<const std::string_view>(texts));
    for (const std::string_view s : texts) single.insert(s);
    EXPECT_TRUE(batch == single);
    EXPECT_EQ(ask(batch, probe), ask_one_by_one(batch, probe));
    EXPECT_EQ(ask(batch, texts), ask_one_by_one(batch, texts));
    count_cases("comparisons", 3);
  }
}

// A batch stops at the first key that is refused, and the filter is then as the keys
// before it made it.
TEST_P(BatchEqualsSingle, UntilItIsFull) {
  if (!GetParam().is_bounded) GTEST_SKIP();
  auto batches = GetParam().shapes(), singles = GetParam().shapes();
  unsigned full = 0;  // very small ones may count copies without end
  for (std::size_t i = 0; i < batches.size(); ++i) {
    SCOPED_TRACE(batches[i].name);
    subject &batch = batches[i].filter, &single = singles[i].filter;
    const std::size_t slots = 8 * batch.size_in_bytes() / 5;  // more than it can hold
    if (slots > 100'000) continue;
    const auto ks = keys(6, slots);
    const std::size_t in = batch.try_insert(ks);
    std::size_t n = 0;
    while (n < ks.size() && single.try_insert(ks[n])) ++n;
    EXPECT_EQ(in, n);
    full += in < ks.size();
    EXPECT_TRUE(batch == single);
    EXPECT_EQ(count_maybe(ask(batch, std::span<const key>(ks).first(in))), in);
    count_cases("comparisons", 2);
  }
  EXPECT_GT(full, 0u);
}

// A string and the key that the filter makes of it are the same key.
TEST_P(BatchEqualsSingle, OnStringsAndTheirKeys) {
  const auto strings = mixed_strings(9, 1000);
  const auto texts = views(strings);
  const subject f = GetParam().of(keys(4, 1000), 0.3);
  std::vector<key> hashed;
  for (const std::string_view s : texts) hashed.push_back(f.hash(s));
  EXPECT_EQ(ask(f, texts), ask(f, hashed));
  count_cases("comparisons", 1);
}

}  // namespace
}  // namespace bloomery::testing
