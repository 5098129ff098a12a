// spec/vectors/hash.json and hash_long.json
#include <string>
#include <string_view>

#include <bloomery/hasher.hpp>

#include <bloomery/detail/hash/mix.hpp>
#include "hash/fnv1a.hpp"
#include "hash/murmur.hpp"
#include "hex.hpp"
#include "make_vectors/make_vectors.hpp"
#include "secret.hpp"
#include "test_key.hpp"

namespace bloomery::vectors {
namespace {

using testing::to_hex;

constexpr std::uint64_t murmur_seed = 0xc6a4a7935bd1e995;

hasher sip() { return hasher::siphash13(testing::counting_secret()); }

void add_hashes(json& row, std::string_view s) {
  const auto murmur3 = hash::murmur3_x64_128(s, 0);
  row["fnv1a64"] = to_hex(hash::fnv1a64(s));
  row["fnv1a-splitmix"] = to_hex(hasher::fnv1a_splitmix().hash(s).bits());
  row["xxh3_0"] = to_hex(hasher::xxh3(0).hash(s).bits());
  row["xxh3_1"] = to_hex(hasher::xxh3(1).hash(s).bits());
  row["xxh64_0"] = to_hex(hasher::xxh64(0).hash(s).bits());
  row["xxh64_1"] = to_hex(hasher::xxh64(1).hash(s).bits());
  row["siphash13"] = to_hex(sip().hash(s).bits());
  row["murmur3_h1"] = to_hex(murmur3.first);
  row["murmur3_h2"] = to_hex(murmur3.second);
  row["murmur64a_0"] = to_hex(hash::murmur64a(s, 0));
  row["murmur64a_c6a4a7935bd1e995"] = to_hex(hash::murmur64a(s, murmur_seed));
}

}  // namespace

json hashes() {
  json out;
  out["_comment"] = {
      "Hashes of spec/hash.md.  Results are 64-bit integers, most significant digit "
      "first.",
      "edge65: the input of length L has the bytes (31*L + 7*j + 128) mod 256, j = "
      "0..L-1.",
      "texts: the ASCII bytes.  integers: spec/hash.md section 6, x in hex.",
      "xxh3_S, xxh64_S, murmur64a_S: seed S, in hex.  murmur3: x64_128, seed 0.",
      "siphash13: SipHash-1-3 under the secret 00 01 02 .. 0f.",
      "splitmix64: one step of the generator with state x."};
  for (const std::string& s : testing::edge65()) {
    json row{{"length", s.size()}};
    add_hashes(row, s);
    out["edge65"].push_back(row);
  }
  for (const char* s : {"", "a", "abc", "k0", "foobar", "hello", "bloomery",
                        "The quick brown fox jumps over the lazy dog"}) {
    json row{{"text", s}};
    add_hashes(row, s);
    out["texts"].push_back(row);
  }
  for (const std::uint64_t x : {0ull, 1ull, 42ull, 0xdeadbeefull, ~0ull}) {
    out["splitmix64"].push_back(
        {{"x", to_hex(x)}, {"result", to_hex(hash::splitmix64(x))}});
    out["integers"].push_back(
        {{"x", to_hex(x)},
         {"xxh3_0", to_hex(hasher::xxh3(0).of(key_source::integers).hash_u64(x).bits())},
         {"xxh3_1", to_hex(hasher::xxh3(1).of(key_source::integers).hash_u64(x).bits())},
         {"fnv1a-splitmix",
          to_hex(hasher::fnv1a_splitmix().of(key_source::integers).hash_u64(x).bits())},
         {"xxh64_0",
          to_hex(hasher::xxh64(0).of(key_source::integers).hash_u64(x).bits())},
         {"siphash13", to_hex(sip().of(key_source::integers).hash_u64(x).bits())}});
  }
  return out;
}

json hashes_long() {
  json out;
  out["_comment"] = {
      "Hashes of spec/hash.md on both sides of every case of XXH3 and XXH64, beyond the "
      "64 bytes",
      "of hash.json.  The input of length L has the bytes j mod 251, j = 0..L-1.  "
      "Columns "
      "as in",
      "hash.json; xxh3_f, xxh64_f: seed ffffffffffffffff."};
  for (const std::size_t length :
       {65,   96,   97,   127,  128,  129,  144,  145,  192,  239,  240,
        241,  255,  256,  257,  511,  512,  513,  575,  576,  577,  1023,
        1024, 1025, 1087, 1088, 1089, 2047, 2048, 2049, 4096, 10000}) {
    std::string s(length, '\0');
    for (std::size_t j = 0; j < length; ++j) s[j] = static_cast<char>(j % 251);
    out["patterns"].push_back(
        {{"length", length},
         {"fnv1a-splitmix", to_hex(hasher::fnv1a_splitmix().hash(s).bits())},
         {"xxh3_0", to_hex(hasher::xxh3(0).hash(s).bits())},
         {"xxh3_1", to_hex(hasher::xxh3(1).hash(s).bits())},
         {"xxh3_f", to_hex(hasher::xxh3(~std::uint64_t{0}).hash(s).bits())},
         {"xxh64_0", to_hex(hasher::xxh64(0).hash(s).bits())},
         {"xxh64_f", to_hex(hasher::xxh64(~std::uint64_t{0}).hash(s).bits())},
         {"siphash13", to_hex(sip().hash(s).bits())}});
  }
  return out;
}

}  // namespace bloomery::vectors
