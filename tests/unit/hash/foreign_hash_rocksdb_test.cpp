// The hashes of LevelDB and RocksDB: published answers, and what their programs printed.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "hash/leveldb.hpp"
#include "hash/xxph3.hpp"
#include "hash_columns.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <class Hash>
void agrees_with_column(const std::string& name, Hash hash) {
  const auto answers = hash_numbers(name);
  const auto edges = edge65();
  ASSERT_EQ(answers.size(), edges.size()) << name;
  for (std::size_t i = 0; i < edges.size(); ++i)
    EXPECT_EQ(hash(edges[i]), answers[i]) << name << ", " << i << " bytes";
}

TEST(ForeignHashLevelDb, PublishedAnswers) {
  EXPECT_EQ(hash::leveldb(""), 0xbc9f1d34u);
  EXPECT_EQ(hash::leveldb("\x62"), 0xef1345c4u);
  EXPECT_EQ(hash::leveldb("\xc3\x97"), 0x5b663814u);
  EXPECT_EQ(hash::leveldb("\xe2\x99\xa5"), 0x323c078fu);
  EXPECT_EQ(hash::leveldb("\xe1\x80\xb9\x32"), 0xed21633au);
}

TEST(ForeignHashLevelDb, RocksDbExtendsTheSignOfTheTail) {
  EXPECT_EQ(hash::leveldb("\xff\xfe\xfd"), 0x43880227u);
  EXPECT_EQ(hash::rocksdb32("\xff\xfe\xfd"), 0x644d6f00u);
  for (const std::string_view plain : {"", "a", "ab", "abc", "abcd", "abcde"})
    EXPECT_EQ(hash::leveldb(plain), hash::rocksdb32(plain)) << plain;
  // Whole words are never extended.
  EXPECT_EQ(hash::leveldb("\xff\xfe\xfd\xfc"), hash::rocksdb32("\xff\xfe\xfd\xfc"));
}

TEST(ForeignHashLevelDb, AgreesWithTheirPrograms) {
  BLOOMERY_NEEDS_FIXTURE(hash_table_name);
  agrees_with_column("leveldb_BloomHash", [](auto& k) { return hash::leveldb(k); });
  agrees_with_column("rocksdb_legacy_BloomHash",
                     [](auto& k) { return hash::rocksdb32(k); });
}

TEST(ForeignHashXxph3, PublishedAnswers) {
  EXPECT_EQ(hash::xxph3(""), 0x5342c3010fe1dd04u);
  EXPECT_EQ(hash::xxph3("a"), 0x88d868bf607681c7u);
  EXPECT_EQ(hash::xxph3("k0"), 0x949a1dc321fbfc0du);
  EXPECT_EQ(hash::xxph3("foobar"), 0x822c0fc1bfbcbc8bu);
}

TEST(ForeignHashXxph3, AgreesWithRocksDb) {
  BLOOMERY_NEEDS_FIXTURE(hash_table_name);
  agrees_with_column("xxph3_64(rocksdb Hash64)", [](auto& k) { return hash::xxph3(k); });
}

// Byte j = 7 j + 128.  These are our own answers.  The code that gave them agrees with
// RocksDB up to 1300 bytes by a file of its own (fixtures, fastlocal_edgelong101), and up
// to 429 by one descriptor that RocksDB publishes; beyond, only with the text of the
// rule.
TEST(ForeignHashXxph3, LongKeys) {
  struct answer {
    std::size_t length;
    std::uint64_t hash;
  };
  constexpr answer answers[] = {
      {17, 0x7994c98a9104e5e7},   {32, 0x34b79b386f5ec06e},   {33, 0x39a2a0f3cdb6b69a},
      {64, 0xc85fdf52c5d77a2f},   {65, 0xce4680d0f9343a09},   {96, 0x8227a8e1bc2e5f3e},
      {97, 0x6fa15988d83cb7d4},   {128, 0x2148d5d96f5cdcc6},  {129, 0x28afafa9e1277f31},
      {240, 0x6e747f9bcda277e3},  {241, 0x6d5959ac6b81b221},  {256, 0x58f6ca5d15404d92},
      {1023, 0x562d8893a136f32f}, {1024, 0x064e2bc408db1526}, {1025, 0xbf1b75240944ab1b},
      {2048, 0x80a4736bcad2de41}, {2100, 0x32c8e43235a9b582}};
  std::string bytes;
  for (unsigned j = 0; j < 2100; ++j)
    bytes.push_back(static_cast<char>((7 * j + 128) & 0xff));
  for (const answer& a : answers)
    EXPECT_EQ(hash::xxph3(std::string_view(bytes).substr(0, a.length)), a.hash)
        << a.length;
}

// Around every length at which another rule takes over: no byte is left out, none is
// read twice where the rule does not say so, none outside the key (a sanitizer watches).
TEST(ForeignHashXxph3, EveryByteCounts) {
  for (const std::size_t length :
       {1u,    2u,    3u,    4u,    5u,    8u,    9u,    16u,   17u,  32u,  33u,
        64u,   65u,   96u,   97u,   128u,  129u,  143u,  144u,  145u, 239u, 240u,
        241u,  255u,  256u,  257u,  320u,  511u,  512u,  575u,  959u, 960u, 961u,
        1023u, 1024u, 1025u, 1087u, 1088u, 1089u, 2047u, 2048u, 2049u}) {
    std::vector<char> exact(length);  // on the heap, and no byte more
    for (std::size_t j = 0; j < length; ++j)
      exact[j] = static_cast<char>((31 * length + 7 * j + 128) & 0xff);
    const std::string_view key(exact.data(), exact.size());
    const std::uint64_t whole = hash::xxph3(key);
    for (std::size_t j = 0; j < length; ++j) {
      exact[j] ^= 0x10;
      EXPECT_NE(hash::xxph3(key), whole) << length << " bytes, byte " << j;
      exact[j] ^= 0x10;
    }
  }
}

}  // namespace
}  // namespace bloomery::testing
