// Which bits a key sets or tests in the partitioned filter: one in each slice.
//
//   x = h | 1;  then for each slice j:  x = x * 0xf1357aea2e62a9c5 mod 2^64;
//                                       bit = j * s + mulhi(x, s)
//
// The generator is the classic filter's (bloom_probe.hpp); the slices keep its probes
// apart, so no two of one key coincide (spec/filters.md, section 6).
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/bloom/probe.hpp>
#include <bloomery/detail/probe/bit_sequence.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT partitioned_probe {
 public:
  static constexpr std::uint64_t max_bits = bloom_probe::max_bits;
  static constexpr std::uint32_t max_slices = 64;

  struct sequence : bit_position {
    std::uint64_t state;
    std::uint64_t slice_at;  // where the next slice begins
    constexpr void advance(std::uint64_t slice_bits) noexcept {
      __extension__ using u128 = unsigned __int128;
      state *= bloom_probe::multiplier;
      at = slice_at +
           static_cast<std::uint64_t>((static_cast<u128>(state) * slice_bits) >> 64);
      slice_at += slice_bits;
    }
  };

  // REQUIRES: 1 <= slices <= max_slices, 1 <= slice_bits, all bits <= max_bits
  constexpr partitioned_probe(std::uint64_t slice_bits, std::uint32_t slices) noexcept
      : slice_bits_(slice_bits), slices_(slices) {}

  constexpr std::uint64_t bits() const noexcept { return slice_bits_ * slices_; }
  constexpr std::uint64_t range() const noexcept { return slice_bits_; }  // for advance

  constexpr sequence start(key k) const noexcept {
    sequence w{{0}, k.bits() | 1, 0};
    w.advance(slice_bits_);
    return w;
  }

 private:
  std::uint64_t slice_bits_;
  std::uint32_t slices_;
};

}  // namespace bloomery::inline v1
