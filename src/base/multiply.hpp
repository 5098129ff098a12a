// The upper half of a product.
#pragma once

#include <cstdint>

namespace bloomery::base {

constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using u128 = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<u128>(a) * b >> 64);
}

}  // namespace bloomery::base
