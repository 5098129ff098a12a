// Eight integers at a time by AVX-512, which multiplies 64-bit lanes.
//
// Included under the target attributes of the file that uses it.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

namespace bloomery::hash {

struct mix_avx512 {
  // out[i] = fmix64(xs[i] ^ mask), for n integers.
  BLOOMERY_INLINE static void all(const std::uint64_t* xs, std::size_t n,
                                  std::uint64_t mask, key* out) noexcept {
    const __m512i masks = every(mask);
    for (std::size_t i = 0; i < n; i += 8) {
      const std::size_t left = n - i;
      const auto some = static_cast<__mmask8>(left < 8 ? (1u << left) - 1 : 0xff);
      const __m512i x = _mm512_maskz_loadu_epi64(some, xs + i);
      _mm512_mask_storeu_epi64(out + i, some, fmix64_of(_mm512_xor_si512(x, masks)));
    }
  }

 private:
  BLOOMERY_INLINE static __m512i every(std::uint64_t x) noexcept {
    return _mm512_set1_epi64(static_cast<long long>(x));
  }
  BLOOMERY_INLINE static __m512i fold(__m512i x) noexcept {
    return _mm512_xor_si512(x, _mm512_srli_epi64(x, 33));
  }
  BLOOMERY_INLINE static __m512i fmix64_of(__m512i x) noexcept {
    x = _mm512_mullo_epi64(fold(x), every(0xff51afd7ed558ccd));
    return fold(_mm512_mullo_epi64(fold(x), every(0xc4ceb9fe1a85ec53)));
  }
};

}  // namespace bloomery::hash
