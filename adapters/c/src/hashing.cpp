#include "hashing.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "keys.hpp"
#include "structs.hpp"

namespace bloomery::c_abi {
namespace {

static_assert(static_cast<int>(hash_id::xxh3) == BLOOMERY_HASH_XXH3);
static_assert(static_cast<int>(hash_id::fnv1a_splitmix) == BLOOMERY_HASH_FNV1A_SPLITMIX);
static_assert(static_cast<int>(hash_id::xxh64) == BLOOMERY_HASH_XXH64);
static_assert(static_cast<int>(hash_id::siphash13) == BLOOMERY_HASH_SIPHASH13);

static_assert(static_cast<int>(key_source::bytes) == BLOOMERY_SOURCE_BYTES);
static_assert(static_cast<int>(key_source::integers) == BLOOMERY_SOURCE_INTEGERS);
static_assert(static_cast<int>(key_source::hashes) == BLOOMERY_SOURCE_HASHES);
static_assert(static_cast<int>(key_source::int32) == BLOOMERY_SOURCE_INT32);
static_assert(static_cast<int>(key_source::int32be) == BLOOMERY_SOURCE_INT32BE);
static_assert(static_cast<int>(key_source::int64be) == BLOOMERY_SOURCE_INT64BE);
static_assert(static_cast<int>(key_source::float32) == BLOOMERY_SOURCE_FLOAT32);
static_assert(static_cast<int>(key_source::float64) == BLOOMERY_SOURCE_FLOAT64);
static_assert(static_cast<int>(last_key_source) == BLOOMERY_SOURCE_UTF16);

result<hasher> hash_named(const bloomery_hasher* h, const hasher& fallback) noexcept {
  const std::uint32_t id = h->id != 0 ? h->id : static_cast<std::uint32_t>(fallback.id());
  if (id > BLOOMERY_HASH_SIPHASH13)
    return error{errc::unsupported, "no hash of that number", 0, static_cast<double>(id)};
  const bool has_secret =
      std::ranges::any_of(h->secret, [](std::uint8_t byte) { return byte != 0; });
  if (has_secret && id != BLOOMERY_HASH_SIPHASH13)
    return error{errc::invalid_argument, "a secret for a hash that takes none"};
  if (h->seed != 0 && id != BLOOMERY_HASH_XXH3 && id != BLOOMERY_HASH_XXH64)
    return error{errc::invalid_argument, "a seed for a hash that takes none"};
  switch (id) {
    case BLOOMERY_HASH_XXH3:
      return hasher::xxh3(h->seed);
    case BLOOMERY_HASH_FNV1A_SPLITMIX:
      return hasher::fnv1a_splitmix();
    case BLOOMERY_HASH_XXH64:
      return hasher::xxh64(h->seed);
    default:
      break;
  }
  hasher::secret secret;
  std::memcpy(secret.data(), h->secret, secret.size());
  return hasher::siphash13(secret);
}

}  // namespace

result<key_source> source_of(std::uint32_t number) noexcept {
  if (number > static_cast<std::uint32_t>(last_key_source))
    return error{errc::unsupported, "no source of keys of that number", 0,
                 static_cast<double>(number)};
  return static_cast<key_source>(number);
}

result<hasher> hasher_of(const bloomery_hasher* from, const hasher& fallback) noexcept {
  const auto h = read_optional(from);
  if (!h) return h.error();
  if (h->reserved != 0)
    return error{errc::unsupported, "an option that this version does not know"};
  const auto source = source_of(h->source);
  if (!source) return source.error();
  const auto hash = hash_named(&*h, fallback);
  if (!hash) return hash;
  return hash->of(*source);
}

}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;
using bloomery::result;

const char* bloomery_hash_name(std::uint32_t hash_id) {
  return hash_id >= BLOOMERY_HASH_XXH3 && hash_id <= BLOOMERY_HASH_SIPHASH13
             ? name_of(static_cast<bloomery::hash_id>(hash_id))
             : "unknown";
}

const char* bloomery_source_name(std::uint32_t source) {
  const auto known = source_of(source);
  return known ? name_of(*known) : "unknown";
}

bloomery_status bloomery_random_secret(std::uint8_t secret[16], bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (secret == nullptr) return null_argument();
    const auto made = bloomery::hasher::random_secret();
    if (!made) return made.error();
    std::memcpy(secret, made->data(), made->size());
    return {};
  });
}

bloomery_status bloomery_hash_bytes(const bloomery_hasher* hasher, const void* data,
                                    std::size_t size, std::uint64_t* hash) {
  return guarded(nullptr, [&]() -> result<void> {
    const auto h = hasher_of(hasher, bloomery::hasher::xxh3());
    if (!h) return h.error();
    if (hash == nullptr || !is_readable(data, size)) return null_argument();
    *hash = h->of(bloomery::key_source::bytes).hash(text_of(data, size)).bits();
    return {};
  });
}

bloomery_status bloomery_hash_u64(const bloomery_hasher* hasher, std::uint64_t number,
                                  std::uint64_t* hash) {
  return guarded(nullptr, [&]() -> result<void> {
    const auto h = hasher_of(hasher, bloomery::hasher::xxh3());
    if (!h) return h.error();
    if (hash == nullptr) return null_argument();
    *hash = h->of(bloomery::key_source::integers).hash_u64(number).bits();
    return {};
  });
}

bloomery_status bloomery_hash_check(const bloomery_hasher* hasher, std::uint64_t* check) {
  return guarded(nullptr, [&]() -> result<void> {
    const auto h = hasher_of(hasher, bloomery::hasher::xxh3());
    if (!h) return h.error();
    if (check == nullptr) return null_argument();
    *check = h->check();
    return {};
  });
}

bloomery_status bloomery_hash_self_check(bloomery_error* error) {
  return guarded(error, [] { return bloomery::check_hashes(); });
}
