// The same bits by AVX-512 (F, DQ, BW, VL): lines of two keys in one register.
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
#define BLOOMERY_KERNEL_AVX512
BLOOMERY_TARGET("avx2,bmi,bmi2,avx512f,avx512dq,avx512bw,avx512vl,prfchw")
#include "hash/mix_avx512.hpp"
#include "kernel/block_loops.hpp"

namespace bloomery::kernel {

template <>
struct answers<block_probe::avx512> {
  using avx512 = block_probe::avx512;

  BLOOMERY_INLINE static __m256i load(const void* p) noexcept {
    return _mm256_loadu_si256(static_cast<const __m256i*>(p));
  }
  // Two 256-bit halves from anywhere.
  BLOOMERY_INLINE static __m512i join(const std::byte* a, const std::byte* b) noexcept {
    return _mm512_inserti64x4(_mm512_castsi256_si512(load(a)), load(b), 1);
  }

  // One bit for each lane that is missing: 8 of the first key, 8 of the second.
  BLOOMERY_INLINE static __mmask16 missing(const std::byte* a, std::uint64_t ha,
                                           const std::byte* b,
                                           std::uint64_t hb) noexcept {
    const __m512i low = _mm512_inserti64x4(_mm512_set1_epi32(static_cast<int>(ha)),
                                           _mm256_set1_epi32(static_cast<int>(hb)), 1);
    const __m512i salt = _mm512_broadcast_i64x4(load(block_salt.data()));
    const __m512i x = _mm512_mullo_epi32(low, salt);
    const __m512i words = _mm512_mask_blend_epi32(_mm512_movepi32_mask(x), join(a, b),
                                                  join(a + 32, b + 32));
    const __m512i bit = _mm512_rolv_epi32(_mm512_set1_epi32(1), _mm512_srli_epi32(x, 26));
    return _mm512_testn_epi32_mask(words, bit);
  }

  template <class Layout>
  BLOOMERY_INLINE static __mmask16 missing_of(const std::byte* data, std::uint64_t blocks,
                                              std::uint64_t ha,
                                              std::uint64_t hb) noexcept {
    return missing(data + Layout::offset(ha, blocks), ha,
                   data + Layout::offset(hb, blocks), hb);
  }

  // Two keys at a time: a byte for each, zero if nothing is missing, turned into answers
  // 64 at a time.
  template <class Layout>
  BLOOMERY_INLINE static void few(const std::byte* data, std::uint64_t blocks,
                                  const key* ks, std::size_t n, bool* out) noexcept {
    using one = block_probe::one_key<avx512, Layout>;
    if constexpr (!std::is_same_v<typename Layout::block, block_probe::block_8x64>) {
      for (std::size_t i = 0; i < n; ++i) out[i] = one::may_contain(data, blocks, ks + i);
    } else {
      alignas(64) std::uint16_t pairs[word_bits / 2] = {};
      std::size_t i = 0;
      for (; i + 2 <= n; i += 2) {
        const std::uint64_t a = ks[i].bits(), b = ks[i + 1].bits();
        __mmask16 m = missing_of<Layout>(data, blocks, a, b);
        if constexpr (Layout::choices == 2)
          m |= missing_of<Layout>(data, blocks, block_probe::second(a),
                                  block_probe::second(b));
        pairs[i / 2] = m;
      }
      if (i < n) out[i] = one::may_contain(data, blocks, ks + i);
      const __mmask64 answered = _bzhi_u64(~std::uint64_t{0}, static_cast<unsigned>(i));
      const __m512i all = _mm512_load_si512(pairs);
      const __mmask64 hit = _mm512_testn_epi8_mask(all, all);
      _mm512_mask_storeu_epi8(out, answered, _mm512_maskz_set1_epi8(hit, 1));
    }
  }

  BLOOMERY_INLINE static std::uint64_t pack(const bool* out, std::size_t n) noexcept {
    const __mmask64 some = _bzhi_u64(~std::uint64_t{0}, static_cast<unsigned>(n));
    const __m512i v = _mm512_maskz_loadu_epi8(some, out);
    return _mm512_test_epi8_mask(v, v);
  }
};

// Words and their addresses are squeezed together by one instruction each.
template <>
template <>
BLOOMERY_INLINE bool
collect<block_probe::avx512>::set<block_probe::avx512, block_probe::block_8x64>(
    std::byte* data, std::uint64_t offset,
    const block_probe::avx512::mask<block_probe::block_8x64>& m) const noexcept {
  alignas(64) static constexpr std::uint64_t steps[8] = {0, 8, 16, 24, 32, 40, 48, 56};
  std::byte* const line = data + offset;
  const __m512i lacks =
      _mm512_andnot_si512(_mm512_load_si512(line), block_probe::line_of(m));
  const __mmask8 some = _mm512_test_epi64_mask(lacks, lacks);
  const __m512i places = _mm512_add_epi64(
      _mm512_set1_epi64(reinterpret_cast<long long>(line)), _mm512_load_si512(steps));
  _mm512_storeu_si512(todo.bits + todo.count, _mm512_maskz_compress_epi64(some, lacks));
  _mm512_storeu_si512(todo.at + todo.count, _mm512_maskz_compress_epi64(some, places));
  todo.count += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(some)));
  return some != 0;
}

template <>
struct mixer<block_probe::avx512> : hash::mix_avx512 {};

constinit const block_kernel block_avx512 = kernel_of<block_probe::avx512>("avx512");

}  // namespace bloomery::kernel
BLOOMERY_TARGET_END
#endif
