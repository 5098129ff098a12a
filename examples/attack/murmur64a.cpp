#include "murmur64a.hpp"

#include <optional>

#include "invert.hpp"

namespace attack::murmur64a {
namespace {

constexpr std::uint64_t m = 0xc6a4a7935bd1e995;
constexpr std::uint64_t m_back = inverse(m);

// A word of the key as the state sees it, and back.
std::uint64_t mixed(std::uint64_t word) {
  word *= m;
  return (word ^ (word >> 47)) * m;
}
std::uint64_t unmixed(std::uint64_t word) { return unfold(word * m_back, 47) * m_back; }

std::uint64_t finished(std::uint64_t h) {
  h = (h ^ (h >> 47)) * m;
  return h ^ (h >> 47);
}
std::uint64_t unfinished(std::uint64_t h) { return unfold(unfold(h, 47) * m_back, 47); }

// k with ((u ^ k) * m) ^ ((v ^ k) * m) == d, if there is one.  Bit i of a product depends
// on the bits up to i, and its own one enters both sides alike: so bit i of the equation
// judges the bits below i, and k grows from its lowest bit.  On average one of the two
// continuations of a prefix survives: the search is a walk of about a hundred steps, and
// one in some hundred reaches the top.
std::optional<std::uint64_t> solve(std::uint64_t u, std::uint64_t v, std::uint64_t d,
                                   std::uint64_t k = 0, unsigned bits = 0) {
  const std::uint64_t wrong = (((u ^ k) * m) ^ ((v ^ k) * m)) ^ d;
  if (bits == 64) return wrong == 0 ? std::optional(k) : std::nullopt;
  if ((wrong >> bits & 1) != 0) return std::nullopt;
  for (const std::uint64_t bit : {0, 1})
    if (const auto found = solve(u, v, d, k | bit << bits, bits + 1)) return found;
  return std::nullopt;
}

}  // namespace

std::uint64_t hash(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t h = seed ^ (bytes.size() * m);
  for (; bytes.size() >= 8; bytes.remove_prefix(8))
    h = (h ^ mixed(load(bytes.substr(0, 8)))) * m;
  if (!bytes.empty()) h = (h ^ load(bytes)) * m;
  return finished(h);
}

std::string twin(std::string_view key) {
  constexpr std::uint64_t top = std::uint64_t{1} << 63;
  const auto turned = [&](std::size_t at) {
    return bytes_of(unmixed(mixed(load(key.substr(at, 8))) ^ top));
  };
  return turned(0) + turned(8) + std::string(key.substr(16));
}

// The state goes u -> (u ^ k1) m -> ((u ^ k1) m ^ k2) m under one seed, and from v
// likewise under the other.  Both ends are known, and k2 is the same in both: so the
// difference of the states before k2 is that of the ends, and k1 must bring it about.
//
// m is 5 modulo 8: the lowest bits of that difference hardly depend on the words, but on
// how many there were, odd or even.  So every second try has one word more.
std::optional<std::string> with_hashes(std::uint64_t a, std::uint64_t b,
                                       std::uint64_t salt, std::uint64_t seed,
                                       unsigned tries) {
  const std::uint64_t p = unfinished(a) * m_back, q = unfinished(b) * m_back;
  for (unsigned i = 0; i < tries; ++i) {
    const std::size_t before = 8 + 8 * (i % 2);
    const std::uint64_t length = (before + 16) * m;
    std::uint64_t u = seed ^ length, v = a ^ length;
    std::string key;
    while (key.size() < before) {
      const std::uint64_t word = splitmix64(splitmix64(salt) + i + key.size());
      key += bytes_of(word);
      u = (u ^ mixed(word)) * m;
      v = (v ^ mixed(word)) * m;
    }
    const auto k1 = solve(u, v, p ^ q);
    if (!k1) continue;
    const std::uint64_t k2 = ((u ^ *k1) * m) ^ p;
    return key + bytes_of(unmixed(*k1)) + bytes_of(unmixed(k2));
  }
  return std::nullopt;
}

}  // namespace attack::murmur64a
