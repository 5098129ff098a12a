// Spark's murmur: answers its own code gave.
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "hash/spark_murmur.hpp"
#include "hash_columns.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

std::string hex32(std::uint32_t v) {
  char text[9];
  std::snprintf(text, sizeof text, "%08x", v);
  return text;
}

TEST(SparkMurmur, KnownAnswers) {
  EXPECT_EQ(hash::spark_murmur3("", 0), 0u);
  // The published answer of murmur3 x86_32: words only, so the tail does not matter.
  EXPECT_EQ(hash::spark_murmur3("test", 0), 0xba6bd213u);
  // One byte above 0x7f: a word of its own, sign-extended.
  EXPECT_EQ(hash::spark_murmur3("\x9f", 0), 0xf5764fafu);
}

TEST(SparkMurmur, EveryLength) {
  BLOOMERY_NEEDS_FIXTURE(hash_table_name);
  const auto keys = edge65();
  const auto column = hash_column("spark_murmur3_32_s0");
  ASSERT_EQ(column.size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    EXPECT_EQ(hex32(hash::spark_murmur3(keys[i], 0)), column[i]) << i;
}

}  // namespace
}  // namespace bloomery::testing
