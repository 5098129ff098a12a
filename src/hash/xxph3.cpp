#include "hash/xxph3.hpp"

#include <algorithm>
#include <cstddef>

#include "hash/load.hpp"

namespace bloomery::hash {
namespace {

// The primes of XXH64 and XXH32.
constexpr std::uint64_t p1 = 0x9e3779b185ebca87, p2 = 0xc2b2ae3d27d4eb4f,
                        p3 = 0x165667b19e3779f9, p4 = 0x85ebca77c2b2ae63,
                        p5 = 0x27d4eb2f165667c5;
constexpr std::uint64_t q1 = 0x9e3779b1, q2 = 0x85ebca77, q3 = 0xc2b2ae3d;

constexpr std::string_view secret(
    "\xb8\xfe\x6c\x39\x23\xa4\x4b\xbe\x7c\x01\x81\x2c\xf7\x21\xad\x1c"
    "\xde\xd4\x6d\xe9\x83\x90\x97\xdb\x72\x40\xa4\xa4\xb7\xb3\x67\x1f"
    "\xcb\x79\xe6\x4e\xcc\xc0\xe5\x78\x82\x5a\xd0\x7d\xcc\xff\x72\x21"
    "\xb8\x08\x46\x74\xf7\x43\x24\x8e\xe0\x35\x90\xe6\x81\x3a\x26\x4c"
    "\x3c\x28\x52\xbb\x91\xc3\x00\xcb\x88\xd0\x65\x8b\x1b\x53\x2e\xa3"
    "\x71\x64\x48\x97\xa2\x0d\xf9\x4e\x38\x19\xef\x46\xa9\xde\xac\xd8"
    "\xa8\xfa\x76\x3f\xe3\x9c\x34\x3f\xf9\xdc\xbb\xc7\xc7\x0b\x4f\x1d"
    "\x8a\x51\xe0\x4b\xcd\xb4\x59\x31\xc8\x9f\x7e\xc9\xd9\x78\x73\x64"
    "\xea\xc5\xac\x83\x34\xd3\xeb\xc3\xc5\x81\xa0\xff\xfa\x13\x63\xeb"
    "\x17\x0d\xdd\x51\xb7\xf0\xda\x49\xd3\x16\x55\x26\x29\xd4\x68\x9e"
    "\x2b\x16\xbe\x58\x7d\x47\xa1\xfc\x8f\xf8\xb8\xd1\x7a\xd0\x31\xce"
    "\x45\xcb\x3a\x8f\x95\x16\x04\x28\xaf\xd7\xfb\xca\xbb\x4b\x40\x7e",
    192);

std::uint64_t key_at(std::size_t at) noexcept { return load_le(secret, at); }

// The two halves of a product, one over the other.
std::uint64_t fold(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using u128 = unsigned __int128;
  const u128 product = static_cast<u128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t avalanche(std::uint64_t h) noexcept {
  h = (h ^ (h >> 37)) * p3;
  return h ^ (h >> 32);
}

// 16 bytes at `at` under 16 bytes of the secret.
std::uint64_t mix16(std::string_view s, std::size_t at, std::size_t key) noexcept {
  return fold(load_le(s, at) ^ key_at(key), load_le(s, at + 8) ^ key_at(key + 8));
}

std::uint64_t up_to_16(std::string_view s) noexcept {
  const std::uint64_t n = s.size();
  if (n > 8) {
    const std::uint64_t low = load_le(s, 0) ^ key_at(0);
    const std::uint64_t high = load_le(s, s.size() - 8) ^ key_at(8);
    return avalanche(n + low + high + fold(low, high));
  }
  if (n >= 4) {
    const std::uint64_t both = load_le(s, 0, 4) | load_le(s, s.size() - 4, 4) << 32;
    const std::uint64_t keyed = both ^ key_at(0);
    const std::uint64_t mixed = n + (keyed ^ (keyed >> 51)) * q1;
    return avalanche((mixed ^ (mixed >> 47)) * p2);
  }
  if (n == 0) return fold(key_at(0), p2);
  const std::uint64_t first = load_le(s, 0, 1), middle = load_le(s, s.size() / 2, 1),
                      last = load_le(s, s.size() - 1, 1);
  const std::uint64_t both = first | middle << 8 | last << 16 | n << 24;
  return avalanche((both ^ load_le(secret, 0, 4)) * p1);
}

// Reads from both ends towards the middle.  REQUIRES: 17 to 128 bytes
std::uint64_t up_to_128(std::string_view s) noexcept {
  std::uint64_t sum = s.size() * p1;
  for (std::size_t i = (s.size() - 1) / 32 + 1; i-- > 0;)
    sum += mix16(s, 16 * i, 32 * i) + mix16(s, s.size() - 16 * (i + 1), 32 * i + 16);
  return avalanche(sum);
}

// REQUIRES: 129 to 240 bytes
std::uint64_t up_to_240(std::string_view s) noexcept {
  std::uint64_t sum = s.size() * p1;
  for (std::size_t i = 0; i < 8; ++i) sum += mix16(s, 16 * i, 16 * i);
  sum = avalanche(sum);
  for (std::size_t i = 8; i < s.size() / 16; ++i)
    sum += mix16(s, 16 * i, 16 * (i - 8) + 3);
  return avalanche(sum + mix16(s, s.size() - 16, 119));
}

// 64 bytes, a word to each lane; XXH3 swaps the lanes, this does not.
void add_stripe(std::uint64_t (&lanes)[8], std::string_view s, std::size_t at,
                std::size_t key) noexcept {
  for (std::size_t i = 0; i < 8; ++i) {
    const std::uint64_t word = load_le(s, at + 8 * i);
    const std::uint64_t keyed = word ^ key_at(key + 8 * i);
    lanes[i] += word + (keyed & 0xffffffff) * (keyed >> 32);
  }
}

// REQUIRES: more than 240 bytes
std::uint64_t long_key(std::string_view s) noexcept {
  constexpr std::size_t block = 1024;
  std::uint64_t lanes[8] = {q3, p1, p2, p3, p4, q2, p5, q1};
  std::size_t at = 0;
  for (; s.size() - at >= block; at += block) {
    for (std::size_t t = 0; t < 16; ++t) add_stripe(lanes, s, at + 64 * t, 8 * t);
    for (std::size_t i = 0; i < 8; ++i)
      lanes[i] = (lanes[i] ^ (lanes[i] >> 47) ^ key_at(128 + 8 * i)) * q1;
  }
  for (std::size_t t = 0; t < (s.size() - at) / 64; ++t)
    add_stripe(lanes, s, at + 64 * t, 8 * t);
  if (s.size() % 64 != 0) add_stripe(lanes, s, s.size() - 64, 121);
  std::uint64_t sum = s.size() * p1;
  for (std::size_t i = 0; i < 4; ++i)
    sum +=
        fold(lanes[2 * i] ^ key_at(11 + 16 * i), lanes[2 * i + 1] ^ key_at(19 + 16 * i));
  return avalanche(sum);
}

}  // namespace

std::uint64_t xxph3(std::string_view bytes) noexcept {
  if (bytes.size() <= 16) return up_to_16(bytes);
  if (bytes.size() <= 128) return up_to_128(bytes);
  if (bytes.size() <= 240) return up_to_240(bytes);
  return long_key(bytes);
}

}  // namespace bloomery::hash
