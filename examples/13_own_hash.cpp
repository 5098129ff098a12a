// Your own hash function, for keys of your own type.
#include <cstdint>
#include <iostream>

#include <bloomery/bloomery.hpp>

namespace {

struct point {
  std::int32_t x, y;
};

// Uniform over all 64 bits.  std::hash is not: that of an integer is the integer.
std::uint64_t hash_of(point p) {
  std::uint64_t h =
      static_cast<std::uint64_t>(p.x) << 32 | static_cast<std::uint32_t>(p.y);
  for (int round = 0; round < 3; ++round) h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9;
  return h ^ h >> 32;
}

}  // namespace

int main() {
  const auto of_hashes = bloomery::hasher::xxh3().of(bloomery::key_source::hashes);
  auto seen = bloomery::block_bloom::make({.keys = 1000, .hasher = of_hashes}).value();
  seen.insert(seen.from_hash(hash_of({1, 2})));

  const bool found = seen.may_contain(seen.from_hash(hash_of({1, 2})));
  std::cout << seen << ": " << (found ? "possibly" : "definitely not") << " present\n";
  return found ? 0 : 1;
}
