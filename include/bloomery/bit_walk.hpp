// A walk over the bits of one key, one bit at a time: what filters without blocks share.
//
// A walk is a bit_place with advance(bits), which moves it to the key's next bit.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bloomery::inline v1 {

// Bit `at` of an array, LSB-first.
struct bit_place {
  std::uint64_t at;

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

// Whether the next `n` bits of the walk are all set.
//
// Four at a time without a branch: at half fill an absent key leaves after the first
// four in 15 of 16 cases, so that branch is predictable; one at a time it is not.
template <class Walk>
bool all_set(const std::byte* data, Walk w, std::uint32_t n,
             std::uint64_t bits) noexcept {
  for (; n >= 4; n -= 4) {
    unsigned all = 1;
    for (int i = 0; i < 4; ++i, w.advance(bits)) all &= w.bit_in(data);
    if (all == 0) return false;
  }
  for (; n != 0; --n, w.advance(bits))
    if (w.bit_in(data) == 0) return false;
  return true;
}

// `bits` is passed by value: a store through a byte pointer may alias a member, which
// would be reloaded after every one.
template <class Walk>
void set_all(std::byte* data, Walk w, std::uint32_t n, std::uint64_t bits) noexcept {
  for (; n != 0; --n, w.advance(bits)) w.set_in(data);
}

}  // namespace bloomery::inline v1
