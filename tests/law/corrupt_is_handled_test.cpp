// Law: damaged bytes are refused; or, where the format has checksums, no key is denied;
// or, where it has none, they are another filter's bytes, which re-encoding gives back.
// No input crashes or is silently repaired.
#include <span>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "ask.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <filter F>
class CorruptIsHandled : public ::testing::Test {
 protected:
  std::vector<key> keys_ = keys(1, 20);
  std::vector<std::byte> bytes_ = encoded(recipe<F>::of(keys_, 0.01));

  void hold(const F& f, const std::vector<std::byte>& damaged) const {
    if constexpr (recipe<F>::checksummed)
      EXPECT_EQ(count_maybe(ask(f, keys_)), keys_.size());
    else
      EXPECT_EQ(encoded(f), damaged);
  }
};
TYPED_TEST_SUITE(CorruptIsHandled, stored_filters, filter_names);

TYPED_TEST(CorruptIsHandled, EveryTruncationIsRefused) {
  if constexpr (encodable<TypeParam>) {
    for (std::size_t n = 0; n < this->bytes_.size(); ++n) {
      // A copy of exactly that size: a read beyond it is seen by the sanitizer.
      const std::vector<std::byte> part(this->bytes_.begin(),
                                        this->bytes_.begin() + std::ptrdiff_t(n));
      const auto f = TypeParam::decode(part);
      ASSERT_FALSE(f) << n;
      EXPECT_EQ(f.error().code, errc::corrupt) << n;
      EXPECT_LE(f.error().at, n);
      EXPECT_STRNE(f.error().what, "");
    }
  }
}

TYPED_TEST(CorruptIsHandled, EveryExtensionIsRefused) {
  if constexpr (encodable<TypeParam>) {
    const std::size_t whole = this->bytes_.size();
    for (std::size_t extra = 1; extra <= 300; ++extra) {
      this->bytes_.push_back(std::byte{0});
      const auto f = TypeParam::decode(this->bytes_);
      ASSERT_FALSE(f) << extra;
      EXPECT_EQ(f.error().code, errc::corrupt) << extra;
      EXPECT_EQ(f.error().at, whole) << extra;
    }
  }
}

TYPED_TEST(CorruptIsHandled, EveryFlippedBitIsRefusedOrHarmless) {
  if constexpr (encodable<TypeParam>) {
    const auto intact = TypeParam::decode(this->bytes_);
    ASSERT_TRUE(intact);
    for (std::size_t bit = 0; bit < 8 * this->bytes_.size(); ++bit) {
      auto damaged = this->bytes_;
      damaged[bit / 8] ^= std::byte{1} << (bit % 8);
      const auto f = TypeParam::decode(damaged);
      if (!f) continue;
      SCOPED_TRACE(bit);
      this->hold(*f, damaged);
      EXPECT_FALSE(*f == *intact);
    }
  }
}

// Any two bytes replaced: lengths and counts that contradict each other.
TYPED_TEST(CorruptIsHandled, RandomDamageIsRefusedOrHarmless) {
  if constexpr (encodable<TypeParam>) {
    random from(2);
    for (int round = 0; round < 20'000; ++round) {
      auto damaged = this->bytes_;
      for (int i = 0; i < 2; ++i)
        damaged[from.below(damaged.size())] = static_cast<std::byte>(from.next() & 0xff);
      const auto f = TypeParam::decode(damaged);
      if (!f) continue;
      SCOPED_TRACE(round);
      this->hold(*f, damaged);
      if (this->HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace bloomery::testing
