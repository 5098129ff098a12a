#include <bloomery/detail/key_source.hpp>

#include <array>
#include <span>
#include <string>
#include <string_view>

#include <bloomery/hasher.hpp>

#include <gtest/gtest.h>

namespace bloomery {
namespace {

constexpr key_source all_sources[] = {
    key_source::bytes,   key_source::integers, key_source::hashes,
    key_source::int32,   key_source::int32be,  key_source::int64be,
    key_source::float32, key_source::float64,  key_source::utf16};

// Files hold the names (spec/hash.md, section 6).
TEST(KeySource, HasAName) {
  static_assert(std::size(all_sources) == static_cast<std::size_t>(last_key_source) + 1);
  for (const key_source s : all_sources) EXPECT_EQ(find_key_source(name_of(s)), s);
  EXPECT_STREQ(name_of(key_source::integers), "integers");
  EXPECT_STREQ(name_of(key_source::hashes), "hashes");
  for (const char* other : {"", "Integers", "integers ", "u64", "int64", "byte"})
    EXPECT_FALSE(find_key_source(other)) << other;
}

TEST(KeySource, MakesAnotherHasherOfTheSameHash) {
  const hasher h = hasher::xxh3(7);
  EXPECT_EQ(h.source(), key_source::bytes);
  for (const key_source a : all_sources)
    for (const key_source b : all_sources) EXPECT_EQ(h.of(a) == h.of(b), a == b);
  for (const key_source s : all_sources) EXPECT_EQ(h.of(s).check(), h.check());
  EXPECT_EQ(h.of(key_source::utf16).hash("ab"), h.hash("ab"));
  EXPECT_EQ(h.of(key_source::hashes).from_hash(99).bits(), 99u);
}

// A key of another source would be denied for ever: no call makes one by mistake.
TEST(KeySourceDeathTest, AKeyOfAnotherSourceIsRefused) {
  const hasher bytes = hasher::xxh3(), integers = bytes.of(key_source::integers),
               hashes = bytes.of(key_source::hashes);
  const std::array<std::string_view, 1> texts{"alice"};
  std::array<key, 1> keys;
  EXPECT_DEATH((void)bytes.hash_u64(42), "not integers");
  EXPECT_DEATH((void)hashes.hash_u64(42), "not integers");
  EXPECT_DEATH((void)bytes.from_hash(42), "not hashes");
  EXPECT_DEATH((void)integers.from_hash(42), "not hashes");
  EXPECT_DEATH((void)integers.hash("alice"), "given bytes");
  EXPECT_DEATH((void)hashes.hash("alice"), "given bytes");
  EXPECT_DEATH(integers.hash(texts, keys), "given bytes");
  for (const key_source s : all_sources)
    if (is_hashed_as_bytes(s)) {
      EXPECT_EQ(bytes.of(s).hash("a"), bytes.hash("a"));
    }
}

TEST(KeySourceDeathTest, ABatchHasRoomForItsKeys) {
  const std::array<std::string_view, 2> texts{"alice", "bob"};
  std::array<key, 3> keys;
  EXPECT_DEATH(hasher::xxh3().hash(texts, std::span(keys).first(1)), "one key");
  EXPECT_DEATH(hasher::xxh3().hash(texts, keys), "one key");
}

}  // namespace
}  // namespace bloomery
