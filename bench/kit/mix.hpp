// A bijection of 64 bits: distinct inputs give distinct, uniform keys.
#pragma once

#include <cstdint>

namespace bloomery::bench {

constexpr std::uint64_t splitmix64(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// h spread over [0, range), as h / 2^64 is over [0, 1).
constexpr std::uint64_t scale(std::uint64_t h, std::uint64_t range) noexcept {
  __extension__ using u128 = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<u128>(h) * range) >> 64);
}

}  // namespace bloomery::bench
