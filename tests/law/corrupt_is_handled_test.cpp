// Law: damaged bytes are refused; or, where the format has checksums, no key is denied;
// or, where it has none, they are another filter's bytes, which re-encoding gives back.
// No input crashes or is silently repaired.
#include <span>

#include <gtest/gtest.h>

#include "ask.hpp"
#include "cases.hpp"
#include "form.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

class CorruptIsHandled : public law {
 protected:
  std::vector<key> keys_ = keys(1, 20);
  std::vector<std::byte> bytes_ = encoded(GetParam().of(keys_, 0.01));

  void hold(const subject& f, const std::vector<std::byte>& damaged) const {
    if (GetParam().is_checksummed)
      EXPECT_EQ(count_maybe(ask(f, keys_)), keys_.size());
    else
      EXPECT_EQ(encoded(f), damaged);
  }
};
INSTANTIATE_TEST_SUITE_P(Filters, CorruptIsHandled, ::testing::ValuesIn(stored_forms()),
                         form_name);

TEST_P(CorruptIsHandled, EveryTruncationIsRefused) {
  for (std::size_t n = 0; n < bytes_.size(); ++n) {
    // A copy of exactly that size: a read beyond it is seen by the sanitizer.
    const std::vector<std::byte> part(bytes_.begin(), bytes_.begin() + std::ptrdiff_t(n));
    const auto f = GetParam().decode(part);
    ASSERT_FALSE(f) << n;
    EXPECT_EQ(f.error().code, errc::corrupt) << n;
    EXPECT_LE(f.error().at, n);
    EXPECT_STRNE(f.error().what, "");
  }
  count_cases("cuts", bytes_.size());
}

TEST_P(CorruptIsHandled, EveryExtensionIsRefused) {
  const std::size_t whole = bytes_.size();
  for (std::size_t extra = 1; extra <= 300; ++extra) {
    bytes_.push_back(std::byte{0});
    const auto f = GetParam().decode(bytes_);
    ASSERT_FALSE(f) << extra;
    EXPECT_EQ(f.error().code, errc::corrupt) << extra;
    EXPECT_EQ(f.error().at, whole) << extra;
  }
}

TEST_P(CorruptIsHandled, EveryFlippedBitIsRefusedOrHarmless) {
  const auto intact = GetParam().decode(bytes_);
  ASSERT_TRUE(intact);
  for (std::size_t bit = 0; bit < 8 * bytes_.size(); ++bit) {
    auto damaged = bytes_;
    damaged[bit / 8] ^= std::byte{1} << (bit % 8);
    const auto f = GetParam().decode(damaged);
    if (!f) continue;
    SCOPED_TRACE(bit);
    hold(*f, damaged);
    EXPECT_FALSE(*f == *intact);
  }
  count_cases("flips", 8 * bytes_.size());
}

// Any two bytes replaced: lengths and counts that contradict each other.
TEST_P(CorruptIsHandled, RandomDamageIsRefusedOrHarmless) {
  random from(2);
  for (int round = 0; round < 20'000; ++round) {
    auto damaged = bytes_;
    for (int i = 0; i < 2; ++i)
      damaged[from.below(damaged.size())] = static_cast<std::byte>(from.next() & 0xff);
    const auto f = GetParam().decode(damaged);
    if (!f) continue;
    SCOPED_TRACE(round);
    hold(*f, damaged);
    if (HasFailure()) return;
  }
  count_cases("files", 20'000);
}

}  // namespace
}  // namespace bloomery::testing
