// FNV-1a64, and the hash of the portable filter: splitmix64(fnv1a64(bytes)).
//
// FNV is byte-serial: a multiply every byte, each waiting for the one before (about 4
// cycles a byte).  The batch call runs several keys side by side, which hides that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <bloomery/key.hpp>

#include <bloomery/detail/hash/mix.hpp>

namespace bloomery::hash {

inline constexpr std::uint64_t fnv1a64_basis = 0xcbf29ce484222325;
inline constexpr std::uint64_t fnv1a64_prime = 0x00000100000001b3;

constexpr std::uint64_t fnv1a64_step(std::uint64_t h, char byte) noexcept {
  return (h ^ static_cast<unsigned char>(byte)) * fnv1a64_prime;
}

constexpr std::uint64_t fnv1a64(std::string_view bytes,
                                std::uint64_t h = fnv1a64_basis) noexcept {
  for (const char c : bytes) h = fnv1a64_step(h, c);
  return h;
}

constexpr std::uint64_t fnv1a_splitmix(std::string_view bytes) noexcept {
  return splitmix64(fnv1a64(bytes));
}

// REQUIRES: out.size() == keys.size()
void fnv1a_splitmix(std::span<const std::string_view> keys, std::span<key> out) noexcept;

}  // namespace bloomery::hash
