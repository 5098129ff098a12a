// Law (filters that are never full, and do not forget): the bytes depend on the keys, not
// on their order or on the portions in which they came; of a filter without copies, nor
// on how often.
#include <algorithm>
#include <span>

#include <gtest/gtest.h>

#include "cases.hpp"
#include "form.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

class InsertOrderIsIrrelevant : public law {};
INSTANTIATE_TEST_SUITE_P(Filters, InsertOrderIsIrrelevant,
                         ::testing::ValuesIn(every_form()), form_name);

TEST_P(InsertOrderIsIrrelevant, BackwardsOrShuffledOrRepeated) {
  if (!GetParam().is_insertable || GetParam().forgets) GTEST_SKIP();
  auto ks = keys(1, 5000);
  const subject want = GetParam().of(ks, 0.01);
  std::ranges::reverse(ks);
  EXPECT_TRUE(GetParam().of(ks, 0.01) == want);

  random from(2);
  for (std::size_t i = ks.size(); i > 1; --i) std::swap(ks[i - 1], ks[from.below(i)]);
  subject f = GetParam().of(ks, 0.01);
  EXPECT_TRUE(f == want);
  count_cases("comparisons", 2);
  if (!GetParam().is_a_set) return;
  f.insert(std::span<const key>(ks).first(1234));
  EXPECT_TRUE(f == want);
  count_cases("comparisons", 1);
}

TEST_P(InsertOrderIsIrrelevant, InPortionsOfAnySize) {
  if (!GetParam().is_insertable) GTEST_SKIP();
  const auto ks = keys(3, 3000);
  const subject want = GetParam().of(ks, 0.01);
  random from(4);
  subject f = GetParam().empty(ks.size(), 0.01);
  for (std::size_t i = 0; i < ks.size();) {
    const std::size_t n = std::min<std::size_t>(from.below(140), ks.size() - i);
    f.insert(std::span<const key>(ks).subspan(i, n));
    i += n;
  }
  EXPECT_TRUE(f == want);
  count_cases("comparisons", 1);
}

}  // namespace
}  // namespace bloomery::testing
