// Law (filters that do not forget): a filter answers "perhaps" to every key that was put
// into it.  Those that forget have forgets_by_rule_test.cpp.
#include <span>

#include <gtest/gtest.h>

#include "ask.hpp"
#include "cases.hpp"
#include "edges.hpp"
#include "form.hpp"
#include "full.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

class NoFalseNegatives : public law {
 protected:
  void SetUp() override {
    if (GetParam().forgets) GTEST_SKIP();
  }
};
INSTANTIATE_TEST_SUITE_P(Filters, NoFalseNegatives, ::testing::ValuesIn(every_form()),
                         form_name);

TEST_P(NoFalseNegatives, AtEverySizeAndRate) {
  for (const std::size_t n : edge_counts) {
    for (const double fpr : {0.9, 0.5, 0.05, 0.01, 0.001}) {
      SCOPED_TRACE(::testing::Message() << "n=" << n << " fpr=" << fpr);
      const auto ks = keys(n, n);
      const subject f = GetParam().of(ks, fpr);
      EXPECT_EQ(count_maybe(ask_one_by_one(f, ks)), n);
      EXPECT_EQ(count_maybe(ask(f, ks)), n);
      count_cases("lookups", 2 * n);
    }
  }
}

TEST_P(NoFalseNegatives, InAwkwardLayouts) {
  if (!GetParam().grows) GTEST_SKIP();
  for (auto& [name, f] : GetParam().shapes()) {
    SCOPED_TRACE(name);
    auto batch = keys(1, 257), single = keys(2, 67);
    batch.resize(f.insert_up_to(batch));
    std::size_t in = 0;
    while (in < single.size() && f.insert_up_to(std::span(&single[in], 1)) == 1) ++in;
    single.resize(in);
    EXPECT_EQ(count_maybe(ask(f, batch)), batch.size());
    EXPECT_EQ(count_maybe(ask(f, single)), single.size());
    EXPECT_EQ(count_maybe(ask_one_by_one(f, batch)), batch.size());
    EXPECT_EQ(count_maybe(ask_one_by_one(f, single)), single.size());
    count_cases("lookups", 2 * (batch.size() + single.size()));
  }
}

TEST_P(NoFalseNegatives, ForStringsOfEveryLength) {
  const auto strings = strings_for(GetParam(), 3, 1000);
  const auto texts = views(strings);
  if (!GetParam().grows) GTEST_SKIP();
  subject single = GetParam().empty(texts.size(), 0.01);
  for (const std::string_view s : texts) single.insert(s);
  subject batch = GetParam().empty(texts.size(), 0.01);
  batch.insert(std::span<const std::string_view>(texts));
  for (const subject* f : {&single, &batch}) {
    EXPECT_EQ(count_maybe(ask(*f, texts)), texts.size());
    EXPECT_EQ(count_maybe(ask_one_by_one(*f, texts)), texts.size());
    count_cases("lookups", 2 * texts.size());
  }
}

// Overfilling costs rate, never a key.
TEST_P(NoFalseNegatives, WhenOverfilledTenTimes) {
  if (!GetParam().is_insertable) GTEST_SKIP();
  subject f = GetParam().empty(1000, 0.01);
  const auto ks = keys(4, 10'000);
  f.insert(std::span<const key>(ks));
  EXPECT_EQ(count_maybe(ask(f, ks)), ks.size());
  count_cases("lookups", ks.size());
}

class NoFalseNegativesFull : public law {
 protected:
  void SetUp() override {
    if (GetParam().forgets) GTEST_SKIP();
  }
};
INSTANTIATE_TEST_SUITE_P(Filters, NoFalseNegativesFull, ::testing::ValuesIn(every_form()),
                         form_name);

TEST_P(NoFalseNegativesFull, WithTwentyMillionKeys) {
  BLOOMERY_FULL_ONLY();
  const auto ks = keys(5, 20'000'000);
  const subject f = GetParam().of(ks, 0.01);
  EXPECT_EQ(count_maybe(ask(f, ks)), ks.size());
  EXPECT_EQ(count_maybe(ask_one_by_one(f, ks)), ks.size());
  count_cases("lookups", 2 * ks.size());
}

}  // namespace
}  // namespace bloomery::testing
