// Eight integers at a time by AVX-512, which multiplies 64-bit lanes.
#include "hash/batch.hpp"

#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include <bloomery/detail/probe/words.hpp>

#include "base/target.hpp"
#include "hash/siphash.hpp"

BLOOMERY_TARGET("avx512f,avx512dq")
#include "hash/siphash_lanes.hpp"

namespace bloomery::hash {
namespace {

BLOOMERY_INLINE __m512i every(std::uint64_t x) noexcept {
  return _mm512_set1_epi64(static_cast<long long>(x));
}

BLOOMERY_INLINE __m512i fold(__m512i x) noexcept {
  return _mm512_xor_si512(x, _mm512_srli_epi64(x, 33));
}

BLOOMERY_INLINE __m512i fmix64_of(__m512i x) noexcept {
  x = _mm512_mullo_epi64(fold(x), every(0xff51afd7ed558ccd));
  return fold(_mm512_mullo_epi64(fold(x), every(0xc4ceb9fe1a85ec53)));
}

void mix(const std::uint64_t* xs, std::size_t n, std::uint64_t mask, key* out) noexcept {
  const __m512i masks = every(mask);
  for (std::size_t i = 0; i < n; i += 8) {
    fetch_next_group(xs + i);
    const std::size_t left = n - i;
    const auto some = static_cast<__mmask8>(left < 8 ? (1u << left) - 1 : 0xff);
    const __m512i x = _mm512_maskz_loadu_epi64(some, xs + i);
    _mm512_mask_storeu_epi64(out + i, some, fmix64_of(_mm512_xor_si512(x, masks)));
  }
}

}  // namespace

constinit const batch_kernel batch_avx512{"avx512", mix, siphash_each<8>};

}  // namespace bloomery::hash

BLOOMERY_TARGET_END
#endif
