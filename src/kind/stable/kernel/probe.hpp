// Which cells of a stable filter an insert decreases and sets: the definition
// (spec/filters.md, section 13).  Kernels do the same, faster.
//
// REQUIRES, of every function: data is readable (writable) up to the next multiple of 8
// bytes
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <bloomery/detail/kind/bloom/probe.hpp>
#include <bloomery/detail/kind/stable/shape.hpp>
#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

#include <bloomery/detail/hash/mix.hpp>

namespace bloomery::kernel::stable_probe {

// Cells of 1, 2 or 4 bits in little-endian 64-bit words.
template <unsigned cell_bits>
struct packed_cells {
  static_assert(cell_bits == 1 || cell_bits == 2 || cell_bits == 4);
  static constexpr unsigned width = cell_bits;
  static constexpr unsigned per_word = 64 / width;
  static constexpr std::uint64_t cell_mask = (std::uint64_t{1} << width) - 1;
  // The lowest bit of each cell.
  static constexpr std::uint64_t lows = ~std::uint64_t{0} / cell_mask;

  BLOOMERY_INLINE static constexpr std::uint64_t offset(
      std::uint64_t cell) noexcept {  // in bytes
    return 8 * (cell / per_word);
  }
  BLOOMERY_INLINE static constexpr unsigned shift(std::uint64_t cell) noexcept {
    return static_cast<unsigned>(cell % per_word) * width;
  }
  BLOOMERY_INLINE static std::uint64_t get(const std::byte* data,
                                           std::uint64_t cell) noexcept {
    return words::load_le<std::uint64_t>(data + offset(cell)) >> shift(cell) & cell_mask;
  }
  BLOOMERY_INLINE static void put(std::byte* data, std::uint64_t cell,
                                  std::uint64_t value) noexcept {
    std::byte* const place = data + offset(cell);
    const unsigned at = shift(cell);
    const auto word = words::load_le<std::uint64_t>(place);
    words::store(place,
                 words::as_little_endian((word & ~(cell_mask << at)) | value << at));
  }

  // The lowest bit of each cell that is not 0.
  BLOOMERY_INLINE static constexpr std::uint64_t nonzero(std::uint64_t word) noexcept {
    if constexpr (width > 1) word |= word >> 1;
    if constexpr (width > 2) word |= word >> 2;
    return word & lows;
  }
  // Every cell that `chosen` has bits of, and that is not 0, becomes 1 less: of the eight
  // bytes from `place` on, which need not be aligned.
  BLOOMERY_INLINE static void decrease(std::byte* place, std::uint64_t chosen) noexcept {
    std::uint64_t word;
    std::memcpy(&word, place, sizeof word);
    word = words::as_little_endian(word);
    word = words::as_little_endian(word - (nonzero(word) & chosen));
    std::memcpy(place, &word, sizeof word);
  }
};

// use(packed_cells<width>{}) with the width that is known at run time only.
template <class Use>
BLOOMERY_INLINE decltype(auto) with_width(unsigned width, Use&& use) noexcept {
  if (width == 1) return use(packed_cells<1>{});
  if (width == 2) return use(packed_cells<2>{});
  return use(packed_cells<4>{});
}

// The cells that insert number t decreases: `steps` of them from `start` on, modulo m.
struct decreased_run {
  std::uint64_t start, steps;
};
BLOOMERY_INLINE decreased_run run_of(const stable_shape& s, std::uint32_t seed,
                                     std::uint64_t t) noexcept {
  const std::uint64_t r = hash::splitmix64(seed + t * 0x9e3779b97f4a7c15);
  const bool one_more = static_cast<std::uint32_t>(r) < s.fraction();
  return {block_probe::high_product(r, s.cells),
          std::uint64_t{s.whole_steps()} + one_more};
}

// The walk over a key's cells: that of the classic filter.  `bit_in` is whether the cell
// is not 0.
template <class Cells>
class walk_probe {
 public:
  struct sequence : bit_position {  // of the cell's lowest bit
    std::uint64_t state;
    BLOOMERY_INLINE void advance(std::uint64_t cells) noexcept {
      state *= bloom_probe::multiplier;
      at = Cells::width * block_probe::high_product(state, cells);
    }
    BLOOMERY_INLINE unsigned bit_in(const std::byte* data) const noexcept {
      const auto word = words::load_le<std::uint64_t>(data + this->word());
      return (word >> (at & 63) & Cells::cell_mask) != 0;
    }
    std::uint64_t cell() const noexcept { return at / Cells::width; }
  };

  explicit walk_probe(std::uint64_t cells) noexcept : cells_(cells) {}
  BLOOMERY_INLINE std::uint64_t range() const noexcept { return cells_; }
  BLOOMERY_INLINE sequence start(key k) const noexcept {
    sequence w{{0}, k.bits() | 1};
    w.advance(cells_);
    return w;
  }

 private:
  std::uint64_t cells_;
};

}  // namespace bloomery::kernel::stable_probe
