// Cassandra's murmur: answers its own code gave.
#include <string>

#include <gtest/gtest.h>

#include "hash/murmur.hpp"
#include "hash_columns.hpp"
#include "hex.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

TEST(CassandraMurmur, KnownAnswers) {
  EXPECT_EQ(hash::murmur3_x64_128_signed_tail("\xff\xfe\xfd", 0),
            (hash::u64_pair{0x4250cb4de760fded, 0x8a6b3706f4b5346c}));
  // Without bytes above 0x7f it is the usual one.
  for (const char* s : {"", "a", "k0", "foobar", "The quick brown fox jumps"})
    EXPECT_EQ(hash::murmur3_x64_128_signed_tail(s, 0), hash::murmur3_x64_128(s, 0)) << s;
}

TEST(CassandraMurmur, EveryLength) {
  BLOOMERY_NEEDS_FIXTURE(hash_table_name);
  const auto keys = edge65();
  const auto first = hash_column("cassandra_murmur3_h1");
  const auto second = hash_column("cassandra_murmur3_h2");
  ASSERT_EQ(first.size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto h = hash::murmur3_x64_128_signed_tail(keys[i], 0);
    EXPECT_EQ(to_hex(h.first), first[i]) << i;
    EXPECT_EQ(to_hex(h.second), second[i]) << i;
  }
}

}  // namespace
}  // namespace bloomery::testing
