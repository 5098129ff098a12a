// Law: what was encoded decodes to an equal filter, which encodes to the same bytes.
#include <span>

#include <gtest/gtest.h>

#include "ask.hpp"
#include "edges.hpp"
#include "form.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

class DecodeEncodeIdentity : public law {
 protected:
  void hold(const subject& f) const {
    const auto bytes = encoded(f);
    const auto back = GetParam().decode(bytes);
    ASSERT_TRUE(back) << back.error().what;
    EXPECT_TRUE(*back == f);
    EXPECT_EQ(encoded(*back), bytes);
    const auto probe = keys(7, 500);
    EXPECT_EQ(ask(*back, probe), ask(f, probe));
  }
};
INSTANTIATE_TEST_SUITE_P(Filters, DecodeEncodeIdentity,
                         ::testing::ValuesIn(stored_forms()), form_name);

TEST_P(DecodeEncodeIdentity, AtEverySize) {
  for (const std::size_t n : edge_counts) {
    SCOPED_TRACE(n);
    hold(GetParam().of(keys(1, n), 0.01));
  }
}

TEST_P(DecodeEncodeIdentity, InAwkwardLayoutsEmptyAndNot) {
  if (!GetParam().grows) GTEST_SKIP();
  for (auto& [name, f] : GetParam().shapes()) {
    SCOPED_TRACE(name);
    hold(f);
    f.insert_up_to(keys(2, 50));
    hold(f);
  }
}

// The same filter, made twice, is the same bytes.
TEST_P(DecodeEncodeIdentity, IsDeterministic) {
  const auto ks = keys(3, 1000);
  EXPECT_EQ(encoded(GetParam().of(ks, 0.01)), encoded(GetParam().of(ks, 0.01)));
}

}  // namespace
}  // namespace bloomery::testing
