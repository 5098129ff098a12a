// Answers published by the authors of each hash, or printed by their programs.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <bloomery/detail/hash/mix.hpp>
#include "hash/fnv1a.hpp"
#include "hash/murmur.hpp"
#include "hash/siphash.hpp"
#include "hash/xxh.hpp"

namespace bloomery::hash {
namespace {

TEST(HashKnownAnswers, Fnv1a64) {
  EXPECT_EQ(fnv1a64(""), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a64("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a64("foobar"), 0x85944171f73967e8u);
  EXPECT_EQ(fnv1a64("k0"), 0x08be0e07b562230eu);
}

TEST(HashKnownAnswers, SplitMix64IsTheWholeStep) {
  EXPECT_EQ(splitmix64(0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(splitmix64(0xdeadbeef), 0x4adfb90f68c9eb9bu);
}

TEST(HashKnownAnswers, Fnv1aThenSplitMix) {
  EXPECT_EQ(fnv1a_splitmix(""), 0xc3817c016ba4ff30u);
  EXPECT_EQ(fnv1a_splitmix("a"), 0x5f29c2aadd9b8527u);
  EXPECT_EQ(fnv1a_splitmix("foobar"), 0x5df295413403de4fu);
  EXPECT_EQ(fnv1a_splitmix("k0"), 0x818ba4c7a135317fu);
}

TEST(HashKnownAnswers, Xxh64) {
  EXPECT_EQ(xxh64("", 0), 0xef46db3751d8e999u);
  EXPECT_EQ(xxh64("a", 0), 0xd24ec4f1a98c6e5bu);
  EXPECT_EQ(xxh64("abc", 0), 0x44bc2cf5ad770999u);
  EXPECT_EQ(xxh64("k0", 0), 0x6c16de135b8c63aau);
  EXPECT_EQ(xxh64("foobar", 0), 0xa2aa05ed9085aaf9u);
  EXPECT_EQ(xxh64("", 1), 0xd5afba1336a3be4bu);
  EXPECT_EQ(xxh64("k0", 1), 0x014336fbdf021d2du);
}

// The sanity check of xxHash: prefixes of one byte sequence, without and with a seed.
// The lengths take each of the hash's code paths.
TEST(HashKnownAnswers, Xxh3) {
  constexpr std::uint64_t prime32 = 2654435761u, prime64 = 11400714785074694797u;
  std::string buffer;
  for (std::uint64_t g = prime32; buffer.size() < 2367; g *= prime64)
    buffer.push_back(static_cast<char>(g >> 56));
  struct answer {
    std::size_t length;
    std::uint64_t plain, seeded;
  };
  constexpr std::array<answer, 13> answers{{
      {0, 0x2d06800538d394c2, 0xa8a6b918b2f0364a},
      {1, 0xc44bdff4074eecdb, 0x032be332dd766ef8},
      {6, 0x27b56a84cd2d7325, 0x84589c116ab59ab9},
      {12, 0xa713daf0dfbb77e7, 0xe7303e1b2336de0e},
      {24, 0xa3fe70bf9d3510eb, 0x850e80fc35bdd690},
      {48, 0x397da259ecba1f11, 0xadc2cbaa44acc616},
      {80, 0xbcdefbbb2c47c90a, 0xc6dd0cb699532e73},
      {195, 0xcd94217ee362ec3a, 0xba68003d370cb3d9},
      {403, 0xcdeb804d65c6dea4, 0x6259f6ecfd6443fd},
      {512, 0x617e49599013cb6b, 0x3ce457de14c27708},
      {2048, 0xdd59e2c3a5f038e0, 0x66f81670669ababc},
      {2240, 0x6e73a90539cf2948, 0x757ba8487d1b5247},
      {2367, 0xcb37aeb9e5d361ed, 0xd2db3415b942b42a},
  }};
  for (const answer& a : answers) {
    const auto bytes = std::string_view(buffer).substr(0, a.length);
    EXPECT_EQ(xxh3(bytes, 0), a.plain) << a.length;
    EXPECT_EQ(xxh3(bytes, prime64), a.seeded) << a.length;
  }
}

TEST(HashKnownAnswers, Murmur3) {
  const auto hash = [](std::string_view s) { return murmur3_x64_128(s, 0); };
  EXPECT_EQ(hash(""), (u64_pair{0, 0}));
  EXPECT_EQ(hash("a"), (u64_pair{0x85555565f6597889, 0xe6b53a48510e895a}));
  EXPECT_EQ(hash("k0"), (u64_pair{0x4e409fb80c83ec89, 0xcca38b7e3da852ed}));
  EXPECT_EQ(hash("hello"), (u64_pair{0xcbd8a7b341bd9b02, 0x5b1e906a48ae1d19}));
  EXPECT_EQ(hash("foobar"), (u64_pair{0xbdd2ae7116c85a45, 0x74a255e0baf8d6af}));
  EXPECT_EQ(hash("The quick brown fox jumps over the lazy dog"),
            (u64_pair{0xe34bbc7bbc071b6c, 0x7a433ca9c49a9347}));
}

TEST(HashKnownAnswers, Murmur64A) {
  EXPECT_EQ(murmur64a("", 0), 0u);
  EXPECT_EQ(murmur64a("", 0xc6a4a7935bd1e995), 0x1ab11ea5a7b2c56eu);
}

TEST(HashKnownAnswers, SipHash13) {
  std::string message;
  for (int i = 0; i < 15; ++i) message.push_back(static_cast<char>(i));
  EXPECT_EQ(siphash13("", 0x0706050403020100, 0x0f0e0d0c0b0a0908), 0xabac0158050fc4dcu);
  EXPECT_EQ(siphash13(message, 0x0706050403020100, 0x0f0e0d0c0b0a0908),
            0xd320d86d2a519956u);
}

}  // namespace
}  // namespace bloomery::hash
