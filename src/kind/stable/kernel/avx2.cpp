// The same cells by AVX2: 256 bits at a time, from any byte on.
//
// A cell's bits, shifted down, meet in its lowest one: that is subtracted, so no cell
// borrows from its neighbour.
#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

// Shared with code for other CPUs, so outside the target attributes.
#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/kind/stable/shape.hpp>
#include <bloomery/key.hpp>

#include <bloomery/detail/hash/mix.hpp>
#include "base/target.hpp"
#include "kind/stable/kernel/table.hpp"

#define BLOOMERY_KERNEL_AVX2
BLOOMERY_TARGET("avx2,bmi,bmi2,prfchw")
#include "kind/stable/kernel/loops.hpp"

namespace bloomery::kernel {
namespace {

struct avx2_words {
  static constexpr std::uint64_t reach = 32;

  template <class Cells>
  BLOOMERY_INLINE static __m256i nonzero(__m256i v) noexcept {
    if constexpr (Cells::width > 1) v = _mm256_or_si256(v, _mm256_srli_epi64(v, 1));
    if constexpr (Cells::width > 2) v = _mm256_or_si256(v, _mm256_srli_epi64(v, 2));
    return _mm256_and_si256(v, _mm256_set1_epi64x(static_cast<long long>(Cells::lows)));
  }
  template <class Cells>
  BLOOMERY_INLINE static void decrease(std::byte* p, __m256i chosen) noexcept {
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    const __m256i less = _mm256_and_si256(nonzero<Cells>(v), chosen);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm256_sub_epi64(v, less));
  }
  // The first `end` bits.  A shift by 64 or more leaves none.  REQUIRES: end <= 256
  BLOOMERY_INLINE static __m256i before(std::uint64_t end) noexcept {
    const __m256i ends = _mm256_set_epi64x(256, 192, 128, 64);
    const __m256i beyond =
        _mm256_subs_epu16(ends, _mm256_set1_epi64x(static_cast<long long>(end)));
    return _mm256_srlv_epi64(_mm256_set1_epi64x(-1), beyond);
  }

  template <class Cells>
  BLOOMERY_INLINE static void decrease(std::byte* p, unsigned head,
                                       std::uint64_t end) noexcept {
    // All but the bits before the first cell, which lie in the first byte.
    __m256i chosen = _mm256_insert_epi64(_mm256_set1_epi64x(-1),
                                         static_cast<long long>(~0ull << head), 0);
    for (; end > 256; end -= 256, p += 32, chosen = _mm256_set1_epi64x(-1))
      decrease<Cells>(p, chosen);
    decrease<Cells>(p, _mm256_and_si256(chosen, before(end)));
  }
};

}  // namespace

constinit const stable_kernel stable_avx2 = stable_loops_of<avx2_words>::table("avx2");

}  // namespace bloomery::kernel
BLOOMERY_TARGET_END
#endif
