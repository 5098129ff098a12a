#include "xxh.hpp"

#include <bit>

#include "invert.hpp"

namespace attack {
namespace {

// Facts from the specification of xxHash (doc/xxhash_spec.md of that project).
constexpr std::uint64_t mx2 = 0x9fb21c651e98df25, length = 8;
constexpr std::uint64_t p1 = 0x9e3779b185ebca87, p2 = 0xc2b2ae3d27d4eb4f,
                        p3 = 0x165667b19e3779f9, p4 = 0x85ebca77c2b2ae63,
                        p5 = 0x27d4eb2f165667c5;

// x, of x ^ rotl(x, 49) ^ rotl(x, 24).  A sum of three rotations is a polynomial over two
// elements modulo z^64 - 1 = (z - 1)^64, and f^64 = f(1) = 1 there for an odd number of
// terms: the inverse of f is f^63.
std::uint64_t unrotate(std::uint64_t y) {
  for (int i = 0; i < 63; ++i) y ^= std::rotl(y, 49) ^ std::rotl(y, 24);
  return y;
}

// x, of x ^ ((x >> 35) + length): the upper half stands as it was.
std::uint64_t unadd(std::uint64_t y) {
  std::uint64_t x = y;
  for (int i = 0; i < 3; ++i) x = y ^ ((x >> 35) + length);
  return x;
}

std::uint64_t before_mixing(std::uint64_t h) {
  h = unfold(h, 28) * inverse(mx2);
  h = unadd(h) * inverse(mx2);
  return unrotate(h);
}

}  // namespace

// The key's two halves change places before they are xored with what the seed makes.
xxh3_8::xxh3_8(std::uint64_t hash_seen)
    : seed_mask_(before_mixing(hash_seen) ^ std::rotl(load("bloomery"), 32)) {}

std::string xxh3_8::with_hash(std::uint64_t wanted) const {
  return bytes_of(std::rotl(before_mixing(wanted) ^ seed_mask_, 32));
}

std::string xxh64_8_with_hash(std::uint64_t h) {
  h = unfold(h, 32) * inverse(p3);
  h = unfold(h, 29) * inverse(p2);
  h = unfold(h, 33);
  h = std::rotr((h - p4) * inverse(p1), 27) ^ (p5 + length);
  return bytes_of(std::rotr(h * inverse(p1), 31) * inverse(p2));
}

}  // namespace attack
