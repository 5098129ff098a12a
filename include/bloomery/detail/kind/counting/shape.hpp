// The shapes of a counting filter: where a key's cells lie.  spec/filters.md, section 8.
//
//   line   blocks of 8 lanes of 16 cells, and a key has one cell in each lane: one cache
//          line per key with cells of 4 bits, two with 8
//   flat   the cells of a key lie anywhere: fewer of them at low rates, a line for each
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/block/shape.hpp>

namespace bloomery::inline v1 {

// Where the cells of a key lie.
enum class cell_layout : std::uint8_t {
  by_rate,  // chosen by the target rate (best_cell_layout); never stored
  line,
  flat,
};

// As in options.
constexpr const char* name_of(cell_layout l) noexcept {
  if (l == cell_layout::by_rate) return "by-rate";
  return l == cell_layout::line ? "line" : "flat";
}

constexpr bool is_cell_width(unsigned bits) noexcept {
  return bits == 4 || bits == 8 || bits == 32;
}

struct counting_shape {
  std::uint64_t cells = 0;  // in the layout line a multiple of block_cells
  cell_layout layout = cell_layout::line;
  unsigned cell_bits = 4;    // 4, 8, 32
  std::uint32_t hashes = 8;  // in the layout line always 8

  static constexpr std::uint64_t block_cells = 128;
  static constexpr std::uint64_t lane_cells = 16;
  static constexpr std::uint32_t line_hashes = 8;
  static constexpr std::uint32_t max_hashes = 64;
  // 2^48 bytes of the widest cells: far beyond any memory.
  static constexpr std::uint64_t max_cells = std::uint64_t{1} << 46;

  constexpr bool is_line() const noexcept { return layout == cell_layout::line; }
  constexpr std::uint64_t blocks() const noexcept { return cells / block_cells; }
  constexpr std::size_t block_bytes() const noexcept {
    return static_cast<std::size_t>(block_cells) * cell_bits / 8;
  }
  // REQUIRES: cells <= max_cells
  constexpr std::uint64_t size_in_bytes() const noexcept {
    return (cells * cell_bits + 7) / 8;
  }
  // A cell of this value has lost count, and never changes again.
  constexpr std::uint64_t sticky() const noexcept {
    return std::uint64_t{1} << (cell_bits - 1);
  }

  // The value of byte 11 of a container.
  constexpr block_profile profile() const noexcept {
    return is_line() ? block_profile::lanes16 : block_profile::by_rate;
  }
  // The block filter that a filter of lines becomes.
  constexpr block_shape published() const noexcept {
    return {blocks(), block_profile::lanes16};
  }
  // For receipts.
  constexpr std::uint64_t receipt_shape() const noexcept {
    return std::uint64_t{cell_bits} << 16 | std::uint64_t{hashes} << 8 |
           static_cast<std::uint64_t>(profile());
  }

  friend constexpr bool operator==(const counting_shape&,
                                   const counting_shape&) noexcept = default;
};

}  // namespace bloomery::inline v1
