// Bijections of 64 bits that spread every input bit over all output bits.
#pragma once

#include <cstdint>
#include <type_traits>

#include <bloomery/detail/probe/words.hpp>

namespace bloomery::hash {

// One whole step of the SplitMix64 generator with state x: the increment is part of it.
BLOOMERY_INLINE constexpr std::uint64_t splitmix64(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Finalizer of MurmurHash3 x64_128.
BLOOMERY_INLINE constexpr std::uint64_t fmix64(std::uint64_t x) noexcept {
  std::uint64_t by = 33;
#if defined(__BMI2__) && defined(__GNUC__)
  // From a register, shrx shifts into another one; for a constant GCC copies first.
  if (!std::is_constant_evaluated()) asm("" : "+r"(by));
#endif
  x = (x ^ (x >> by)) * 0xff51afd7ed558ccd;
  x = (x ^ (x >> by)) * 0xc4ceb9fe1a85ec53;
  return x ^ (x >> by);
}

}  // namespace bloomery::hash
