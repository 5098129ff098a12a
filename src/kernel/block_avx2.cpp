// The same bits by AVX2.
#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

// Shared with code for other CPUs, so outside the target attributes.
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

#include "base/target.hpp"
#include "kernel/block.hpp"

#define BLOOMERY_KERNEL_AVX2
// PREFETCHW does nothing on the few CPUs with AVX2 that do not know it.
BLOOMERY_TARGET("avx2,bmi,bmi2,prfchw")
#include "hash/mix_avx2.hpp"
#include "kernel/block_loops.hpp"

namespace bloomery::kernel {

template <>
BLOOMERY_INLINE std::uint64_t answers<block_probe::avx2>::pack(const bool* out,
                                                               std::size_t n) noexcept {
  std::uint64_t bits = 0;
  std::size_t i = 0;
  for (; i + 32 <= n; i += 32) {
    const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(out + i));
    const auto signs = static_cast<std::uint32_t>(
        _mm256_movemask_epi8(_mm256_cmpgt_epi8(some, _mm256_setzero_si256())));
    bits |= std::uint64_t{signs} << i;
  }
  for (; i < n; ++i) bits |= std::uint64_t{out[i]} << i;
  return bits;
}

template <>
struct mixer<block_probe::avx2> : hash::mix_avx2 {};

constinit const block_kernel block_avx2 = kernel_of<block_probe::avx2>("avx2");

}  // namespace bloomery::kernel
BLOOMERY_TARGET_END
#endif
