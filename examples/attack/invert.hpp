// The steps that public hashes are made of, backwards.
//
// A hash of 64 bits that mixes by multiplying with odd numbers, adding, and folding its
// upper bits onto the lower ones loses nothing on the way: each step is a bijection, and
// so is the whole: it can be inverted step by step.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace attack {

// The number that undoes a multiplication by an odd one, modulo 2^64 (Newton: every step
// doubles the bits that are right, of which there are 3 at the start).
constexpr std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t x = odd;
  for (int i = 0; i < 5; ++i) x *= 2 - odd * x;
  return x;
}
static_assert(inverse(0xff51afd7ed558ccd) * 0xff51afd7ed558ccd == 1);

// x, of x ^ (x >> shift).
constexpr std::uint64_t unfold(std::uint64_t y, unsigned shift) {
  std::uint64_t x = y;
  for (unsigned known = shift; known < 64; known += shift) x = y ^ (x >> shift);
  return x;
}

// Murmur3's finalizer.
constexpr std::uint64_t fmix64(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccd;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53;
  return x ^ (x >> 33);
}
constexpr std::uint64_t unfmix64(std::uint64_t y) {
  y = unfold(y, 33) * inverse(0xc4ceb9fe1a85ec53);
  y = unfold(y, 33) * inverse(0xff51afd7ed558ccd);
  return unfold(y, 33);
}
static_assert(unfmix64(fmix64(0x0123456789abcdef)) == 0x0123456789abcdef);

constexpr std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}
constexpr std::uint64_t unsplitmix64(std::uint64_t y) {
  y = unfold(y, 31) * inverse(0x94d049bb133111eb);
  y = unfold(y, 27) * inverse(0xbf58476d1ce4e5b9);
  return unfold(y, 30) - 0x9e3779b97f4a7c15;
}
static_assert(unsplitmix64(splitmix64(42)) == 42);

// Up to 8 bytes as a little-endian number, and back.
inline std::uint64_t load(std::string_view bytes) {
  std::uint64_t v = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 8; ++i)
    v |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return v;
}
inline std::string bytes_of(std::uint64_t v) {
  std::string s(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) s[i] = static_cast<char>(v >> (8 * i) & 0xff);
  return s;
}

}  // namespace attack
