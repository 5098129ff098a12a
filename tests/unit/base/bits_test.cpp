#include "base/bits.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "test_key.hpp"

namespace bloomery::base {
namespace {

std::vector<std::byte> random_bytes(std::uint64_t seed, std::size_t n) {
  testing::random from(seed);
  std::vector<std::byte> out(n);
  for (std::byte& b : out) b = static_cast<std::byte>(from.next() & 0xff);
  return out;
}

TEST(Bits, BytesForBitsRoundsUpWithoutOverflow) {
  EXPECT_EQ(bytes_for_bits(0), 0u);
  EXPECT_EQ(bytes_for_bits(1), 1u);
  EXPECT_EQ(bytes_for_bits(8), 1u);
  EXPECT_EQ(bytes_for_bits(9), 2u);
  EXPECT_EQ(bytes_for_bits(~0ull), 1ull << 61);
}

TEST(Bits, CountOnesCountsEveryPrefix) {
  const auto bytes = random_bytes(1, 41);
  std::uint64_t want = 0;
  for (std::uint64_t bits = 0; bits <= 8 * bytes.size(); ++bits) {
    ASSERT_EQ(count_ones(bytes, bits), want) << bits;
    if (bits < 8 * bytes.size())
      want += static_cast<unsigned>(bytes[bits / 8]) >> (bits % 8) & 1u;
  }
}

TEST(Bits, CountOnesIgnoresPaddingBits) {
  const std::vector<std::byte> ones(2, std::byte{0xff});
  EXPECT_EQ(count_ones(ones, 9), 9u);
  EXPECT_EQ(count_ones(ones, 16), 16u);
}

TEST(Bits, OrIntoIsAByteWiseUnion) {
  for (const std::size_t n : {0u, 1u, 7u, 8u, 31u, 32u, 33u, 1000u}) {
    auto a = random_bytes(2, n);
    const auto b = random_bytes(3, n), before = a;
    or_into(a, b);
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(a[i], before[i] | b[i]) << n << ":" << i;
  }
}

}  // namespace
}  // namespace bloomery::base
