// Law: a cleared filter is a new filter.
#include <span>

#include <gtest/gtest.h>

#include "ask.hpp"
#include "form.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

class ClearForgets : public law {};
INSTANTIATE_TEST_SUITE_P(Filters, ClearForgets, ::testing::ValuesIn(every_form()),
                         form_name);

TEST_P(ClearForgets, EveryKeyAndNothingElse) {
  if (!GetParam().grows) GTEST_SKIP();
  auto used = GetParam().shapes();
  const auto fresh = GetParam().shapes();
  for (std::size_t i = 0; i < used.size(); ++i) {
    SCOPED_TRACE(used[i].name);
    subject& f = used[i].filter;
    auto ks = keys(1, 300);
    ks.resize(f.insert_up_to(ks));
    EXPECT_FALSE(f == fresh[i].filter);
    f.clear();
    EXPECT_TRUE(f == fresh[i].filter);
    EXPECT_EQ(f.fill(), 0);
    EXPECT_EQ(f.estimated_keys(), 0);
    EXPECT_EQ(count_maybe(ask(f, ks)), 0u);
    f.insert(std::span<const key>(ks));
    if (!GetParam().forgets) {
      EXPECT_EQ(count_maybe(ask(f, ks)), ks.size());
    }
  }
}

// Moving a filter takes its keys along and leaves nothing that could answer for them.
TEST_P(ClearForgets, AMovedFilterKeepsEverything) {
  const auto ks = keys(2, 300);
  subject f = GetParam().of(ks, 0.01);
  const subject same = GetParam().of(ks, 0.01);
  subject constructed = f.moved();
  EXPECT_TRUE(constructed == same);
  subject assigned = GetParam().of(keys(3, 9), 0.5);
  assigned.move_from(constructed);
  EXPECT_TRUE(assigned == same);
  EXPECT_EQ(count_maybe(ask(assigned, ks)), ks.size());
}

}  // namespace
}  // namespace bloomery::testing
