// A key: 64 uniform hash bits, 8 bytes.
//
// A key does not record which hash made it, so it comes from an object that does: a
// filter (`f.hash("alice")`), a set of filters that share one hasher, or a `hasher`.
// Hash once, query many filters:
//
//   const bloomery::key k = levels[0].hash(user_key);
//   for (const auto& f : levels) if (f.may_contain(k)) ...
//
// Integers do not convert: 42 could be data or an already computed hash.  Make a filter
// of integers (block_bloom::integers) and write `f.insert(42)` (key_types.hpp), or with
// one of hashes and write `f.from_hash(h)` (key_source.hpp).
#pragma once

#include <cstdint>

namespace bloomery::inline v1 {

class key {
 public:
  // No value; for arrays that a batch call fills.
  key() noexcept = default;

  // The key whose bits() these are: one that was stored or sent.  For your own hash use
  // hasher::from_hash, so that the filter's file can record what its keys are.
  static constexpr key from_bits(std::uint64_t bits) noexcept { return key(bits); }

  constexpr std::uint64_t bits() const noexcept { return bits_; }

  friend constexpr bool operator==(key, key) noexcept = default;

 private:
  constexpr explicit key(std::uint64_t bits) noexcept : bits_(bits) {}

  std::uint64_t bits_;
};

}  // namespace bloomery::inline v1
