// The same cells by AVX2: a line in two registers.
//
// A cell is stuck if its highest bit is set: shifted down by 3, that bit lies where the
// cell's lowest one does, and masks the 1 that is to be added.  So no cell overflows into
// its neighbour, and no cell is compared.
#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

// Shared with code for other CPUs, so outside the target attributes.
#include <bloomery/block_shape.hpp>
#include <bloomery/counting_shape.hpp>
#include <bloomery/key.hpp>

#include "kernel/counting.hpp"
#include "kernel/target.hpp"

#define BLOOMERY_KERNEL_AVX2
BLOOMERY_TARGET("avx2,bmi,bmi2,prfchw")
#include "kernel/counting_loops.hpp"

namespace bloomery::kernel {
namespace {

// The multipliers in the order in which `test` meets the lanes.
alignas(32) constexpr std::array<std::uint32_t, 8> tested_salt{
    block_salt[0], block_salt[1], block_salt[4], block_salt[5],
    block_salt[2], block_salt[3], block_salt[6], block_salt[7]};

struct avx2_cells {
  // Stores of this type cannot alias the fields of a filter.
  using lanes4 [[gnu::vector_size(32)]] = std::uint64_t;

  // The key, spread; what is made of it differs between tests and changes.
  struct places {
    __m256i low;
  };
  BLOOMERY_INLINE static places cells_of(std::uint64_t h) noexcept {
    return {_mm256_set1_epi32(static_cast<int>(h))};
  }
  BLOOMERY_INLINE static places cells_at(const key* k) noexcept {
    return {_mm256_broadcastd_epi32(_mm_loadu_si32(k))};
  }
  BLOOMERY_INLINE static __m256i load(const void* p) noexcept {
    return _mm256_load_si256(static_cast<const __m256i*>(p));
  }
  BLOOMERY_INLINE static void store(std::byte* p, __m256i v) noexcept {
    *reinterpret_cast<lanes4*>(p) = reinterpret_cast<lanes4>(v);
  }

  // The half of each lane that has its cell, by the sign of the product; then 8 words of
  // 32 bits with 8 cells each.
  BLOOMERY_INLINE static bool test(const std::byte* line, places p) noexcept {
    const __m256i x = _mm256_mullo_epi32(p.low, load(tested_salt.data()));
    const __m256 a = _mm256_castsi256_ps(load(line)),
                 b = _mm256_castsi256_ps(load(line + 32));
    const __m256i half = _mm256_castps_si256(
        _mm256_blendv_ps(_mm256_shuffle_ps(a, b, 0x88), _mm256_shuffle_ps(a, b, 0xdd),
                         _mm256_castsi256_ps(x)));
    const __m256i at =
        _mm256_and_si256(_mm256_srli_epi32(x, 26), _mm256_set1_epi32(7 << 2));
    const __m256i cell =
        _mm256_and_si256(half, _mm256_sllv_epi32(_mm256_set1_epi32(15), at));
    const __m256i zero = _mm256_cmpeq_epi32(cell, _mm256_setzero_si256());
    return _mm256_testz_si256(zero, zero) != 0;
  }

  // Four lanes and where their cells begin.
  struct quarter {
    __m256i word, at;
    BLOOMERY_INLINE __m256i step() const noexcept {
      const __m256i one = _mm256_sllv_epi64(_mm256_set1_epi64x(1), at);
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
    const __m256i at =
        _mm256_and_si256(_mm256_srli_epi32(x, 26), _mm256_set1_epi32(15 << 2));
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

}  // namespace

constinit const counting_kernel counting_avx2 =
    counting_loops_of<avx2_cells>::table("avx2");

}  // namespace bloomery::kernel
BLOOMERY_TARGET_END
#endif
