// XXH3 and XXH64 of eight bytes: bijections of 64 bits.
//
// Every hash value thus has one key of eight bytes, and that is computed, not searched
// for. Longer keys are mixed by products that lose bits; an attack does not need them.
#pragma once

#include <cstdint>
#include <string>

namespace attack {

// XXH3 under a seed that need not be known: all that the seed does to keys of eight bytes
// is one number that they are xored with, and one hash that was seen gives it away.
class xxh3_8 {
 public:
  // `hash_seen`: of "bloomery", which every container stores at offset 40 (its check).
  explicit xxh3_8(std::uint64_t hash_seen);
  std::string with_hash(std::uint64_t wanted) const;

 private:
  std::uint64_t seed_mask_;
};

// XXH64, seed 0: Parquet's.
std::string xxh64_8_with_hash(std::uint64_t wanted);

}  // namespace attack
