#include "hash/cityhash.hpp"

#include <bit>
#include <utility>

#include "hash/load.hpp"

namespace bloomery::hash {
namespace {

constexpr std::uint64_t k0 = 0xc3a5c85c97cb3127, k1 = 0xb492b66fbe98f273,
                        k2 = 0x9ae16a3b2f90404f, k3 = 0xc949d7c7509e6557;

constexpr std::uint64_t shift_mix(std::uint64_t x) noexcept { return x ^ (x >> 47); }

struct pair {
  std::uint64_t first, second;
};

std::uint64_t up_to_16(std::string_view s) noexcept {
  const std::size_t n = s.size();
  if (n > 8) {
    const std::uint64_t b = load_le(s, n - 8);
    return city_mix(load_le(s, 0), std::rotr(b + n, static_cast<int>(n))) ^ b;
  }
  if (n >= 4) return city_mix(n + (load_le(s, 0, 4) << 3), load_le(s, n - 4, 4));
  if (n == 0) return k2;
  const std::uint64_t y = load_le(s, 0, 1) + (load_le(s, n / 2, 1) << 8);
  const std::uint64_t z = n + (load_le(s, n - 1, 1) << 2);
  return shift_mix((y * k2) ^ (z * k3)) * k2;
}

std::uint64_t up_to_32(std::string_view s) noexcept {
  const std::size_t n = s.size();
  const std::uint64_t a = load_le(s, 0) * k1, b = load_le(s, 8),
                      c = load_le(s, n - 8) * k2, d = load_le(s, n - 16) * k0;
  return city_mix(std::rotr(a - b, 43) + std::rotr(c, 30) + d,
                  a + std::rotr(b ^ k3, 20) - c + n);
}

// Four words at `at`, the last of them `z`, from the state a.
pair half_of_64(std::string_view s, std::size_t at, std::uint64_t a,
                std::uint64_t z) noexcept {
  std::uint64_t b = std::rotr(a + z, 52), c = std::rotr(a, 37);
  a += load_le(s, at + 8);
  c += std::rotr(a, 7);
  a += load_le(s, at + 16);
  return {a + z, b + std::rotr(a, 31) + c};
}

std::uint64_t up_to_64(std::string_view s) noexcept {
  const std::size_t n = s.size();
  const pair v =
      half_of_64(s, 0, load_le(s, 0) + (n + load_le(s, n - 16)) * k0, load_le(s, 24));
  const pair w =
      half_of_64(s, n - 32, load_le(s, 16) + load_le(s, n - 32), load_le(s, n - 8));
  const std::uint64_t r =
      shift_mix((v.first + w.second) * k2 + (w.first + v.second) * k0);
  return shift_mix(r * k0 + v.second) * k2;
}

// 32 bytes at `at`, from two words.
pair weak_mix(std::string_view s, std::size_t at, std::uint64_t a,
              std::uint64_t b) noexcept {
  const std::uint64_t z = load_le(s, at + 24);
  a += load_le(s, at);
  b = std::rotr(b + a + z, 21);
  const std::uint64_t c = a;
  a += load_le(s, at + 8) + load_le(s, at + 16);
  b += std::rotr(a, 44);
  return {a + z, b + c};
}

}  // namespace

std::uint64_t city64(std::string_view s) noexcept {
  const std::size_t n = s.size();
  if (n <= 16) return up_to_16(s);
  if (n <= 32) return up_to_32(s);
  if (n <= 64) return up_to_64(s);
  std::uint64_t x = load_le(s, 0), y = load_le(s, n - 16) ^ k1,
                z = load_le(s, n - 56) ^ k0;
  pair v = weak_mix(s, n - 64, n, y), w = weak_mix(s, n - 32, n * k1, k0);
  z += shift_mix(v.second) * k1;
  x = std::rotr(z + x, 39) * k1;
  y = std::rotr(y, 33) * k1;
  const std::size_t end = (n - 1) / 64 * 64;
  for (std::size_t at = 0; at < end; at += 64) {
    x = std::rotr(x + y + v.first + load_le(s, at + 16), 37) * k1;
    y = std::rotr(y + v.second + load_le(s, at + 48), 42) * k1;
    x ^= w.second;
    y ^= v.first;
    z = std::rotr(z ^ w.first, 33);
    v = weak_mix(s, at, v.second * k1, x + w.first);
    w = weak_mix(s, at + 32, z + w.second, y);
    std::swap(z, x);
  }
  return city_mix(city_mix(v.first, w.first) + shift_mix(y) * k1 + z,
                  city_mix(v.second, w.second) + x);
}

std::uint64_t city64_with_seed(std::string_view bytes, std::uint64_t seed) noexcept {
  return city_mix(city64(bytes) - k2, seed);
}

}  // namespace bloomery::hash
