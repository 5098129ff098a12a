#include <bloomery/hasher.hpp>

#include <array>

#include <bloomery/detail/base/contract.hpp>

#include <bloomery/detail/hash/mix.hpp>
#include "hash/batch.hpp"
#include "hash/fnv1a.hpp"
#include "hash/load.hpp"
#include "hash/siphash.hpp"
#include "hash/xxh.hpp"

namespace bloomery::inline v1 {
namespace {

std::uint64_t half_of(const hasher::secret& key, std::size_t at) noexcept {
  return hash::load_le({reinterpret_cast<const char*>(key.data()), key.size()}, at);
}

void require_bytes(key_source source) noexcept {
  detail::require(
      is_hashed_as_bytes(source),
      "the keys of this hasher are integers or hashes, and it was given bytes: "
      "use hash_u64 or from_hash, or make the filter for bytes");
}

void require_integers(key_source source) noexcept {
  detail::require(source == key_source::integers,
                  "the keys of this hasher are not integers: make the filter by "
                  "integers::make (block_bloom::integers::make), or pass the text of the "
                  "number");
}

}  // namespace

const char* name_of(hash_id id) noexcept {
  switch (id) {
    case hash_id::xxh3:
      return "xxh3";
    case hash_id::fnv1a_splitmix:
      return "fnv1a-splitmix";
    case hash_id::xxh64:
      return "xxh64";
    case hash_id::siphash13:
      return "siphash13";
  }
  return "unknown";
}

hasher hasher::xxh3(std::uint64_t seed) noexcept {
  return {hash_id::xxh3, seed, hash::splitmix64(seed)};
}
hasher hasher::fnv1a_splitmix() noexcept { return {hash_id::fnv1a_splitmix, 0, 0}; }
hasher hasher::xxh64(std::uint64_t seed) noexcept { return {hash_id::xxh64, seed, 0}; }
hasher hasher::siphash13(const secret& key) noexcept {
  return {hash_id::siphash13, half_of(key, 0), half_of(key, 8)};
}

key hasher::hash_bytes(std::string_view bytes) const noexcept {
  switch (id_) {
    case hash_id::xxh3:
      return key::from_bits(hash::xxh3(bytes, a_));
    case hash_id::fnv1a_splitmix:
      return key::from_bits(hash::fnv1a_splitmix(bytes));
    case hash_id::xxh64:
      return key::from_bits(hash::xxh64(bytes, a_));
    case hash_id::siphash13:
      return key::from_bits(hash::siphash13(bytes, a_, b_));
  }
  __builtin_unreachable();  // only the four makers above set id_
}

std::uint64_t hasher::xxh3_long(const char* bytes, std::size_t n,
                                std::uint64_t seed) noexcept {
  return hash::xxh3({bytes, n}, seed);
}

key hasher::hash_otherwise(std::string_view bytes) const noexcept {
  require_bytes(source_);
  return hash_bytes(bytes);
}

key hasher::hash_integer(std::uint64_t x) const noexcept {
  if (id_ == hash_id::xxh3) return key::from_bits(hash::fmix64(x ^ b_));
  std::array<char, 8> le;
  for (std::size_t i = 0; i < le.size(); ++i)
    le[i] = static_cast<char>((x >> (8 * i)) & 0xff);
  return hash_bytes({le.data(), le.size()});
}

key hasher::hash_otherwise(std::uint64_t x) const noexcept {
  require_integers(source_);
  return hash_integer(x);
}

void hasher::hash_u64(std::span<const std::uint64_t> xs,
                      std::span<key> out) const noexcept {
  detail::require(out.size() == xs.size(),
                  "a batch needs room for exactly one key for each integer");
  require_integers(source_);
  if (id_ == hash_id::xxh3)
    return hash::best_batch_kernel().mix(xs.data(), xs.size(), b_, out.data());
  for (std::size_t i = 0; i < xs.size(); ++i) out[i] = hash_integer(xs[i]);
}

key hasher::from_hash(std::uint64_t h) const noexcept {
  detail::require(source_ == key_source::hashes,
                  "the keys of this hasher are not hashes: make the filter with "
                  "hasher.of(key_source::hashes) to use from_hash");
  return key::from_bits(h);
}

void hasher::hash(std::span<const std::string_view> keys,
                  std::span<key> out) const noexcept {
  detail::require(out.size() == keys.size(),
                  "a batch needs room for exactly one key for each string");
  require_bytes(source_);
  if (id_ == hash_id::fnv1a_splitmix) return hash::fnv1a_splitmix(keys, out);
  if (id_ == hash_id::xxh3) return hash::xxh3(keys, a_, out);
  if (id_ == hash_id::xxh64) return hash::xxh64(keys, a_, out);
  hash::best_batch_kernel().siphash(keys.data(), keys.size(), a_, b_, out.data());
}

std::uint64_t hasher::check() const noexcept { return hash_bytes("bloomery").bits(); }

}  // namespace bloomery::inline v1
