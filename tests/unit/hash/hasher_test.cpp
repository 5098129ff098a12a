#include <bloomery/hasher.hpp>

#include <set>

#include <gtest/gtest.h>

#include <bloomery/detail/hash/mix.hpp>
#include "edges.hpp"
#include "hash/fnv1a.hpp"
#include "hash/siphash.hpp"
#include "hash/xxh.hpp"
#include "secret.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

const hasher::secret secret = testing::counting_secret();

const hasher all[] = {hasher::xxh3(),  hasher::xxh3(42),  hasher::fnv1a_splitmix(),
                      hasher::xxh64(), hasher::xxh64(42), hasher::siphash13(secret)};

std::string eight_bytes(std::uint64_t x) {
  std::string s;
  for (int i = 0; i < 8; ++i) s.push_back(static_cast<char>(x >> (8 * i) & 0xff));
  return s;
}

TEST(Hasher, IsTheHashItNames) {
  for (const std::string& s : testing::mixed_strings(1, 200)) {
    EXPECT_EQ(hasher::xxh3(9).hash(s).bits(), hash::xxh3(s, 9));
    EXPECT_EQ(hasher::xxh64(9).hash(s).bits(), hash::xxh64(s, 9));
    EXPECT_EQ(hasher::fnv1a_splitmix().hash(s).bits(), hash::fnv1a_splitmix(s));
    EXPECT_EQ(hasher::siphash13(secret).hash(s).bits(),
              hash::siphash13(s, 0x0706050403020100, 0x0f0e0d0c0b0a0908));
  }
}

TEST(Hasher, ABatchIsItsKeysOneByOne) {
  for (const hasher& h : all)
    for (const std::size_t n : testing::edge_counts) {
      const auto strings = testing::mixed_strings(n, n);
      const auto texts = testing::views(strings);
      std::vector<key> out(n, key::from_bits(0));
      h.hash(texts, out);
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_EQ(out[i], h.hash(texts[i])) << name_of(h.id()) << " " << i << "/" << n;
    }
}

TEST(Hasher, TextAndBytesAreTheSame) {
  for (const hasher& h : all)
    for (const std::string& s : testing::mixed_strings(2, 50))
      EXPECT_EQ(h.hash(std::as_bytes(std::span(s))), h.hash(s));
}

// A default string_view has no address at all.
TEST(Hasher, TheEmptyKeyHasManyFaces) {
  for (const hasher& h : all) {
    EXPECT_EQ(h.hash(std::string_view()), h.hash(std::string_view("")));
    EXPECT_EQ(h.hash(std::span<const std::byte>()), h.hash(std::string_view("")));
    const std::vector<std::string_view> none(9);
    std::vector<key> out(9);
    h.hash(none, out);
    EXPECT_EQ(out[0], h.hash(std::string_view("")));
    EXPECT_EQ(out[8], out[0]);
  }
}

TEST(Hasher, IntegersAreMixedUnderXxh3AndHashedAsBytesOtherwise) {
  testing::random from(3);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t x =
        i < 3 ? ~std::uint64_t{0} * static_cast<unsigned>(i) : from.next();
    EXPECT_EQ(hasher::xxh3(7).of(key_source::integers).hash_u64(x).bits(),
              hash::fmix64(x ^ hash::splitmix64(7)));
    for (const hasher& h :
         {hasher::fnv1a_splitmix(), hasher::xxh64(7), hasher::siphash13(secret)})
      EXPECT_EQ(h.of(key_source::integers).hash_u64(x), h.hash(eight_bytes(x)));
  }
}

TEST(Hasher, EqualityIsOfHashSeedAndSecret) {
  hasher::secret other = secret;
  other[15] ^= std::byte{1};
  const hasher some[] = {hasher::xxh3(0),          hasher::xxh3(1),
                         hasher::xxh64(0),         hasher::xxh64(1),
                         hasher::fnv1a_splitmix(), hasher::siphash13(secret),
                         hasher::siphash13(other)};
  for (std::size_t i = 0; i < std::size(some); ++i)
    for (std::size_t j = 0; j < std::size(some); ++j)
      EXPECT_EQ(some[i] == some[j], i == j) << i << " " << j;
}

TEST(Hasher, CheckTellsHashesSeedsAndSecretsApart) {
  std::set<std::uint64_t> seen;
  for (const hasher& h : all) {
    EXPECT_EQ(h.check(), h.hash(std::string_view("bloomery")).bits());
    seen.insert(h.check());
  }
  EXPECT_EQ(seen.size(), std::size(all));
}

TEST(Hasher, ShowsItsSeedButNoSecret) {
  EXPECT_EQ(hasher::xxh3(5).seed(), 5u);
  EXPECT_EQ(hasher::xxh64(6).seed(), 6u);
  EXPECT_EQ(hasher::fnv1a_splitmix().seed(), 0u);
  EXPECT_EQ(hasher::siphash13(secret).seed(), 0u);
}

TEST(Hasher, IdsAndNamesAreFixed) {  // files hold the numbers
  EXPECT_EQ(static_cast<int>(hasher::xxh3().id()), 1);
  EXPECT_EQ(static_cast<int>(hasher::fnv1a_splitmix().id()), 2);
  EXPECT_EQ(static_cast<int>(hasher::xxh64().id()), 3);
  EXPECT_EQ(static_cast<int>(hasher::siphash13(secret).id()), 4);
  EXPECT_STREQ(name_of(hash_id::xxh3), "xxh3");
  EXPECT_STREQ(name_of(hash_id::fnv1a_splitmix), "fnv1a-splitmix");
  EXPECT_STREQ(name_of(hash_id::xxh64), "xxh64");
  EXPECT_STREQ(name_of(hash_id::siphash13), "siphash13");
}

TEST(Hasher, TheSelfCheckPasses) { EXPECT_TRUE(check_hashes()); }

// Two equal ones among 1000 draws of 128 bits, or a byte that never changes, would be a
// generator that does not work: by chance 1 in 2^100 and less.
TEST(Hasher, RandomSecretsDiffer) {
  std::set<hasher::secret> seen;
  hasher::secret all_or{}, all_and;
  all_and.fill(std::byte{0xff});
  for (int i = 0; i < 1000; ++i) {
    const auto s = hasher::random_secret();
    ASSERT_TRUE(s) << s.error().what;
    seen.insert(*s);
    for (std::size_t b = 0; b < s->size(); ++b)
      all_or[b] |= (*s)[b], all_and[b] &= (*s)[b];
  }
  EXPECT_EQ(seen.size(), 1000);
  for (std::size_t b = 0; b < all_or.size(); ++b)
    EXPECT_TRUE(all_or[b] == std::byte{0xff} && all_and[b] == std::byte{0}) << b;
}

}  // namespace
}  // namespace bloomery
