#include <string>

#include <gtest/gtest.h>

#include "hash/siphash.hpp"
#include "hash_columns.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

constexpr std::uint64_t k0 = 0x0706050403020100, k1 = 0x0f0e0d0c0b0a0908;

TEST(ForeignHashSipHash, KnownAnswers) {
  std::string message;
  for (char c = 0; c < 15; ++c) message.push_back(c);
  EXPECT_EQ(hash::siphash13("", k0, k1), 0xabac0158050fc4dcu);
  EXPECT_EQ(hash::siphash13(message, k0, k1), 0xd320d86d2a519956u);
}

TEST(ForeignHashSipHash, EdgeKeysAsTheOwnerHashesThem) {
  BLOOMERY_NEEDS_FIXTURE(hash_table_name);
  const auto keys = edge65();
  const auto expected = hash_numbers("siphash13_key000102..0f");
  ASSERT_EQ(expected.size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    EXPECT_EQ(hash::siphash13(keys[i], k0, k1), expected[i]) << i;
}

// The framing is that of the plain hash over the bytes Rust would feed it.
TEST(ForeignHashSipHash, RustFeedsALengthBeforeSlicesAndAByteAfterText) {
  for (const std::string& key : edge65()) {
    std::string slice(1, static_cast<char>(key.size()));
    slice.append(7, '\0').append(key);
    EXPECT_EQ(hash::siphash13_slice(key, k0, k1), hash::siphash13(slice, k0, k1));
    EXPECT_EQ(hash::siphash13_str(key, k0, k1), hash::siphash13(key + '\xff', k0, k1));
  }
}

}  // namespace
}  // namespace bloomery::testing
