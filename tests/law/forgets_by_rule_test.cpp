// Law (filters that forget): the last keys are found, as many as the filter promises, at
// every moment; old ones are forgotten; and a filter that was stored goes on as if it had
// not been.
#include <algorithm>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "ask.hpp"
#include "cases.hpp"
#include "form.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

class ForgetsByRule : public law {
 protected:
  void SetUp() override {
    if (!GetParam().forgets) GTEST_SKIP();
  }

  // The last retained() of the keys inserted so far.
  static std::vector<key> last_of(const subject& f, std::span<const key> in) {
    const auto n =
        static_cast<std::size_t>(std::min<std::uint64_t>(f.retained(), in.size()));
    return {in.end() - static_cast<std::ptrdiff_t>(n), in.end()};
  }
};
INSTANTIATE_TEST_SUITE_P(Filters, ForgetsByRule, ::testing::ValuesIn(every_form()),
                         form_name);

TEST_P(ForgetsByRule, TheLastKeysAreFoundAfterEveryInsert) {
  const auto ks = keys(1, 400);
  for (auto& [name, f] : GetParam().shapes()) {
    if (f.size_in_bytes() > 100'000) continue;
    SCOPED_TRACE(name);
    for (std::size_t i = 0; i < ks.size(); ++i) {
      f.insert(ks[i]);
      const auto last = last_of(f, std::span(ks).first(i + 1));
      ASSERT_GE(last.size(), 1u);
      ASSERT_EQ(count_maybe(ask(f, last)), last.size()) << i;
      count_cases("lookups", last.size());
    }
  }
}

TEST_P(ForgetsByRule, TheLastKeysAreFoundAfterBatches) {
  const auto ks = keys(2, 20'000);
  subject f = GetParam().empty(3000, 0.01);
  random from(3);
  for (std::size_t in = 0; in < ks.size();) {
    const std::size_t n = std::min<std::size_t>(1 + from.below(700), ks.size() - in);
    f.insert(std::span<const key>(ks).subspan(in, n));
    in += n;
    const auto last = last_of(f, std::span(ks).first(in));
    ASSERT_EQ(count_maybe(ask(f, last)), last.size()) << in;
    count_cases("lookups", last.size());
  }
}

// Or it would fill up.
TEST_P(ForgetsByRule, OldKeysAreForgottenButForTheRate) {
  subject f = GetParam().empty(500, 0.01);
  const auto old = keys(4, 10'000), ks = keys(5, 100'000);
  f.insert(std::span<const key>(old));
  f.insert(std::span<const key>(ks));
  EXPECT_LE(f.realised_fpr(), 0.02);
  EXPECT_LE(count_maybe(ask(f, old)), 300u);
  count_cases("lookups", old.size());
}

TEST_P(ForgetsByRule, WhatWasStoredGoesOnAsIfItHadNotBeen) {
  const auto ks = keys(6, 3000);
  for (const std::size_t stop : {0u, 1u, 700u, 2999u}) {
    subject whole = GetParam().empty(400, 0.01), first = GetParam().empty(400, 0.01);
    whole.insert(std::span<const key>(ks));
    first.insert(std::span<const key>(ks).first(stop));
    subject second = must(GetParam().decode(encoded(first)));
    second.insert(std::span<const key>(ks).subspan(stop));
    EXPECT_TRUE(second == whole) << stop;
    EXPECT_EQ(encoded(second), encoded(whole)) << stop;
    count_cases("comparisons", 2);
  }
}

}  // namespace
}  // namespace bloomery::testing
