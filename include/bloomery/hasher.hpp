// The hash function, its seed or secret, and the source of keys.
//
//   auto names = bloomery::block_bloom::make({.keys = n});       keys are bytes
//   auto ids = bloomery::block_bloom::integers::make({.keys = n});
//   ids->insert(42);
//
// A filter knows its hasher and so does its file; two filters may share keys only if
// their hashers are equal, their sources too.  The definitions are in spec/hash.md, with
// vectors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/hash/xxh3_short.hpp>
#include <bloomery/detail/key_source.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// Numbers are stored in files: never reuse one.
enum class hash_id : std::uint8_t {
  xxh3 = 1,            // XXH3-64 with seed: the default
  fnv1a_splitmix = 2,  // FNV-1a64 then SplitMix64: the portable filter; no seed
  xxh64 = 3,           // XXH64 with seed: Parquet
  siphash13 = 4,       // SipHash-1-3 under a 128-bit secret: keys chosen by attackers
};

// "xxh3", "fnv1a-splitmix", "xxh64", "siphash13"
BLOOMERY_EXPORT const char* name_of(hash_id id) noexcept;

class BLOOMERY_EXPORT hasher {
 public:
  using secret = std::array<std::byte, 16>;

  static hasher xxh3(std::uint64_t seed = 0) noexcept;
  static hasher fnv1a_splitmix() noexcept;
  static hasher xxh64(std::uint64_t seed = 0) noexcept;
  static hasher siphash13(const secret& key) noexcept;

  // 16 bytes from the operating system's generator, for keys that others choose:
  //   const auto s = hasher::random_secret();
  //   auto f = block_bloom::make({.keys = n, .hasher = hasher::siphash13(*s)});
  // Every program that opens the file, or merges with it, needs the same secret:
  // keep it, outside of the file.  docs/adversarial.md says who needs one.
  // Errors: io (a system without a generator).
  static result<secret> random_secret() noexcept;

  // The same hash of other keys.
  hasher of(key_source source) const noexcept {
    hasher h = *this;
    h.source_ = source;
    h.quick_ = quick_for(h.id_, source);
    return h;
  }
  key_source source() const noexcept { return source_; }

  // A key of another source than the hasher's would be a permanent false negative, so the
  // three calls below print a message and abort (detail/base/contract.hpp) if their
  // source differs.  To mix sources on purpose: h.of(key_source::integers).hash_u64(42).

  // Inline for the default hash up to 16 bytes, otherwise one call.
  // REQUIRES: is_hashed_as_bytes(source())
  BLOOMERY_INLINE key hash(std::string_view bytes) const noexcept {
    if (quick_ == quick::xxh3_of_bytes) [[likely]]
      return key::from_bits(bytes.size() <= hash::xxh3_short_size
                                ? hash::xxh3_short(bytes.data(), bytes.size(), a_)
                                : xxh3_long(bytes.data(), bytes.size(), a_));
    return hash_otherwise(bytes);
  }
  BLOOMERY_INLINE key hash(std::span<const std::byte> bytes) const noexcept {
    return hash(
        std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  // Whether one call of hash() per text is as fast as a batch.
  bool hashes_text_inline() const noexcept { return quick_ == quick::xxh3_of_bytes; }
  key hash(std::nullptr_t) const = delete;  // a literal 0 is no text: see hash_u64

  // An integer, signed ones in two's complement: a bijective mix under xxh3, the hash of
  // its 8 little-endian bytes under the others.  REQUIRES: source() is integers
  BLOOMERY_INLINE key hash_u64(std::uint64_t x) const noexcept {
    if (quick_ == quick::xxh3_of_integers) [[likely]]
      return key::from_bits(hash::fmix64(x ^ b_));
    return hash_otherwise(x);
  }

  // For filters that test once: where mixes_integers(), the key of x is
  // fmix64(x ^ integer_mask()).
  bool mixes_integers() const noexcept { return quick_ == quick::xxh3_of_integers; }
  std::uint64_t integer_mask() const noexcept { return b_; }

  // Many at a time.  REQUIRES: out.size() == xs.size(), source() is integers
  void hash_u64(std::span<const std::uint64_t> xs, std::span<key> out) const noexcept;

  // A key the caller has hashed.  REQUIRES: source() is hashes; `h` is uniform over 64
  // bits
  key from_hash(std::uint64_t h) const noexcept;

  // Many at a time; byte-serial hashes run several keys side by side.
  // REQUIRES: out.size() == keys.size(), is_hashed_as_bytes(source())
  void hash(std::span<const std::string_view> keys, std::span<key> out) const noexcept;

  hash_id id() const noexcept { return id_; }
  // 0 where the hash takes none.  The secret of a keyed hash is not shown.
  std::uint64_t seed() const noexcept { return id_ == hash_id::siphash13 ? 0 : a_; }

  // The hash of "bloomery": files store it, so that a wrong hash function, seed or
  // secret is noticed at once.
  std::uint64_t check() const noexcept;

  // What makes a receipt (receipt.hpp) one of a filter with this hasher; never 0.  Under
  // a keyed hash nobody without the secret can compute it.
  std::uint64_t receipt_check(key k, std::uint64_t scope) const noexcept;

  friend bool operator==(const hasher&, const hasher&) noexcept = default;

 private:
  // What one-key calls do inline: one comparison instead of those of hash and source.
  enum class quick : std::uint8_t { nothing, xxh3_of_bytes, xxh3_of_integers };
  static constexpr quick quick_for(hash_id id, key_source source) noexcept {
    if (id != hash_id::xxh3 || source == key_source::hashes) return quick::nothing;
    return source == key_source::integers ? quick::xxh3_of_integers
                                          : quick::xxh3_of_bytes;
  }

  hasher(hash_id id, std::uint64_t a, std::uint64_t b) noexcept
      : id_(id), quick_(quick_for(id, source_)), a_(a), b_(b) {}

  // Pure: a loop of one-key calls need not load the fields of a filter again because of
  // them.
  // REQUIRES: n > hash::xxh3_short_size
  [[gnu::pure]] static std::uint64_t xxh3_long(const char* bytes, std::size_t n,
                                               std::uint64_t seed) noexcept;
  // Every hash; the source is checked.
  [[gnu::pure]] key hash_otherwise(std::string_view bytes) const noexcept;
  [[gnu::pure]] key hash_otherwise(std::uint64_t x) const noexcept;
  // Whatever the source.
  key hash_bytes(std::string_view bytes) const noexcept;
  key hash_integer(std::uint64_t x) const noexcept;

  hash_id id_;
  key_source source_ = key_source::bytes;
  quick quick_;
  std::uint64_t a_;  // seed, or first half of the secret
  std::uint64_t b_;  // second half of the secret; of xxh3 splitmix64(seed), for integers
};

// Recomputes known answers of every hash.  A build or machine that gets one wrong must
// not touch stored filters.  Takes about a microsecond.
BLOOMERY_EXPORT result<void> check_hashes() noexcept;

}  // namespace bloomery::inline v1
