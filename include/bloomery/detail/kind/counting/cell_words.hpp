// Counters of 4, 8 or 32 bits, packed into little-endian 64-bit words.
//
// A cell whose highest bit is set (8, 128, 2^31 and above) is stuck: it has lost count,
// and no call changes it again.  Plain code stops exactly at that value.  Threads that
// add without a lock may go beyond it, by one each: with at most 8 of them a cell of 4
// bits cannot overflow into its neighbour, and `normalised` brings it back.
//
// REQUIRES, of every function: data is readable (writable) up to the next multiple of 8
// bytes
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/words.hpp>

namespace bloomery::inline v1 {
namespace cell_probe {

template <unsigned cell_bits>
struct cell_words {
  static_assert(cell_bits == 4 || cell_bits == 8 || cell_bits == 32);
  static constexpr unsigned width = cell_bits;
  static constexpr unsigned per_word = 64 / width;
  static constexpr std::uint64_t sticky = std::uint64_t{1} << (width - 1);
  static constexpr std::uint64_t cell_mask = 2 * sticky - 1;
  // The lowest bit of each cell, and the highest.
  static constexpr std::uint64_t lows = ~std::uint64_t{0} / cell_mask;
  static constexpr std::uint64_t highs = lows * sticky;

  // --- one cell ---
  static constexpr std::uint64_t offset(std::uint64_t cell) noexcept {  // in bytes
    return 8 * (cell / per_word);
  }
  static constexpr unsigned shift(std::uint64_t cell) noexcept {
    return static_cast<unsigned>(cell % per_word) * width;
  }
  BLOOMERY_INLINE static std::uint64_t get(const std::byte* data,
                                           std::uint64_t cell) noexcept {
    return words::load_le<std::uint64_t>(data + offset(cell)) >> shift(cell) & cell_mask;
  }
  // Plus one and minus one, unless the cell is stuck.  REQUIRES, of down: it is not 0
  BLOOMERY_INLINE static void up(std::byte* data, std::uint64_t cell) noexcept {
    std::byte* const place = data + offset(cell);
    const auto word = words::load_le<std::uint64_t>(place);
    words::store(place, words::as_little_endian(word + step(word, shift(cell))));
  }
  BLOOMERY_INLINE static void down(std::byte* data, std::uint64_t cell) noexcept {
    std::byte* const place = data + offset(cell);
    const auto word = words::load_le<std::uint64_t>(place);
    words::store(place, words::as_little_endian(word - step(word, shift(cell))));
  }
  // 1 in the place of the cell, or 0 if it is stuck.
  BLOOMERY_INLINE static std::uint64_t step(std::uint64_t word, unsigned at) noexcept {
    return (~word >> (at + width - 1) & 1) << at;
  }

  // --- all cells of a word ---
  // The lowest bit of each cell that is not 0.
  static constexpr std::uint64_t nonzero(std::uint64_t word) noexcept {
    // Carries into the highest bit exactly where a lower bit is set.
    return ((((word & ~highs) + (highs - lows)) | word) & highs) >> (width - 1);
  }
  static constexpr unsigned nonzero_count(std::uint64_t word) noexcept {
    return static_cast<unsigned>(std::popcount(nonzero(word)));
  }
  static constexpr unsigned stuck_count(std::uint64_t word) noexcept {
    return static_cast<unsigned>(std::popcount(word & highs));
  }
  // Stuck cells at exactly the sticky value.
  static constexpr std::uint64_t normalised(std::uint64_t word) noexcept {
    const std::uint64_t stuck = word & highs;
    return word & ~(stuck - (stuck >> (width - 1)));
  }
  // min(sticky, a + b), cell by cell.  A sum of two that are not stuck does not carry.
  static constexpr std::uint64_t sum(std::uint64_t a, std::uint64_t b) noexcept {
    const std::uint64_t low = (a & ~highs) + (b & ~highs);
    return normalised(low | ((a | b) & highs));
  }
  // One bit for each cell, bit i that of cell i: whether it is not 0.
  static constexpr std::uint64_t bits_of(std::uint64_t word) noexcept {
    std::uint64_t x = nonzero(word);
    if constexpr (width == 4) x = (x | x >> 3) & 0x0303030303030303;
    if constexpr (width == 4) x = (x | x >> 6) & 0x000f000f000f000f;
    if constexpr (width == 4) x = (x | x >> 12) & 0x000000ff000000ff;
    if constexpr (width == 4) x = (x | x >> 24) & 0xffff;
    if constexpr (width == 8) x = x * 0x0102040810204080 >> 56;
    if constexpr (width == 32) x = (x | x >> 31) & 3;
    return x;
  }
};

// use(cell_words<width>{}) with the width that is known at run time only.
template <class Use>
BLOOMERY_INLINE decltype(auto) with_width(unsigned width, Use&& use) noexcept {
  if (width == 4) return use(cell_words<4>{});
  if (width == 8) return use(cell_words<8>{});
  return use(cell_words<32>{});
}

}  // namespace cell_probe
}  // namespace bloomery::inline v1
