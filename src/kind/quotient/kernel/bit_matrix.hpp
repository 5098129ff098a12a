// The columns of 64 slots of a quotient filter as one number per slot, and back, eight
// columns at a time.  Compiled for AVX2.
#pragma once

#include <bloomery/detail/probe/words.hpp>

namespace bloomery::kernel {
namespace {

// Bit i of byte j of each word becomes bit j of byte i (H. S. Warren, "Hacker's Delight",
// 7-3).
BLOOMERY_INLINE __m256i transposed_8x8(__m256i x) noexcept {
  const auto swap = [&](int shift, long long mask) noexcept {
    const __m256i t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64(x, shift)),
                                       _mm256_set1_epi64x(mask));
    x = _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64(t, shift)));
  };
  swap(7, 0x00aa00aa00aa00aa);
  swap(14, 0x0000cccc0000cccc);
  swap(28, 0x00000000f0f0f0f0);
  return x;
}

// 64 numbers of 8 bits, from their columns.
struct slot_bytes {
  __m256i low, high;  // of slots 0 .. 31, 32 .. 63
};

BLOOMERY_INLINE slot_bytes bytes_of(const std::uint64_t* columns) noexcept {
  // Bytes of two columns side by side, then of four, then of eight.
  const __m256i pairs = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
  const auto* const from = reinterpret_cast<const __m256i*>(columns);
  const __m256i a = _mm256_shuffle_epi8(_mm256_loadu_si256(from), pairs);
  const __m256i b = _mm256_shuffle_epi8(_mm256_loadu_si256(from + 1), pairs);
  const __m128i a0 = _mm256_castsi256_si128(a), a1 = _mm256_extracti128_si256(a, 1);
  const __m128i b0 = _mm256_castsi256_si128(b), b1 = _mm256_extracti128_si256(b, 1);
  const __m128i p0 = _mm_unpacklo_epi16(a0, a1), p1 = _mm_unpackhi_epi16(a0, a1);
  const __m128i q0 = _mm_unpacklo_epi16(b0, b1), q1 = _mm_unpackhi_epi16(b0, b1);
  return {transposed_8x8(
              _mm256_set_m128i(_mm_unpackhi_epi32(p0, q0), _mm_unpacklo_epi32(p0, q0))),
          transposed_8x8(
              _mm256_set_m128i(_mm_unpackhi_epi32(p1, q1), _mm_unpacklo_epi32(p1, q1)))};
}

// to[i] gets bit j of columns[j], from `columns` of them.  REQUIRES: columns <= 32, and
// those up to the next multiple of 8 are 0
BLOOMERY_INLINE void numbers_of(const std::uint64_t* column, unsigned columns,
                                std::uint32_t* to) noexcept {
  for (unsigned g = 0; g < columns; g += 8) {
    const slot_bytes x = bytes_of(column + g);
    const __m128i parts[4] = {
        _mm256_castsi256_si128(x.low), _mm256_extracti128_si256(x.low, 1),
        _mm256_castsi256_si128(x.high), _mm256_extracti128_si256(x.high, 1)};
    for (unsigned i = 0; i < 8; ++i) {
      auto* const p = reinterpret_cast<__m256i*>(to + 8 * i);
      const __m128i part = parts[i / 2];
      __m256i v = _mm256_cvtepu8_epi32(i % 2 == 0 ? part : _mm_srli_si128(part, 8));
      if (g != 0)
        v = _mm256_or_si256(_mm256_slli_epi32(v, static_cast<int>(g)),
                            _mm256_loadu_si256(p));
      _mm256_storeu_si256(p, v);
    }
  }
}

// set(j, column j), from 64 numbers.
template <class Set>
BLOOMERY_INLINE void columns_of(const std::uint32_t* from, unsigned columns,
                                Set set) noexcept {
  const auto* const p = reinterpret_cast<const __m256i*>(from);
  for (unsigned g = 0; g < columns; g += 8) {
    const __m256i low = _mm256_set1_epi32(0xff);
    const auto part = [&](unsigned i) noexcept {
      return _mm256_and_si256(
          _mm256_srli_epi32(_mm256_loadu_si256(p + i), static_cast<int>(g)), low);
    };
    // Packed within halves of 128 bits; put in order afterwards.
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const auto half = [&](unsigned i) noexcept {
      const __m256i x = _mm256_packus_epi32(part(i), part(i + 1));
      const __m256i y = _mm256_packus_epi32(part(i + 2), part(i + 3));
      return _mm256_permutevar8x32_epi32(_mm256_packus_epi16(x, y), order);
    };
    __m256i x = half(0), y = half(4);
    for (unsigned j = 8; j-- > 0;) {
      if (g + j < columns) {
        const auto a = static_cast<std::uint32_t>(_mm256_movemask_epi8(x));
        const auto b = static_cast<std::uint32_t>(_mm256_movemask_epi8(y));
        set(g + j, a | std::uint64_t{b} << 32);
      }
      x = _mm256_add_epi8(x, x);
      y = _mm256_add_epi8(y, y);
    }
  }
}

}  // namespace
}  // namespace bloomery::kernel
