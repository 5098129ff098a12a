#include "leaks.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <bloomery/block_bloom.hpp>
#include <bloomery/container.hpp>

#include "block_forger.hpp"
#include "chance.hpp"
#include "chosen_keys.hpp"
#include "invert.hpp"
#include "murmur64a.hpp"
#include "must.hpp"
#include "stopwatch.hpp"
#include "xxh.hpp"

namespace attack {

using bloomery::block_bloom;
using bloomery::hasher;
using bloomery::key_source;

namespace {

std::uint64_t word_at(std::span<const std::byte> file, std::size_t at) {
  return load({reinterpret_cast<const char*>(file.data()) + at, 8});
}

// Which bits a hash means, by spec/filters.md, section 2: the attacker has only bytes.
bool passes(std::span<const std::byte> bits, bloomery::block_shape shape,
            std::uint64_t h) {
  const std::uint64_t block = ((h >> 32) * shape.blocks) >> 32;
  for (unsigned j = 0; j < shape.lanes(); ++j) {
    const std::uint32_t bit =
        static_cast<std::uint32_t>(h) * bloomery::block_salt[j] >> 26;
    const std::size_t word = j + shape.lanes() * (bit / 32);
    const std::size_t at = block * shape.block_bytes() + 4 * word + bit % 32 / 8;
    if ((std::to_integer<unsigned>(bits[at]) >> bit % 8 & 1) == 0) return false;
  }
  return true;
}

}  // namespace

void try_seeds(const scale& much, std::uint64_t seed, report& out) {
  subject unknown = block_of_texts(much, hasher::xxh3(seed));
  unknown.hash = "XXH3, seed unknown";
  unknown.keyed = true;  // as long as nobody has it
  frame_absent_keys(unknown, much, out);
  forge_false_positives(unknown, much, out);

  subject read = unknown;
  read.hash = "XXH3, seed from its file";
  read.keyed = false;
  const auto filter =
      must(block_bloom::make({.keys = much.keys, .hasher = hasher::xxh3(seed)}));
  const auto file = must(filter.encode());
  const std::uint64_t seed_read = word_at(file.bytes(), 32);
  const xxh3_8 inverted(word_at(file.bytes(), 40));
  read.forge = [shape = filter.shape(), seed_read, inverted] {
    return std::make_unique<block_forger>(
        shape,
        [=](std::string_view key) { return hasher::xxh3(seed_read).hash(key).bits(); },
        [=](std::uint64_t wanted) { return inverted.with_hash(wanted); });
  };
  frame_absent_keys(read, much, out);
  forge_false_positives(read, much, out);
}

void try_seeds_of_murmur(const scale& much, report& out) {
  const std::string key = honest_key(0, false);
  const stopwatch time;
  const std::string twin = murmur64a::twin(key);
  const double seconds = time.seconds();
  std::uint64_t hits = 0;
  for (std::size_t i = 0; i < much.queries; ++i)
    hits += murmur64a::hash(key, splitmix64(i)) == murmur64a::hash(twin, splitmix64(i));
  const double share = static_cast<double>(hits) / static_cast<double>(much.queries);
  out.add({"none", "MurmurHash64A, any seed", "one pair of keys", 2, seconds,
           "seeds under which they collide", 0, share, hits, much.queries, 0x1p-64,
           judged(hits, much.queries, 0x1p-64), outcome::broken});
}

void try_stolen_file(const scale& much, const hasher::secret& secret, report& out) {
  auto filter =
      must(block_bloom::make({.keys = much.keys, .hasher = hasher::siphash13(secret)}));
  for (std::size_t i = 0; i < much.keys; ++i) filter.insert(honest_key(i, false));
  hasher::secret guess = secret;
  guess[0] ^= std::byte{1};  // all but one bit of it known
  for (const bool right : {false, true}) {
    const hasher h = hasher::siphash13(right ? secret : guess);
    std::vector<std::string> found;
    const stopwatch time;
    for (std::uint64_t i = absent; found.size() < much.queries; ++i)
      if (std::string key = honest_key(i, false);
          passes(filter.bytes(), filter.shape(), h.hash(key).bits()))
        found.push_back(std::move(key));
    const double seconds = time.seconds(), chance = filter.realised_fpr();
    const auto hits = static_cast<std::uint64_t>(std::ranges::count_if(
        found, [&](const std::string& k) { return filter.may_contain(k); }));
    out.add({"block, texts",
             right ? "SipHash-1-3, secret known" : "SipHash-1-3, secret guessed",
             "search in a stolen file", found.size(), seconds, "absent keys that pass",
             chance, static_cast<double>(hits) / static_cast<double>(found.size()), hits,
             found.size(), chance, judged(hits, found.size(), chance),
             right ? outcome::broken : outcome::holds});
  }
}

void read_keys_from_sentinels(const scale& much, const hasher::secret& secret,
                              report& out) {
  for (const hasher& how : {hasher::xxh3(), hasher::siphash13(secret)}) {
    const hasher h = how.of(key_source::integers);
    std::vector<std::uint64_t> ids;
    std::vector<bloomery::key> keys;
    for (std::uint64_t i = 0; i < much.keys; ++i) {
      ids.push_back(load(honest_key(i, true)));
      keys.push_back(h.hash_u64(ids.back()));
    }
    const auto filter = must(block_bloom::build(keys, {.hasher = h}));
    std::ranges::sort(keys, {}, &bloomery::key::bits);
    const auto file =
        must(bloomery::encode_container(filter, {.sentinels = std::span(keys).first(8)}));
    const auto facts = must(bloomery::inspect(file.bytes(), file.size()));

    const stopwatch time;
    std::vector<std::uint64_t> read;
    for (std::size_t i = 0; i < facts.sentinels; ++i)
      read.push_back(unfmix64(word_at(file.bytes(), facts.tail_at() + 8 * i)) ^
                     splitmix64(0));
    const double seconds = time.seconds();
    std::ranges::sort(ids);
    const auto hits = static_cast<std::uint64_t>(std::ranges::count_if(
        read, [&](std::uint64_t x) { return std::ranges::binary_search(ids, x); }));
    const double chance = static_cast<double>(much.keys) * 0x1p-64;
    const bool keyed = h.id() == bloomery::hash_id::siphash13;
    out.add({"block, integers", keyed ? "SipHash-1-3" : "fmix64",
             "sentinels of a stolen file", read.size(), seconds, "keys read from it", 0,
             static_cast<double>(hits) / static_cast<double>(read.size()), hits,
             read.size(), chance, judged(hits, read.size(), chance),
             keyed ? outcome::holds : outcome::broken});
  }
}

}  // namespace attack
