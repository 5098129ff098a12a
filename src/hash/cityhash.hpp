// CityHash64 1.0.2 (Geoff Pike and Jyrki Alakuijala, Google), which ClickHouse keeps:
// later releases of CityHash give other answers.
#pragma once

#include <cstdint>
#include <string_view>

namespace bloomery::hash {

std::uint64_t city64(std::string_view bytes) noexcept;

// Its Hash128to64: of two words, one.
constexpr std::uint64_t city_mix(std::uint64_t u, std::uint64_t v) noexcept {
  constexpr std::uint64_t multiplier = 0x9ddfea08eb382d69;
  std::uint64_t a = (u ^ v) * multiplier;
  a ^= a >> 47;
  std::uint64_t b = (v ^ a) * multiplier;
  b ^= b >> 47;
  return b * multiplier;
}

std::uint64_t city64_with_seed(std::string_view bytes, std::uint64_t seed) noexcept;

}  // namespace bloomery::hash
