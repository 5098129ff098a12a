// A key: 64 uniform hash bits, 8 bytes.
//
// A key does not know which hash made it, so it is handed out by whoever does: a filter
// (`f.hash("alice")`), a set of filters that share one hasher, or a `hasher`.  Hash
// once, ask many filters:
//
//   const bloomery::key k = levels[0].hash(user_key);
//   for (const auto& f : levels) if (f.may_contain(k)) ...
//
// Integers do not convert: 42 could be data or an already computed hash, and guessing
// wrong ruins the false-positive rate.  Say which you mean: hash_u64 or from_hash.
#pragma once

#include <cstdint>

namespace bloomery::inline v1 {

class key {
 public:
  // No value; for arrays that a batch call fills.
  key() noexcept = default;

  // A key the caller has hashed already.  REQUIRES: `h` is uniform over 64 bits.
  static constexpr key from_hash(std::uint64_t h) noexcept { return key(h); }

  constexpr std::uint64_t bits() const noexcept { return bits_; }

  friend constexpr bool operator==(key, key) noexcept = default;

 private:
  constexpr explicit key(std::uint64_t h) noexcept : bits_(h) {}

  std::uint64_t bits_;
};

}  // namespace bloomery::inline v1
