#include <gtest/gtest.h>

#include "hash/cityhash.hpp"
#include "hash_columns.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

TEST(ForeignHashCity, KnownAnswers) {
  EXPECT_EQ(hash::city64(""), 0x9ae16a3b2f90404fu);
  EXPECT_EQ(hash::city64("a"), 0x2420662cd003acfau);
  EXPECT_EQ(hash::city64("k0"), 0x8c87c3ee80617bfcu);
  EXPECT_EQ(hash::city64("foobar"), 0x346968999f094c4du);
  EXPECT_EQ(hash::city64_with_seed("", 0), 0u);
}

TEST(ForeignHashCity, EdgeKeysAsTheOwnerHashesThem) {
  BLOOMERY_NEEDS_FIXTURE(hash_table_name);
  const auto keys = edge65();
  const auto plain = hash_numbers("cityhash64_v1.0.2");
  const auto seeded = hash_numbers("cityhash64_v1.0.2_withseed0");
  ASSERT_EQ(plain.size(), keys.size());
  ASSERT_EQ(seeded.size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(hash::city64(keys[i]), plain[i]) << i;
    EXPECT_EQ(hash::city64_with_seed(keys[i], 0), seeded[i]) << i;
  }
}

}  // namespace
}  // namespace bloomery::testing
