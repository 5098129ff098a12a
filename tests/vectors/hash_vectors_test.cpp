// The library against spec/vectors/hash.json.
#include <string>

#include <gtest/gtest.h>

#include <bloomery/hasher.hpp>

#include <bloomery/detail/hash/mix.hpp>
#include "hash/fnv1a.hpp"
#include "hash/murmur.hpp"
#include "hex.hpp"
#include "secret.hpp"
#include "test_key.hpp"
#include "textbook.hpp"
#include "vectors.hpp"

namespace bloomery::testing {
namespace {

using nlohmann::json;

hasher sip() { return hasher::siphash13(counting_secret()); }

void expect_hashes(const json& row, const std::string& s) {
  SCOPED_TRACE(row.dump());
  const auto is = [&](const char* name, std::uint64_t h) {
    EXPECT_EQ(row.at(name).get<std::string>(), to_hex(h)) << name;
  };
  is("fnv1a64", hash::fnv1a64(s));
  is("fnv1a-splitmix", hasher::fnv1a_splitmix().hash(s).bits());
  is("fnv1a-splitmix", textbook_hash(s));
  is("xxh3_0", hasher::xxh3(0).hash(s).bits());
  is("xxh3_1", hasher::xxh3(1).hash(s).bits());
  is("xxh64_0", hasher::xxh64(0).hash(s).bits());
  is("xxh64_1", hasher::xxh64(1).hash(s).bits());
  is("siphash13", sip().hash(s).bits());
  is("murmur3_h1", hash::murmur3_x64_128(s, 0).first);
  is("murmur3_h2", hash::murmur3_x64_128(s, 0).second);
  is("murmur64a_0", hash::murmur64a(s, 0));
  is("murmur64a_c6a4a7935bd1e995", hash::murmur64a(s, 0xc6a4a7935bd1e995));
  EXPECT_EQ(row.size(), 12u);  // every column of the file is looked at
}

TEST(HashVectors, OfEveryLengthUpTo64) {
  const json rows = vectors("hash.json").at("edge65");
  const auto inputs = edge65();
  ASSERT_EQ(rows.size(), inputs.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].at("length"), i);
    expect_hashes(rows[i], inputs[i]);
  }
}

TEST(HashVectors, OfTexts) {
  const json rows = vectors("hash.json").at("texts");
  EXPECT_GE(rows.size(), 8u);
  for (const json& row : rows) expect_hashes(row, row.at("text"));
}

TEST(HashVectors, OfIntegers) {
  const json file = vectors("hash.json");
  EXPECT_GE(file.at("integers").size(), 5u);
  for (const json& row : file.at("integers")) {
    const std::uint64_t x = u64_from_hex(row.at("x"));
    EXPECT_EQ(row.at("xxh3_0"),
              to_hex(hasher::xxh3(0).of(key_source::integers).hash_u64(x).bits()));
    EXPECT_EQ(row.at("xxh3_1"),
              to_hex(hasher::xxh3(1).of(key_source::integers).hash_u64(x).bits()));
    EXPECT_EQ(
        row.at("fnv1a-splitmix"),
        to_hex(hasher::fnv1a_splitmix().of(key_source::integers).hash_u64(x).bits()));
    EXPECT_EQ(row.at("xxh64_0"),
              to_hex(hasher::xxh64(0).of(key_source::integers).hash_u64(x).bits()));
    EXPECT_EQ(row.at("siphash13"),
              to_hex(sip().of(key_source::integers).hash_u64(x).bits()));
  }
  for (const json& row : file.at("splitmix64"))
    EXPECT_EQ(row.at("result"), to_hex(hash::splitmix64(u64_from_hex(row.at("x")))));
}

}  // namespace
}  // namespace bloomery::testing
