#include "subject.hpp"

#include <utility>

#include <bloomery/block_bloom.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "bit_forgers.hpp"
#include "block_forger.hpp"
#include "invert.hpp"
#include "xxh.hpp"

namespace attack {

using bloomery::hasher;
using bloomery::key_source;

namespace {

constexpr double rate = 0.01;
constexpr std::size_t draws = 2000;

subject foreign(const scale& s, const char* dialect, const char* name, const char* hash,
                std::unique_ptr<forger> (*forge)(bit_layout)) {
  const auto make = [n = s.keys, dialect] {
    bloomery::foreign_params p;
    p.keys = n;
    p.fpr = rate;
    return must(bloomery::foreign_filter::make(dialect, p));
  };
  return {name,
          hash,
          false,
          false,
          [make] { return std::make_unique<foreign_victim>(make()); },
          [make, forge] {
            const auto f = make();
            return forge({f.bits(), f.hashes(), draws});
          }};
}

subject portable(const scale& s) {
  const auto make = [n = s.keys] {
    return must(bloomery::portable_bloom::make({.keys = n, .fpr = rate}));
  };
  return {"portable",
          "FNV-1a + SplitMix64",
          false,
          false,
          [make] {
            return std::make_unique<native_victim<bloomery::portable_bloom>>(make());
          },
          [make] {
            const auto f = make();
            return portable_forger({f.bits(), f.hashes(), draws});
          }};
}

template <class F>
subject blocks(const char* name, const char* hash, typename F::params p,
               block_forger::forward forward, block_forger::backward backward) {
  const hasher h = must(F::make(p)).hasher();
  return {name,
          hash,
          h.source() == key_source::integers,
          h.id() == bloomery::hash_id::siphash13,
          [p] { return std::make_unique<native_victim<F>>(must(F::make(p))); },
          [p, forward, backward] {
            return std::make_unique<block_forger>(must(F::make(p)).shape(), forward,
                                                  backward);
          }};
}

subject block_of_integers(const scale& s, const hasher& h) {
  const bool keyed = h.id() == bloomery::hash_id::siphash13;
  return blocks<bloomery::block_bloom>(
      "block, integers", keyed ? "SipHash-1-3" : "fmix64",
      {.keys = s.keys, .fpr = rate, .hasher = h.of(key_source::integers)},
      [](std::string_view key) { return fmix64(load(key) ^ splitmix64(0)); },
      [](std::uint64_t wanted) { return bytes_of(unfmix64(wanted) ^ splitmix64(0)); });
}

subject parquet(const scale& s) {
  return blocks<bloomery::split_block_bloom>(
      "Parquet's split-block", "XXH64", {.keys = s.keys, .fpr = rate},
      [](std::string_view key) { return hasher::xxh64().hash(key).bits(); },
      xxh64_8_with_hash);
}

}  // namespace

std::string honest_key(std::uint64_t i, bool integers) {
  const std::uint64_t a = splitmix64(i), b = splitmix64(a);
  if (integers) return bytes_of(a);
  std::string text = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  unsigned digit = 0;
  for (char& c : text) {
    if (c == '-') continue;
    c = "0123456789abcdef"[(digit < 16 ? a : b) >> (4 * (digit % 16)) & 15];
    ++digit;
  }
  return text;
}

subject block_of_texts(const scale& s, const hasher& h) {
  const bool keyed = h.id() == bloomery::hash_id::siphash13;
  const xxh3_8 inverted(hasher::xxh3().check());
  return blocks<bloomery::block_bloom>(
      "block, texts", keyed ? "SipHash-1-3" : "XXH3",
      {.keys = s.keys, .fpr = rate, .hasher = h},
      [](std::string_view key) { return hasher::xxh3().hash(key).bits(); },
      [inverted](std::uint64_t wanted) { return inverted.with_hash(wanted); });
}

std::vector<subject> subjects(const scale& s, const hasher::secret& secret) {
  const hasher keyed = hasher::siphash13(secret);
  return {foreign(s, "redisbloom", "RedisBloom", "MurmurHash64A", redisbloom_forger),
          foreign(s, "guava", "Guava", "Murmur3 128", guava_forger),
          foreign(s, "bits-and-blooms", "bits-and-blooms", "Murmur3 128, twice",
                  bits_and_blooms_forger),
          portable(s),
          parquet(s),
          block_of_texts(s, hasher::xxh3()),
          block_of_integers(s, hasher::xxh3()),
          block_of_texts(s, keyed),
          block_of_integers(s, keyed)};
}

}  // namespace attack
