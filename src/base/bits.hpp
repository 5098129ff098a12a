// Arithmetic on machine words that C++20 has no name for.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace bloomery::base {

// ceil(bits / 8) without overflow.
constexpr std::uint64_t bytes_for_bits(std::uint64_t bits) noexcept {
  return bits / 8 + (bits % 8 != 0);
}

inline std::uint64_t load_u64(const std::byte* p) noexcept {  // native byte order
  std::uint64_t v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

// Ones among the first `bits` bits (LSB-first).  REQUIRES: bits <= 8 * bytes.size()
std::uint64_t count_ones(std::span<const std::byte> bytes, std::uint64_t bits) noexcept;

// Whether the bits after the first `bits` are all clear.  REQUIRES: they end in the last
// byte
bool padding_is_clear(std::span<const std::byte> bytes, std::uint64_t bits) noexcept;

// a |= b, byte by byte.  REQUIRES: equal sizes
void or_into(std::span<std::byte> a, std::span<const std::byte> b) noexcept;

// a &= b, byte by byte.  REQUIRES: equal sizes
void and_into(std::span<std::byte> a, std::span<const std::byte> b) noexcept;

}  // namespace bloomery::base
