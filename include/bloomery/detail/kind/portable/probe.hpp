// Which bits a key sets or tests in the portable filter: (h1 + i*h2) mod m for i < k,
// where h1 and h2 are the low and high 32 bits of the key.  No division.
//
//   h mod m      M = ceil(2^64 / m);  h mod m = mulhi(M * h, m)  for h, m < 2^32
//                (Lemire, Kaser, Kurz 2019: Faster remainder by direct computation).
//                For m >= 2^32 it is h itself, which the same two multiplications
//                give with M = m' = 2^32: no branch.
//   next bit     x + s, less m if that reaches m: x, s < m <= 2^63, so nothing wraps.
//
// The proof is in spec/filters.md, the brute force in tests/unit.
#pragma once

#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/probe/bit_sequence.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT portable_probe {
 public:
  // The largest m whose steps cannot wrap; no file can hold as many.
  static constexpr std::uint64_t max_bits = std::uint64_t{1} << 63;

  // A walk over the bits of one key.
  struct sequence : bit_position {
    std::uint64_t step;  // < bits, as `at` is
    constexpr void advance(std::uint64_t bits) noexcept {
      const std::uint64_t next = at + step;
      at = next >= bits ? next - bits : next;
    }
  };

  // REQUIRES: 1 <= bits <= max_bits
  explicit constexpr portable_probe(std::uint64_t bits) noexcept
      : bits_(bits),
        magic_(bits >> 32 != 0 ? two32 : ~std::uint64_t{0} / bits + 1),
        range_(bits >> 32 != 0 ? two32 : bits) {}

  constexpr std::uint64_t bits() const noexcept { return bits_; }
  constexpr std::uint64_t range() const noexcept { return bits_; }  // for advance

  // h mod bits
  constexpr std::uint64_t reduce(std::uint32_t h) const noexcept {
    __extension__ using u128 = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<u128>(magic_ * h) * range_) >> 64);
  }

  // Where the walk of `k` begins.
  constexpr sequence start(key k) const noexcept {
    return {{reduce(static_cast<std::uint32_t>(k.bits()))},
            reduce(static_cast<std::uint32_t>(k.bits() >> 32))};
  }

 private:
  static constexpr std::uint64_t two32 = std::uint64_t{1} << 32;

  std::uint64_t bits_;
  std::uint64_t magic_;
  std::uint64_t range_;
};

}  // namespace bloomery::inline v1
