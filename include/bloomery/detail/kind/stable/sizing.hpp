// How a stable filter is laid out for a rate and a gap.  Pure arithmetic: nothing here
// allocates.
//
// The gap is how many inserts lie between two occurrences of a key that shall be
// recognised.  Among all widths of cells, maxima and numbers of hashes that have the
// rate, the sizing chooses the one that forgets the fewest keys of that age
// (docs/model.md).
#pragma once

#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/stable/shape.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// Share of the keys of the gap's age that may be forgotten, where memory is not given.
inline constexpr double default_forgotten = 0.01;

// The shape within `bytes`, with the rate `fpr` at its stable point, that forgets the
// fewest keys of the age `gap`.  cell_bits: 1, 2, 4; 0: any.
// Errors: invalid_argument (no gap, no memory, fpr outside (0, 1), another width),
// unattainable (no such filter has the rate), too_large.
BLOOMERY_EXPORT result<stable_shape> size_stable_by_memory(
    std::uint64_t gap, double fpr, std::uint64_t bytes, unsigned cell_bits = 0) noexcept;

// The smallest of these that forgets at most `forgotten` of the keys of the age `gap`.
// Errors: as above; invalid_argument (forgotten outside (0, 1)).
BLOOMERY_EXPORT result<stable_shape> size_stable_by_rate(
    std::uint64_t gap, double fpr, double forgotten = default_forgotten,
    unsigned cell_bits = 0) noexcept;

// The decrement with which so many cells, a key having `hashes` of them, have the rate
// `fpr` at the stable point.  Errors: unattainable (more than all cells).
BLOOMERY_EXPORT result<std::uint64_t> stable_decrement(std::uint64_t cells,
                                                       std::uint32_t hashes, unsigned max,
                                                       double fpr) noexcept;

// Errors: invalid_argument (a field outside its range), too_large (cells).
BLOOMERY_EXPORT result<void> check_stable_shape(const stable_shape& s) noexcept;

}  // namespace bloomery::inline v1
