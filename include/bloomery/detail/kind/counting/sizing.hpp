// How large a counting filter must be.  Pure arithmetic: nothing here allocates.
//
// A cell is not 0 exactly where the filter of bits of the same keys has a bit set, so the
// number of cells is the number of its bits: those of block_sizing.hpp for lines, those
// of bloom_sizing.hpp for the layout flat.
#pragma once

#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/counting/shape.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// Lines take 1.2 times the memory of scattered cells at 1 %, 1.4 times at 0.05 %, and
// ever more below: 2.3 times at 0.001 %.
constexpr cell_layout best_cell_layout(double fpr) noexcept {
  return fpr < 5e-4 ? cell_layout::flat : cell_layout::line;
}

// The smallest shape whose expected rate with `keys` distinct keys is at most `fpr`.
// Errors: invalid_argument (keys = 0, fpr outside (0, 1), no width of cells),
// unattainable (64-bit keys collide more often than `fpr`), too_large (asked and
// possible: bytes).
BLOOMERY_EXPORT result<counting_shape> size_counting_by_rate(
    std::uint64_t keys, double fpr, unsigned cell_bits = 4,
    cell_layout layout = cell_layout::by_rate) noexcept;

// The largest shape within `bytes`.  by_rate: lines, unless their rate is one for which
// best_cell_layout is flat.  Errors: invalid_argument (keys = 0, no room for a cell, no
// width of cells), too_large.
BLOOMERY_EXPORT result<counting_shape> size_counting_by_memory(
    std::uint64_t keys, std::uint64_t bytes, unsigned cell_bits = 4,
    cell_layout layout = cell_layout::by_rate) noexcept;

// Errors: invalid_argument (no cells, no such width; lines that are no whole blocks, or
// have other than 8 hashes), too_large.
BLOOMERY_EXPORT result<void> check_counting_shape(const counting_shape& s) noexcept;

}  // namespace bloomery::inline v1
