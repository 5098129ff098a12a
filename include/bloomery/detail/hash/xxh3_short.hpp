// XXH3-64 with a seed, of at most 16 bytes (spec/hash.md, section 2), inline: most keys
// are that short, and a call would take longer than the hash.
//
// Each length class has its own mixing.  The constants are words of XXH3's default
// secret, already combined as the class combines them.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/words.hpp>

namespace bloomery::hash {

inline constexpr std::size_t xxh3_short_size = 16;

namespace xxh3_parts {

template <class Word>
BLOOMERY_INLINE Word word_at(const char* p) noexcept {
  Word v;
  __builtin_memcpy(&v, p, sizeof v);
  return words::as_little_endian(v);
}

BLOOMERY_INLINE std::uint64_t rotl(std::uint64_t x, int n) noexcept {
  return x << n | x >> (64 - n);
}

// The two halves of the product, one xor the other.
BLOOMERY_INLINE std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using wide = unsigned __int128;
  const wide product = wide{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

BLOOMERY_INLINE std::uint64_t avalanche_of_xxh64(std::uint64_t h) noexcept {
  h = (h ^ (h >> 33)) * 0xc2b2ae3d27d4eb4f;
  h = (h ^ (h >> 29)) * 0x165667b19e3779f9;
  return h ^ (h >> 32);
}

BLOOMERY_INLINE std::uint64_t of_9_to_16(const char* p, std::size_t n,
                                         std::uint64_t seed) noexcept {
  const std::uint64_t low = word_at<std::uint64_t>(p) ^ (0x6782737bea4239b9 + seed);
  const std::uint64_t high =
      word_at<std::uint64_t>(p + n - 8) ^ (0xaf56bc3b0996523a - seed);
  std::uint64_t h = n + __builtin_bswap64(low) + high + folded_product(low, high);
  h = (h ^ (h >> 37)) * 0x165667919e3779f9;
  return h ^ (h >> 32);
}

BLOOMERY_INLINE std::uint64_t of_4_to_8(const char* p, std::size_t n,
                                        std::uint64_t seed) noexcept {
  seed ^= std::uint64_t{__builtin_bswap32(static_cast<std::uint32_t>(seed))} << 32;
  const std::uint64_t both =
      std::uint64_t{word_at<std::uint32_t>(p)} << 32 | word_at<std::uint32_t>(p + n - 4);
  std::uint64_t h = both ^ (0xc73ab174c5ecd5a2 - seed);
  h = (h ^ rotl(h, 49) ^ rotl(h, 24)) * 0x9fb21c651e98df25;
  h = (h ^ ((h >> 35) + n)) * 0x9fb21c651e98df25;
  return h ^ (h >> 28);
}

BLOOMERY_INLINE std::uint64_t of_1_to_3(const char* p, std::size_t n,
                                        std::uint64_t seed) noexcept {
  const auto byte = [p](std::size_t i) noexcept {
    return std::uint32_t{static_cast<unsigned char>(p[i])};
  };
  const std::uint32_t all = byte(0) << 16 | byte(n >> 1) << 24 | byte(n - 1) |
                            static_cast<std::uint32_t>(n) << 8;
  return avalanche_of_xxh64(all ^ (0x87275a9b + seed));
}

}  // namespace xxh3_parts

// REQUIRES: n <= xxh3_short_size
BLOOMERY_INLINE std::uint64_t xxh3_short(const char* p, std::size_t n,
                                         std::uint64_t seed) noexcept {
  if (n > 8) return xxh3_parts::of_9_to_16(p, n, seed);
  if (n >= 4) return xxh3_parts::of_4_to_8(p, n, seed);
  if (n > 0) return xxh3_parts::of_1_to_3(p, n, seed);
  return xxh3_parts::avalanche_of_xxh64(seed ^ 0x8726f9105dc21ddc);
}

}  // namespace bloomery::hash
