// Four integers at a time by AVX2, which multiplies 32 bits by 32: the low 64 bits of a
// product are the product of the low halves, and above it the sum of the mixed ones.
//
// Included under the target attributes of the file that uses it.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

namespace bloomery::hash {

struct mix_avx2 {
  // out[i] = fmix64(xs[i] ^ mask), for n integers.
  BLOOMERY_INLINE static void all(const std::uint64_t* xs, std::size_t n,
                                  std::uint64_t mask, key* out) noexcept {
    constexpr std::uint64_t c1 = 0xff51afd7ed558ccd, c2 = 0xc4ceb9fe1a85ec53;
    const __m256i masks = every(mask), c1_low = every(c1), c1_high = every(c1 >> 32),
                  c2_low = every(c2), c2_high = every(c2 >> 32);
    const std::size_t fours = n - n % 4;
    for (std::size_t i = 0; i < fours; i += 4) {
      __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(xs + i));
      x = product(fold(_mm256_xor_si256(x, masks)), c1_low, c1_high);
      x = fold(product(fold(x), c2_low, c2_high));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), x);
    }
    for (std::size_t i = fours; i < n; ++i) out[i] = key::from_bits(fmix64(xs[i] ^ mask));
  }

 private:
  BLOOMERY_INLINE static __m256i every(std::uint64_t x) noexcept {
    return _mm256_set1_epi64x(static_cast<long long>(x));
  }
  BLOOMERY_INLINE static __m256i fold(__m256i x) noexcept {
    return _mm256_xor_si256(x, _mm256_srli_epi64(x, 33));
  }
  BLOOMERY_INLINE static __m256i product(__m256i x, __m256i low, __m256i high) noexcept {
    const __m256i mixed = _mm256_add_epi64(
        _mm256_mul_epu32(_mm256_srli_epi64(x, 32), low), _mm256_mul_epu32(x, high));
    return _mm256_add_epi64(_mm256_mul_epu32(x, low), _mm256_slli_epi64(mixed, 32));
  }
};

}  // namespace bloomery::hash
