// Sanity of the hashes that make keys: every input bit moves every output bit half of
// the time.  No substitute for SMHasher; it notices a hash that was broken here.
#include <bloomery/hasher.hpp>

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "test_key.hpp"

namespace bloomery {
namespace {

constexpr int trials = 4000;

// Over `trials` random inputs of `length` bytes, the largest deviation from 1/2 of the
// share of flips, over all pairs of input and output bit; `hash` maps bytes to 64 bits.
template <class Hash>
double worst_bias(std::size_t length, Hash hash) {
  testing::random from(1);
  std::vector<std::array<int, 64>> flips(8 * length);
  std::string s(length, '\0');
  for (int t = 0; t < trials; ++t) {
    for (char& c : s) c = static_cast<char>(from.next() & 0xff);
    const std::uint64_t before = hash(s);
    for (std::size_t in = 0; in < flips.size(); ++in) {
      const auto bit = static_cast<char>(1 << (in % 8));
      s[in / 8] = static_cast<char>(s[in / 8] ^ bit);
      const std::uint64_t changed = before ^ hash(s);
      s[in / 8] = static_cast<char>(s[in / 8] ^ bit);
      for (unsigned out = 0; out < 64; ++out)
        flips[in][out] += static_cast<int>(changed >> out & 1);
    }
  }
  double worst = 0;
  for (const auto& row : flips)
    for (const int n : row) worst = std::max(worst, std::abs(double(n) / trials - 0.5));
  return worst;
}

// 6 sigma of a fair coin; a few thousand pairs are compared.
constexpr double allowed = 6 * 0.5 / 63.2;

TEST(Avalanche, OfTheDefaultHash) {
  for (const std::size_t length : {3u, 8u, 13u, 32u})
    EXPECT_LE(
        worst_bias(length,
                   [](const std::string& s) { return hasher::xxh3().hash(s).bits(); }),
        allowed)
        << length;
}

TEST(Avalanche, OfIntegersUnderTheDefaultHash) {
  EXPECT_LE(
      worst_bias(8,
                 [](const std::string& s) {
                   std::uint64_t x = 0;
                   for (const char c : s) x = x << 8 | static_cast<unsigned char>(c);
                   return hasher::xxh3(3).of(key_source::integers).hash_u64(x).bits();
                 }),
      allowed);
}

TEST(Avalanche, OfTheKeyedHash) {
  EXPECT_LE(
      worst_bias(
          13, [](const std::string& s) { return hasher::siphash13({}).hash(s).bits(); }),
      allowed);
}

// FNV itself mixes the last byte badly; the step after it repairs that.
TEST(Avalanche, OfThePortableHash) {
  for (const std::size_t length : {3u, 8u, 13u})
    EXPECT_LE(worst_bias(length,
                         [](const std::string& s) {
                           return hasher::fnv1a_splitmix().hash(s).bits();
                         }),
              allowed)
        << length;
}

// Numbered keys, the commonest kind: each byte of the hash takes its 256 values evenly.
TEST(Avalanche, NumberedKeysFillEveryByteEvenly) {
  constexpr int n = 100'000;
  for (const hasher& h : {hasher::xxh3(), hasher::fnv1a_splitmix()}) {
    std::array<std::array<int, 256>, 8> count{};
    for (const std::string& s : testing::numbered("user:", n))
      for (unsigned b = 0; b < 8; ++b) ++count[b][h.hash(s).bits() >> (8 * b) & 0xff];
    for (const auto& byte : count) {
      double chi2 = 0;
      for (const int c : byte) chi2 += (c - n / 256.0) * (c - n / 256.0) / (n / 256.0);
      EXPECT_LT(chi2, 255 + 6 * 22.6) << name_of(h.id());  // mean 255, sigma 22.6
    }
  }
}

}  // namespace
}  // namespace bloomery
