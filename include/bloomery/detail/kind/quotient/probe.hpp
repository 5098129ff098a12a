// Which fingerprint a key has in the quotient filter: quotient and remainder.
//
//   fingerprint = mulhi(h, S * 2^r),  quotient = fingerprint >> r,  remainder = the rest
//
// S is any number.  The order of the fingerprints is that of the hashes, and with 2 S
// quotients and r - 1 bits the fingerprint is the same number: so filters are merged and
// doubled without their keys.  (spec/filters.md, section 15)
#pragma once

#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

// The size of a quotient filter.
struct quotient_layout {
  std::uint64_t quotients = 0;       // S
  std::uint32_t remainder_bits = 0;  // r
  std::uint64_t blocks = 0;          // B, of 64 slots each: from S slots on

  static constexpr std::uint32_t min_remainder_bits = 2, max_remainder_bits = 32;
  static constexpr std::uint64_t max_fingerprints = std::uint64_t{1} << 60;
  static constexpr std::uint64_t max_count = (std::uint64_t{1} << 48) - 1;
  static constexpr std::uint64_t block_slots = 64;
  static constexpr std::uint64_t max_quotients(std::uint32_t r) noexcept {
    return max_fingerprints >> r;
  }
  static constexpr std::uint64_t max_blocks(std::uint32_t r) noexcept {
    return (std::uint64_t{1} << 42) / (r + 3);
  }

  constexpr std::uint64_t fingerprints() const noexcept {
    return quotients << remainder_bits;
  }
  constexpr std::uint64_t slots() const noexcept { return block_slots * blocks; }
  // Words of 64 bits: of a block, where the offsets begin, of everything.
  constexpr std::uint64_t block_words() const noexcept { return remainder_bits + 2; }
  constexpr std::uint64_t offsets_at() const noexcept { return blocks * block_words(); }
  constexpr std::uint64_t words() const noexcept {
    return offsets_at() + (blocks + 7) / 8;
  }
  constexpr std::uint64_t size_in_bytes() const noexcept { return 8 * words(); }

  constexpr std::uint64_t fingerprint(key k) const noexcept {
    __extension__ using u128 = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<u128>(k.bits()) * fingerprints()) >>
                                      64);
  }
  // The smallest hash with this fingerprint.  REQUIRES: f < fingerprints()
  constexpr key key_of(std::uint64_t f) const noexcept {
    __extension__ using u128 = unsigned __int128;
    const u128 all = fingerprints();
    return key::from_bits(
        static_cast<std::uint64_t>(((static_cast<u128>(f) << 64) + all - 1) / all));
  }
  friend bool operator==(const quotient_layout&,
                         const quotient_layout&) noexcept = default;
};

}  // namespace bloomery::inline v1
