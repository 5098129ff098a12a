// Lines of 4-bit cells by AVX2, a line in two registers.  Empty unless the caller, or a
// kernel's target attributes, allow it.
//
// A cell is stuck if its highest bit is set: shifted down by 3, that bit lies where the
// cell's lowest one does, and masks the 1 that is to be added.  So no cell overflows into
// its neighbour, and no cell is compared.
#pragma once

#if defined(__AVX2__) || defined(BLOOMERY_KERNEL_AVX2)
#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {
namespace cell_probe {

struct avx2 {
  // Constants in memory: GCC 12 would otherwise build each anew, by three instructions,
  // for every key.
  using words8 = std::array<std::uint32_t, 8>;
  // The multipliers in the order in which `test` meets the lanes.
  alignas(32) static constexpr words8 tested_salt{
      block_salt[0], block_salt[1], block_salt[4], block_salt[5],
      block_salt[2], block_salt[3], block_salt[6], block_salt[7]};
  // The cells of a word.
  alignas(32) static constexpr words8 cells{15u,       15u << 4,  15u << 8,  15u << 12,
                                            15u << 16, 15u << 20, 15u << 24, 15u << 28};
  alignas(32) static constexpr words8 in_lane{60, 60, 60, 60, 60, 60, 60, 60};
  alignas(32) static constexpr std::array<std::uint64_t, 4> ones{1, 1, 1, 1};

  // Stores of this type cannot alias the fields of a filter that one-key calls read.
  using stored [[gnu::vector_size(32)]] = std::uint32_t;

  // The key, spread; what is made of it differs between tests and changes.
  struct places {
    __m256i low;
  };
  BLOOMERY_INLINE static places cells_of(std::uint64_t h) noexcept {
    return {_mm256_set1_epi32(static_cast<int>(h))};
  }
  // One load spreads a key that lies in memory; from a register it takes two shuffles.
  BLOOMERY_INLINE static places cells_at(const key* k) noexcept {
    return {_mm256_broadcastd_epi32(_mm_loadu_si32(k))};
  }
  BLOOMERY_INLINE static __m256i load(const void* p) noexcept {
    return _mm256_load_si256(static_cast<const __m256i*>(p));
  }
  BLOOMERY_INLINE static void store(std::byte* p, __m256i v) noexcept {
    *reinterpret_cast<stored*>(p) = reinterpret_cast<stored>(v);
  }

  // The half of each lane that has its cell, by the sign of the product; then 8 words of
  // 32 bits with 8 cells each, chosen by the next three bits: a permutation looks at no
  // others, where a shift would need them cleared.
  BLOOMERY_INLINE static bool test(const std::byte* line, places p) noexcept {
    const __m256i x = _mm256_mullo_epi32(p.low, load(tested_salt.data()));
    const __m256 a = _mm256_castsi256_ps(load(line)),
                 b = _mm256_castsi256_ps(load(line + 32));
    const __m256i half = _mm256_castps_si256(
        _mm256_blendv_ps(_mm256_shuffle_ps(a, b, 0x88), _mm256_shuffle_ps(a, b, 0xdd),
                         _mm256_castsi256_ps(x)));
    const __m256i mask =
        _mm256_permutevar8x32_epi32(load(cells.data()), _mm256_srli_epi32(x, 28));
    const __m256i cell = _mm256_and_si256(half, mask);
    const __m256i zero = _mm256_cmpeq_epi32(cell, _mm256_setzero_si256());
    return _mm256_testz_si256(zero, zero) != 0;
  }

  // Four lanes and where their cells begin.
  struct quarter {
    __m256i word, at;
    BLOOMERY_INLINE __m256i step() const noexcept {
      const __m256i one = _mm256_sllv_epi64(load(ones.data()), at);
      return _mm256_andnot_si256(_mm256_srli_epi64(word, 3), one);
    }
    // All ones where the cell is 0.
    BLOOMERY_INLINE __m256i zero() const noexcept {
      const __m256i cell = _mm256_sllv_epi64(_mm256_set1_epi64x(15), at);
      return _mm256_cmpeq_epi64(_mm256_and_si256(word, cell), _mm256_setzero_si256());
    }
  };
  struct line_cells {
    quarter first, last;
  };
  BLOOMERY_INLINE static line_cells find(const std::byte* line, places p) noexcept {
    const __m256i x = _mm256_mullo_epi32(p.low, load(block_salt.data()));
    const __m256i at = _mm256_and_si256(_mm256_srli_epi32(x, 26), load(in_lane.data()));
    return {{load(line), _mm256_cvtepu32_epi64(_mm256_castsi256_si128(at))},
            {load(line + 32), _mm256_cvtepu32_epi64(_mm256_extracti128_si256(at, 1))}};
  }

  BLOOMERY_INLINE static void up(std::byte* line, places p) noexcept {
    const line_cells c = find(line, p);
    store(line, _mm256_add_epi64(c.first.word, c.first.step()));
    store(line + 32, _mm256_add_epi64(c.last.word, c.last.step()));
  }
  BLOOMERY_INLINE static bool down(std::byte* line, places p) noexcept {
    const line_cells c = find(line, p);
    const __m256i zero = _mm256_or_si256(c.first.zero(), c.last.zero());
    if (_mm256_testz_si256(zero, zero) == 0) return false;
    store(line, _mm256_sub_epi64(c.first.word, c.first.step()));
    store(line + 32, _mm256_sub_epi64(c.last.word, c.last.step()));
    return true;
  }
};

}  // namespace cell_probe
}  // namespace bloomery::inline v1

#endif
