// Law: a filter takes the memory that its sizing rule says; its file adds a header.
#include <gtest/gtest.h>

#include "form.hpp"
#include "full.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

class SizeMatchesSizing : public law {};
INSTANTIATE_TEST_SUITE_P(Filters, SizeMatchesSizing, ::testing::ValuesIn(every_form()),
                         form_name);

TEST_P(SizeMatchesSizing, InMemoryAndEncoded) {
  for (const std::uint64_t n : {1u, 2u, 3u, 10u, 99u, 1000u, 12'345u, 1'000'000u}) {
    if (sanitized && n > 100'000) continue;  // a size is a size
    for (const double fpr : {0.5, 0.1, 0.01, 0.001}) {
      SCOPED_TRACE(::testing::Message() << "n=" << n << " fpr=" << fpr);
      // What is only built has the size of its keys.
      const subject f =
          GetParam().grows ? GetParam().empty(n, fpr) : GetParam().of(keys(7, n), fpr);
      const auto planned = static_cast<double>(GetParam().sized(n, fpr));
      const double scatter = GetParam().size_scatter;
      EXPECT_NEAR(static_cast<double>(f.size_in_bytes()), planned,
                  scatter == 0 ? 0 : 32 + scatter * planned);
      EXPECT_EQ(f.capacity(), n);
      if (GetParam().is_stored) {
        EXPECT_EQ(encoded(f).size(), GetParam().encoded_size(f.size_in_bytes()));
      }
    }
  }
}

TEST_P(SizeMatchesSizing, AndDoesNotGrowWithKeys) {
  if (!GetParam().grows || GetParam().adds_memory) GTEST_SKIP();
  subject f = GetParam().empty(100, 0.01);
  const std::size_t before = f.size_in_bytes();
  for (const key k : keys(1, 10'000)) f.insert_up_to({&k, 1});
  EXPECT_EQ(f.size_in_bytes(), before);
}

// Not with keys that it was made for, nor with those that it has.
TEST_P(SizeMatchesSizing, OrGrowsWithNewKeysOnly) {
  if (!GetParam().adds_memory) GTEST_SKIP();
  for (const std::uint64_t n : {1u, 10u, 100u, 1000u, 10'000u}) {
    subject f = GetParam().empty(n, 0.01);
    const std::size_t before = f.size_in_bytes();
    const auto ks = keys(1, n);
    for (int i = 0; i < 10; ++i) f.insert(std::span<const key>(ks));
    EXPECT_EQ(f.size_in_bytes(), before) << n;
    f.insert(std::span<const key>(keys(2, 2 * n + 100)));
    EXPECT_GT(f.size_in_bytes(), before) << n;
  }
}

}  // namespace
}  // namespace bloomery::testing
