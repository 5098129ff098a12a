// Law (filters that may be full): a refused insert leaves every byte as it was, and every
// key in; the keys that a filter was sized for fit.
#include <cstddef>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "ask.hpp"
#include "cases.hpp"
#include "edges.hpp"
#include "form.hpp"
#include "full.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

class RefusedInsertChangesNothing : public law {
 protected:
  void SetUp() override {
    if (!GetParam().is_bounded) GTEST_SKIP();
  }
};
INSTANTIATE_TEST_SUITE_P(Filters, RefusedInsertChangesNothing,
                         ::testing::ValuesIn(every_form()), form_name);

TEST_P(RefusedInsertChangesNothing, OfAFullFilter) {
  if (!GetParam().is_stored) GTEST_SKIP();
  for (auto& [name, f] : GetParam().shapes()) {
    SCOPED_TRACE(name);
    const std::size_t more = 8 * f.size_in_bytes() / 5;
    if (more > (sanitized ? 10'000 : 100'000)) continue;
    // Keys that fit among others that do not: until hundred in a row were refused.
    std::vector<key> in;
    std::vector<std::byte> bytes = encoded(f);
    std::size_t refused = 0, i = 0;
    for (const auto ks = keys(1, more + 20'000); i < ks.size() && refused < 100; ++i) {
      const auto done = f.try_insert(ks[i]);
      if (done) {
        refused = 0;
        in.push_back(ks[i]);
        continue;
      }
      EXPECT_TRUE(done.error().code == errc::full ||
                  done.error().code == errc::too_many_copies);
      if (refused == 0) bytes = encoded(f);
      ++refused;
      count_cases("refusals", 1);
    }
    EXPECT_EQ(refused, 100u);
    EXPECT_EQ(encoded(f), bytes);
    EXPECT_EQ(count_maybe(ask(f, in)), in.size());
  }
}

TEST_P(RefusedInsertChangesNothing, AndTheKeysItWasSizedForFit) {
  for (std::size_t n = 1; n <= 300; ++n)
    for (const double fpr : {0.2, 0.01, 1e-6}) {
      SCOPED_TRACE(::testing::Message() << "n=" << n << " fpr=" << fpr);
      const auto ks = keys(1000 * n, n);
      subject f = GetParam().empty(n, fpr);
      EXPECT_EQ(f.try_insert(ks), n);
      count_cases("filters", 1);
    }
}

}  // namespace
}  // namespace bloomery::testing
