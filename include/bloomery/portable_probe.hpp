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

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

class portable_probe {
 public:
  // The largest m whose steps cannot wrap; no file can hold as many.
  static constexpr std::uint64_t max_bits = std::uint64_t{1} << 63;

  // A walk over the bits of one key.
  struct walk {
    std::uint64_t at;    // < bits
    std::uint64_t step;  // < bits
    void advance(std::uint64_t bits) noexcept {
      const std::uint64_t next = at + step;
      at = next >= bits ? next - bits : next;
    }
    // On a little-endian machine bit i of the bytes is bit i % 64 of word i / 64, and
    // testing a bit of a word takes one instruction where that of a byte takes three.
    // REQUIRES: data is readable (writable) up to the next multiple of 8 bytes
    unsigned bit_in(const std::byte* data) const noexcept {
      if constexpr (std::endian::native == std::endian::little) {
        std::uint64_t word;
        std::memcpy(&word, data + 8 * (at >> 6), sizeof word);
        return static_cast<unsigned>(word >> (at & 63)) & 1u;
      } else {
        return static_cast<unsigned>(data[at >> 3] >> (at & 7)) & 1u;
      }
    }
    void set_in(std::byte* data) const noexcept {
      if constexpr (std::endian::native == std::endian::little) {
        std::byte* const place = data + 8 * (at >> 6);
        std::uint64_t word;
        std::memcpy(&word, place, sizeof word);
        word |= std::uint64_t{1} << (at & 63);
        std::memcpy(place, &word, sizeof word);
      } else {
        data[at >> 3] |= std::byte{1} << (at & 7);
      }
    }
  };

  // REQUIRES: 1 <= bits <= max_bits
  explicit constexpr portable_probe(std::uint64_t bits) noexcept
      : bits_(bits),
        magic_(bits >> 32 != 0 ? two32 : ~std::uint64_t{0} / bits + 1),
        range_(bits >> 32 != 0 ? two32 : bits) {}

  constexpr std::uint64_t bits() const noexcept { return bits_; }

  // h mod bits
  constexpr std::uint64_t reduce(std::uint32_t h) const noexcept {
    __extension__ using u128 = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<u128>(magic_ * h) * range_) >> 64);
  }

  // Where the walk of `k` begins.
  constexpr walk start(key k) const noexcept {
    return {reduce(static_cast<std::uint32_t>(k.bits())),
            reduce(static_cast<std::uint32_t>(k.bits() >> 32))};
  }

  // Whether the next `n` bits of the walk are all set.
  //
  // Four at a time without a branch: at half fill an absent key leaves after the first
  // four in 15 of 16 cases, so that branch is predictable; one at a time it is not.
  bool all_set(const std::byte* data, walk w, std::uint32_t n) const noexcept {
    const std::uint64_t bits = bits_;
    for (; n >= 4; n -= 4) {
      unsigned all = 1;
      for (int i = 0; i < 4; ++i, w.advance(bits)) all &= w.bit_in(data);
      if (all == 0) return false;
    }
    for (; n != 0; --n, w.advance(bits))
      if (w.bit_in(data) == 0) return false;
    return true;
  }

  void set_all(std::byte* data, walk w, std::uint32_t n) const noexcept {
    // A local: a store through a byte pointer may alias the member, which would be
    // reloaded after every one.
    const std::uint64_t bits = bits_;
    for (; n != 0; --n, w.advance(bits)) w.set_in(data);
  }

 private:
  static constexpr std::uint64_t two32 = std::uint64_t{1} << 32;

  std::uint64_t bits_;
  std::uint64_t magic_;
  std::uint64_t range_;
};

}  // namespace bloomery::inline v1
