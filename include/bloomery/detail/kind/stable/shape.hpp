// The shape of a stable filter: its cells, and how fast it forgets.  spec/filters.md,
// section 13.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bloomery::inline v1 {

struct stable_shape {
  std::uint64_t cells = 0;      // m
  unsigned cell_bits = 2;       // d: 1, 2, 4
  unsigned max = 3;             // what an insert sets its cells to, 1 .. 2^d - 1
  std::uint32_t hashes = 4;     // k: cells of a key
  std::uint64_t decrement = 0;  // P, the cells an insert decreases, in 2^-32; at most m

  static constexpr std::uint32_t max_hashes = 64;
  static constexpr std::uint64_t max_cells = std::uint64_t{1} << 46;

  constexpr std::uint64_t bits() const noexcept { return cells * cell_bits; }
  // REQUIRES: cells <= max_cells
  constexpr std::uint64_t size_in_bytes() const noexcept { return (bits() + 7) / 8; }
  constexpr std::uint32_t whole_steps() const noexcept {
    return static_cast<std::uint32_t>(decrement >> 32);
  }
  constexpr std::uint32_t fraction() const noexcept {
    return static_cast<std::uint32_t>(decrement);
  }
  // P as a number.
  constexpr double steps() const noexcept {
    return static_cast<double>(decrement) * 0x1p-32;
  }
  constexpr bool has_cells() const noexcept { return cells >= 1 && cells <= max_cells; }
  constexpr bool has_hashes() const noexcept {
    return hashes >= 1 && hashes <= max_hashes;
  }
  constexpr bool has_width() const noexcept {
    return cell_bits == 1 || cell_bits == 2 || cell_bits == 4;
  }
  // REQUIRES: has_width()
  constexpr bool has_max() const noexcept { return max >= 1 && max >> cell_bits == 0; }
  constexpr bool has_decrement() const noexcept {
    return whole_steps() < cells || (whole_steps() == cells && fraction() == 0);
  }

  friend constexpr bool operator==(const stable_shape&,
                                   const stable_shape&) noexcept = default;
};

}  // namespace bloomery::inline v1
