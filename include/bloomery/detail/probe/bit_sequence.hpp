// A walk over the bits of one key, one bit at a time: what filters without blocks share.
//
// A walk is a bit_position with advance(bits), which moves it to the key's next bit.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/words.hpp>

namespace bloomery::inline v1 {

// Bit `at` of an array, LSB-first.
struct bit_position {
  std::uint64_t at;

  // Bit i of the bytes is bit i % 64 of little-endian word i / 64, and testing a bit of a
  // word takes one instruction where that of a byte takes three.
  // REQUIRES: data is readable (writable) up to the next multiple of 8 bytes
  unsigned bit_in(const std::byte* data) const noexcept {
    return static_cast<unsigned>(words::load_le<std::uint64_t>(data + word()) >>
                                 (at & 63)) &
           1u;
  }
  void set_in(std::byte* data) const noexcept {
    std::byte* const place = data + word();
    words::store(place,
                 words::load<std::uint64_t>(place) | words::as_little_endian(mask()));
  }

  std::uint64_t word() const noexcept { return 8 * (at >> 6); }  // offset in bytes
  std::uint64_t mask() const noexcept { return std::uint64_t{1} << (at & 63); }
};

// Whether the next `n` bits of the walk are all set.
//
// Four at a time without a branch: at half fill an absent key leaves after the first
// four in 15 of 16 cases, so that branch is predictable; one at a time it is not.
template <class Walk>
BLOOMERY_INLINE bool all_set(const std::byte* data, Walk w, std::uint32_t n,
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
BLOOMERY_INLINE void set_all(std::byte* data, Walk w, std::uint32_t n,
                             std::uint64_t bits) noexcept {
  for (; n != 0; --n, w.advance(bits)) w.set_in(data);
}

// The same beside other threads: wait-free, one locked OR for each bit that is missing.
// Whether some were (write_policy.hpp says why the others need no write).
template <class Walk>
BLOOMERY_INLINE bool set_missing(std::byte* data, Walk w, std::uint32_t n,
                                 std::uint64_t bits) noexcept {
  bool some = false;
  for (; n != 0; --n, w.advance(bits)) {
    if (w.bit_in(data) != 0) continue;
    words::fetch_or_le(data + w.word(), w.mask());
    some = true;
  }
  return some;
}

}  // namespace bloomery::inline v1
