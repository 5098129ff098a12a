// The same with the CPU's own counts of bits, and PDEP where it is fast: deposited at the
// ones of a word, a bit at position n lies at the n-th of them.
#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

// Shared with code for other CPUs, so outside the target attributes.
#include <bloomery/detail/kind/quotient/probe.hpp>
#include <bloomery/detail/kind/quotient/stripes.hpp>
#include <bloomery/detail/sync/atomic_words.hpp>
#include <bloomery/key.hpp>

#include "base/target.hpp"
#include "kind/quotient/kernel/eight.hpp"
#include "kind/quotient/kernel/table.hpp"

BLOOMERY_TARGET("avx2,bmi,bmi2,lzcnt,popcnt")
#include "kind/quotient/kernel/loops.hpp"
#include "kind/quotient/kernel/merge.hpp"

namespace bloomery::kernel {
namespace {

struct pdep_select {
  BLOOMERY_INLINE static unsigned bit_at(std::uint64_t w, unsigned n) noexcept {
    return static_cast<unsigned>(_tzcnt_u64(_pdep_u64(std::uint64_t{1} << n, w)));
  }

  // Four columns at a time; those from r on are not read, and x has no bits there.
  class columns {
   public:
    BLOOMERY_INLINE explicit columns(unsigned r) noexcept
        : r_(r),
          low_(below(r, _mm256_setr_epi64x(0, 1, 2, 3))),
          high_(below(r, _mm256_setr_epi64x(4, 5, 6, 7))) {}

    BLOOMERY_INLINE std::uint64_t equal(const std::byte* p,
                                        std::uint64_t x) const noexcept {
      const __m256i spread = _mm256_set1_epi64x(static_cast<long long>(x));
      __m256i bit = _mm256_setr_epi64x(1, 2, 4, 8);
      __m256i differ = difference(p, low_, spread, bit);
      bit = _mm256_slli_epi64(bit, 4);
      differ = _mm256_or_si256(differ, difference(p + 32, high_, spread, bit));
      for (unsigned g = 8; g < r_; g += 4) {
        bit = _mm256_slli_epi64(bit, 4);
        const __m256i there = below(r_ - g, _mm256_setr_epi64x(0, 1, 2, 3));
        differ = _mm256_or_si256(differ, difference(p + 8 * g, there, spread, bit));
      }
      const __m128i half = _mm_or_si128(_mm256_castsi256_si128(differ),
                                        _mm256_extracti128_si256(differ, 1));
      return ~static_cast<std::uint64_t>(_mm_cvtsi128_si64(half) |
                                         _mm_extract_epi64(half, 1));
    }

   private:
    BLOOMERY_INLINE static __m256i below(unsigned r, __m256i j) noexcept {
      return _mm256_cmpgt_epi64(_mm256_set1_epi64x(r), j);
    }
    BLOOMERY_INLINE static __m256i difference(const std::byte* p, __m256i there,
                                              __m256i x, __m256i bit) noexcept {
      return _mm256_xor_si256(
          _mm256_maskload_epi64(reinterpret_cast<const long long*>(p), there),
          _mm256_cmpeq_epi64(_mm256_and_si256(x, bit), bit));
    }

    unsigned r_;
    __m256i low_, high_;
  };
};

// Another type than that of the portable kernel: other instructions.
struct counted_select : broadword_select {};

}  // namespace

extern const quotient_kernel quotient_avx2, quotient_bmi2, quotient_avx512;
constinit const quotient_kernel quotient_avx2 =
    quotient_loops<counted_select>::named("avx2");
constinit const quotient_kernel quotient_bmi2 =
    quotient_loops<pdep_select>::named("bmi2", merge_quotients);
constinit const quotient_kernel quotient_avx512 = [] {
  quotient_kernel k = quotient_loops<pdep_select>::named("avx512", merge_quotients);
  k.query = query_quotients_avx512;
  return k;
}();

}  // namespace bloomery::kernel
BLOOMERY_TARGET_END
#endif
