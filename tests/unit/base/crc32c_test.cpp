#include "base/crc32c.hpp"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "test_key.hpp"

namespace bloomery::base {
namespace {

std::span<const std::byte> bytes(std::string_view s) {
  return std::as_bytes(std::span(s));
}

std::vector<std::byte> noise(std::size_t n) {
  testing::random from(n);
  std::vector<std::byte> out(n);
  for (std::byte& b : out) b = static_cast<std::byte>(from.next() & 0xff);
  return out;
}

// RFC 3720, appendix B.4, and the check value of the CRC catalogues.
TEST(Crc32c, KnownAnswers) {
  EXPECT_EQ(crc32c(bytes("")), 0u);
  EXPECT_EQ(crc32c(bytes("123456789")), 0xe3069283u);
  EXPECT_EQ(crc32c(std::vector<std::byte>(32)), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::vector<std::byte>(32, std::byte{0xff})), 0x62a8ab43u);
  std::vector<std::byte> up;
  for (int i = 0; i < 32; ++i) up.push_back(static_cast<std::byte>(i));
  EXPECT_EQ(crc32c(up), 0x46dd794eu);
}

// Bit by bit, as the polynomial defines it.
std::uint32_t textbook(std::span<const std::byte> data) {
  std::uint32_t c = ~0u;
  for (const std::byte b : data) {
    c ^= static_cast<std::uint32_t>(b);
    for (int i = 0; i < 8; ++i) c = (c >> 1) ^ ((c & 1) != 0 ? 0x82f63b78 : 0);
  }
  return ~c;
}

TEST(Crc32c, EveryLengthAndPlaceAgreesWithTheDefinition) {
  const auto data = noise(300);
  for (std::size_t from = 0; from < 9; ++from)
    for (std::size_t n = 0; n + from <= data.size(); ++n) {
      const auto part = std::span(data).subspan(from, n);
      ASSERT_EQ(crc32c(part), textbook(part)) << from << " " << n;
      ASSERT_EQ(crc32c_portable(part), textbook(part)) << from << " " << n;
    }
}

TEST(Crc32c, ContinuesWhereItStopped) {
  const auto data = noise(100);
  for (std::size_t n = 0; n <= data.size(); ++n) {
    const auto all = std::span(data);
    EXPECT_EQ(crc32c(all.subspan(n), crc32c(all.first(n))), crc32c(all));
    EXPECT_EQ(crc32c_portable(all.subspan(n), crc32c(all.first(n))), crc32c(all));
  }
}

TEST(Crc32c, ChunksSideBySideAreChunksOneByOne) {
  for (const std::size_t size : {1u, 63u, 64u, 65u, 500u, 512u, 513u, 64u * 9 + 1}) {
    const auto data = noise(size);
    std::vector<std::uint32_t> out((size + 63) / 64);
    crc32c_chunks(data, 64, out);
    for (std::size_t i = 0; i < out.size(); ++i)
      EXPECT_EQ(out[i], textbook(std::span(data).subspan(
                            64 * i, std::min<std::size_t>(64, size - 64 * i))));
  }
}

}  // namespace
}  // namespace bloomery::base
