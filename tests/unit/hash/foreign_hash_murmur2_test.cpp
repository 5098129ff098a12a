#include <gtest/gtest.h>

#include "hash/murmur.hpp"
#include "hash/murmur2.hpp"
#include "hash_columns.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

TEST(ForeignHashMurmur2, KnownAnswers) {
  EXPECT_EQ(hash::murmur2_32("", 0x9747b28c), 0x106e08d9u);
  EXPECT_EQ(hash::murmur2_32("", 0), 0u);
}

TEST(ForeignHashMurmur2, EdgeKeysAsTheOwnerHashesThem) {
  BLOOMERY_NEEDS_FIXTURE(hash_table_name);
  const auto keys = edge65();
  const auto narrow = hash_numbers("murmur2_32_s_9747b28c");
  const auto wide = hash_numbers("murmur64A_s_c6a4a7935bd1e995");
  ASSERT_EQ(narrow.size(), keys.size());
  ASSERT_EQ(wide.size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(hash::murmur2_32(keys[i], 0x9747b28c), narrow[i]) << i;
    EXPECT_EQ(hash::murmur64a(keys[i], 0xc6a4a7935bd1e995), wide[i]) << i;
  }
}

}  // namespace
}  // namespace bloomery::testing
