// The bits of block_bits.hpp by AVX-512 VL and DQ, on 256-bit registers: full lines are
// two instructions cheaper than with AVX2.  Smaller blocks gain nothing and stay AVX2.
#pragma once

#if (defined(__AVX512VL__) && defined(__AVX512DQ__)) || defined(BLOOMERY_KERNEL_AVX512)
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include <bloomery/block_avx2.hpp>
#include <bloomery/block_bits.hpp>

namespace bloomery::inline v1 {
namespace block_probe {

struct avx512 {
  template <class Block>
  struct mask : avx2::mask<Block> {};

  template <class Block>
  BLOOMERY_INLINE static mask<Block> mask_of(std::uint64_t h) noexcept {
    return {avx2::mask_of<Block>(h)};
  }
  template <class Block>
  BLOOMERY_INLINE static mask<Block> mask_at(const key* k) noexcept {
    return {avx2::mask_at<Block>(k)};
  }
  template <class Block>
  BLOOMERY_INLINE static bool test(const std::byte* at, const mask<Block>& m) noexcept {
    return avx2::test<Block>(at, m);
  }
  template <class Block>
  BLOOMERY_INLINE static void set(std::byte* at, const mask<Block>& m) noexcept {
    avx2::set<Block>(at, m);
  }
};

template <>
struct avx512::mask<block_8x64> {
  __m256i bit;
  __mmask8 upper;  // lanes whose bit lies in the second word of the pair
};

// A rotation takes its count modulo 32: no need to clear bit 5 of the position.
BLOOMERY_INLINE avx512::mask<block_8x64> mask_from_product(__m256i x) noexcept {
  return {
      _mm256_rolv_epi32(avx2::lanes8::load(avx2::ones.data()), _mm256_srli_epi32(x, 26)),
      _mm256_movepi32_mask(x)};
}

template <>
BLOOMERY_INLINE avx512::mask<block_8x64> avx512::mask_of<block_8x64>(
    std::uint64_t h) noexcept {
  using op = avx2::lanes8;
  return mask_from_product(op::product(op::spread(h)));
}

template <>
BLOOMERY_INLINE avx512::mask<block_8x64> avx512::mask_at<block_8x64>(
    const key* k) noexcept {
  using op = avx2::lanes8;
  return mask_from_product(op::product(op::spread(k)));
}

template <>
BLOOMERY_INLINE bool avx512::test<block_8x64>(const std::byte* at,
                                              const mask<block_8x64>& m) noexcept {
  const __m256i words = _mm256_mask_blend_epi32(m.upper, avx2::lanes8::load(at),
                                                avx2::lanes8::load(at + 32));
  return _mm256_testn_epi32_mask(words, m.bit) == 0;
}

template <>
BLOOMERY_INLINE void avx512::set<block_8x64>(std::byte* at,
                                             const mask<block_8x64>& m) noexcept {
  using op = avx2::lanes8;
  const __m256i low = op::load(at), high = op::load(at + 32);
  const auto lower = static_cast<__mmask8>(~m.upper);
  *reinterpret_cast<op::words*>(at) =
      reinterpret_cast<op::words>(_mm256_mask_or_epi32(low, lower, low, m.bit));
  *reinterpret_cast<op::words*>(at + 32) =
      reinterpret_cast<op::words>(_mm256_mask_or_epi32(high, m.upper, high, m.bit));
}

}  // namespace block_probe
}  // namespace bloomery::inline v1

#endif
