// The bits of block_bits.hpp by AVX-512 F, VL and DQ.  Smaller blocks than a line gain
// nothing and stay AVX2.
#pragma once

#if (defined(__AVX512VL__) && defined(__AVX512DQ__)) || defined(BLOOMERY_KERNEL_AVX512)
#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/block_avx2.hpp>
#include <bloomery/detail/probe/block_bits.hpp>

namespace bloomery::inline v1 {
namespace block_probe {

struct avx512 {
  alignas(64) static constexpr std::array<std::uint32_t, 16> second_half_at_32{
      0, 0, 0, 0, 0, 0, 0, 0, 32, 32, 32, 32, 32, 32, 32, 32};
  alignas(64) static constexpr std::array<std::uint32_t, 16> ones16{
      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

  template <class Block>
  struct mask : avx2::mask<Block> {};

  using finding = avx2::finding;
  BLOOMERY_INLINE static bool present(const finding& f) noexcept {
    return avx2::present(f);
  }
  BLOOMERY_INLINE static finding both(const finding& a, const finding& b) noexcept {
    return avx2::both(a, b);
  }

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
  BLOOMERY_INLINE static finding look(const std::byte* at,
                                      const mask<Block>& m) noexcept {
    return avx2::look<Block>(at, m);
  }
  template <class Block>
  BLOOMERY_INLINE static void set(std::byte* at, const mask<Block>& m) noexcept {
    avx2::set<Block>(at, m);
  }
  template <class Block>
  BLOOMERY_INLINE static unsigned missing(const std::byte* at, const mask<Block>& m,
                                          std::uint64_t* out) noexcept {
    return avx2::missing<Block>(at, m, out);
  }
};

// What is not needed is not computed: tests use the first two, inserts the last.
template <>
struct avx512::mask<block_8x64> {
  __m256i bit;
  __mmask8 upper;     // lanes whose bit lies in the second word of the pair
  __m256i positions;  // 0 .. 63
};

// A rotation takes its count modulo 32: no need to clear bit 5 of the position.
BLOOMERY_INLINE avx512::mask<block_8x64> mask_from_product(__m256i x) noexcept {
  const __m256i positions = _mm256_srli_epi32(x, 26);
  return {_mm256_rolv_epi32(avx2::lanes8::one(), positions), _mm256_movepi32_mask(x),
          positions};
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
BLOOMERY_INLINE avx512::finding avx512::look<block_8x64>(
    const std::byte* at, const mask<block_8x64>& m) noexcept {
  return {_mm256_mask_blend_epi32(m.upper, avx2::lanes8::load(at),
                                  avx2::lanes8::load(at + 32)),
          m.bit};
}

template <>
BLOOMERY_INLINE bool avx512::test<block_8x64>(const std::byte* at,
                                              const mask<block_8x64>& m) noexcept {
  const __m256i words = _mm256_mask_blend_epi32(m.upper, avx2::lanes8::load(at),
                                                avx2::lanes8::load(at + 32));
  return _mm256_testn_epi32_mask(words, m.bit) == 0;
}

// avx2::lanes8::one() of a line.
BLOOMERY_INLINE __m512i one_of_line() noexcept {
  __m512i v;
  asm("vmovdqa64 {%1, %0|%0, %1}"
      : "=v"(v)
      : "m"(*reinterpret_cast<const __m512i*>(avx512::ones16.data())));
  return v;
}

// The key's bits as a whole line.  A shift by 32 or more leaves nothing: of the 16 words,
// 8 keep a bit.
BLOOMERY_INLINE __m512i line_of(const avx512::mask<block_8x64>& m) noexcept {
  // The forms with a mask, of all ones: GCC 12 warns of its own plain ones.
  const __m512i both = _mm512_maskz_broadcast_i64x4(0xff, m.positions);
  const __m512i shifts =
      _mm512_xor_si512(both, _mm512_load_si512(avx512::second_half_at_32.data()));
  return _mm512_maskz_sllv_epi32(0xffff, one_of_line(), shifts);
}

template <>
BLOOMERY_INLINE void avx512::set<block_8x64>(std::byte* at,
                                             const mask<block_8x64>& m) noexcept {
  using words [[gnu::vector_size(64)]] = std::uint32_t;
  *reinterpret_cast<words*>(at) =
      reinterpret_cast<words>(_mm512_or_si512(_mm512_load_si512(at), line_of(m)));
}

template <>
BLOOMERY_INLINE unsigned avx512::missing<block_8x64>(const std::byte* at,
                                                     const mask<block_8x64>& m,
                                                     std::uint64_t* out) noexcept {
  const __m512i lacks =
      _mm512_maskz_andnot_epi64(0xff, _mm512_load_si512(at), line_of(m));
  _mm512_storeu_si512(out, lacks);
  return _mm512_test_epi64_mask(lacks, lacks);
}

}  // namespace block_probe
}  // namespace bloomery::inline v1

#endif
