#include "base/crc32c.hpp"

#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace bloomery::base {
namespace {

std::uint32_t of(std::string_view s, std::uint32_t seed = 0) {
  return crc32c(std::as_bytes(std::span(s)), seed);
}

TEST(Crc32c, KnownAnswers) {
  EXPECT_EQ(of(""), 0u);
  EXPECT_EQ(of("123456789"), 0xe3069283u);
  // RFC 3720, B.4.
  EXPECT_EQ(of(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(of(std::string(32, '\xff')), 0x62a8ab43u);
}

TEST(Crc32c, PiecesFollowOneAnother) {
  constexpr std::string_view all = "123456789";
  for (std::size_t i = 0; i <= all.size(); ++i)
    EXPECT_EQ(of(all.substr(i), of(all.substr(0, i))), 0xe3069283u);
}

}  // namespace
}  // namespace bloomery::base
