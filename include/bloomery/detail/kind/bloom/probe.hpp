// Which bits a key sets or tests in the classic filter: re-mixed for every probe.
//
//   x = h | 1;  then k times:  x = x * 0xf1357aea2e62a9c5 mod 2^64;  bit = mulhi(x, m)
//
// A multiplicative congruential generator whose state is the key: its high bits, which
// the multiplication by m uses, behave as independent.  No double hashing, so no floor of
// 1/m below which the rate does not fall (spec/filters.md, section 4).  The multiplier is
// one of Steele and Vigna, "Computationally easy, spectrally good multipliers", 2022.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/probe/bit_sequence.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT bloom_probe {
 public:
  static constexpr std::uint64_t max_bits = std::uint64_t{1} << 48;
  static constexpr std::uint64_t multiplier = 0xf1357aea2e62a9c5;

  struct sequence : bit_position {
    std::uint64_t state;
    constexpr void advance(std::uint64_t bits) noexcept {
      __extension__ using u128 = unsigned __int128;
      state *= multiplier;
      at = static_cast<std::uint64_t>((static_cast<u128>(state) * bits) >> 64);
    }
  };

  // REQUIRES: 1 <= bits <= max_bits
  explicit constexpr bloom_probe(std::uint64_t bits) noexcept : bits_(bits) {}
  constexpr std::uint64_t bits() const noexcept { return bits_; }
  constexpr std::uint64_t range() const noexcept { return bits_; }  // for advance

  constexpr sequence start(key k) const noexcept {
    sequence w{{0}, k.bits() | 1};
    w.advance(bits_);
    return w;
  }

 private:
  std::uint64_t bits_;
};

}  // namespace bloomery::inline v1
