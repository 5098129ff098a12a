// Batched lookups of a ribbon filter by AVX2, four keys at a time, for windows of 64
// slots and at most eight columns: where the equations of four keys are is computed in
// vectors, and the parities of their 32 columns are folded together.
//
// Eight columns are always read and those that a key does not have are masked, which is
// why a filter must have 64 bytes behind its layers; thresholds and last part have more
// in all but the smallest.
//
// Included by ribbon_avx2.cpp under its target attributes.
#pragma once

#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernel/fetch_ahead.hpp"
#include "kind/ribbon/kernel/last.hpp"
#include "kind/ribbon/kernel/loops.hpp"
#include "kind/ribbon/kernel/probe.hpp"

namespace bloomery::kernel {
namespace {

// mixed: some blocks lack a column.
template <bool mixed>
class ribbon_four {
 public:
  // Products of the numbers of the first layer fit 64 bits if blocks fit 32.
  static bool serves(const ribbon_layout& all) noexcept {
    return all.width == 64 && all.columns <= 8 && all.layers != 0 &&
           all.layer[0].segments * (all.layer[0].segment_slots / 64) >> 32 == 0 &&
           all.size_in_bytes >= all.thresholds_at + 64;
  }
  static bool is_mixed(const ribbon_layout& all) noexcept {
    for (std::size_t i = 0; i < all.layers; ++i)
      if (all.layer[i].narrow_blocks != 0) return true;
    return false;
  }

  // REQUIRES: serves(all), mixed == is_mixed(all)
  ribbon_four(const ribbon_layout& all, const std::byte* data) noexcept
      : all_(all),
        data_(data),
        second_(data + (mixed ? 0 : 8 * all.columns)),
        thresholds_(data + all.thresholds_at),
        segments_(every(all.layer[0].segments)),
        segment_slots_(every(all.layer[0].segment_slots)),
        starts_(every(all.layer[0].starts)),
        narrow_blocks_(every(all.layer[0].narrow_blocks)),
        columns_(every(all.columns)),
        all_columns_(column_bytes(all.columns)),
        narrow_columns_(column_bytes(all.columns - 1)) {}

  // n rounded down to whole fours: how many are answered.
  template <bool far>
  std::size_t query(const key* ks, std::size_t n, bool* out) const noexcept {
    // Two lines for each key; in the cache, one four overlaps the next.
    constexpr fetch_plan plan{.group = 8, .ahead = far ? 24 : 8};
    constexpr std::size_t room = 8;
    static_assert(plan.group + plan.ahead <= 4 * room);
    std::array<windows, room> ring;
    n -= n % 4;
    fetch_ahead<plan>(
        n,
        [&](std::size_t first, std::size_t count) noexcept {
          for (std::size_t i = first; i < first + count; i += 4)
            find<far>(ks + i, ring[i / 4 % room]);
        },
        [&](std::size_t first, std::size_t count) noexcept {
          for (std::size_t i = first; i < first + count; i += 4)
            match(ring[i / 4 % room], out + i);
        });
    return n;
  }

 private:
  // The windows of four keys.  second, narrow: of mixed ones; all ones for a key of a
  // block that lacks a column.  fingerprint: its lowest byte
  struct alignas(32) windows {
    std::uint64_t first[4], second[4], low[4], high[4], fingerprint[4], narrow[4];
    unsigned last;  // those that are in the last part; `low` is their hash
  };

  BLOOMERY_INLINE static __m256i every(std::uint64_t x) noexcept {
    return _mm256_set1_epi64x(static_cast<long long>(x));
  }
  // The bits of the columns of each key, in the order in which their parities come.
  BLOOMERY_INLINE static __m256i bits_of_columns() noexcept {
    return every(0x8040'0804'2010'0201);
  }
  static __m256i column_bytes(std::uint32_t columns) noexcept {
    const __m256i there = _mm256_and_si256(
        bits_of_columns(), _mm256_set1_epi8(static_cast<char>((1u << columns) - 1)));
    return _mm256_cmpeq_epi8(there, bits_of_columns());
  }
  BLOOMERY_INLINE static __m256i multiply(__m256i a, __m256i b) noexcept {
    return _mm256_mul_epu32(a, b);  // the lower halves
  }
  BLOOMERY_INLINE static __m256i upper(__m256i x) noexcept {
    return _mm256_srli_epi64(x, 32);
  }
  BLOOMERY_INLINE static __m256i load(const void* p) noexcept {
    return _mm256_loadu_si256(static_cast<const __m256i*>(p));
  }
  BLOOMERY_INLINE static void store(std::uint64_t* p, __m256i x) noexcept {
    _mm256_store_si256(reinterpret_cast<__m256i*>(p), x);
  }

  // The threshold of each bucket in the lowest two bits, whatever above them.
  BLOOMERY_INLINE __m256i thresholds_of(__m256i bucket) const noexcept {
    const __m256i byte = _mm256_srli_epi64(bucket, 2);
    const __m128i a = _mm256_castsi256_si128(byte), b = _mm256_extracti128_si256(byte, 1);
    const auto at = [this](long long i) noexcept {
      return static_cast<int>(thresholds_[i]);
    };
    __m128i four = _mm_cvtsi32_si128(at(_mm_cvtsi128_si64(a)));
    four = _mm_insert_epi8(four, at(_mm_extract_epi64(a, 1)), 1);
    four = _mm_insert_epi8(four, at(_mm_cvtsi128_si64(b)), 2);
    four = _mm_insert_epi8(four, at(_mm_extract_epi64(b, 1)), 3);
    const __m256i shift = _mm256_and_si256(_mm256_add_epi64(bucket, bucket), every(6));
    return _mm256_srlv_epi64(_mm256_cvtepu8_epi64(four), shift);
  }

  template <bool far>
  BLOOMERY_INLINE void find(const key* ks, windows& to) const noexcept {
    using buckets = ribbon_buckets<64>;
    const __m256i h = load(ks), h1 = upper(h);
    // start_in: the product with the segments, whose lower half is scaled to the starts
    const __m256i p0 = multiply(h, segments_);
    const __m256i p1 = _mm256_add_epi64(multiply(h1, segments_), upper(p0));
    const __m256i start =
        upper(_mm256_add_epi64(multiply(p1, starts_), upper(multiply(p0, starts_))));
    const __m256i slot = _mm256_add_epi64(multiply(upper(p1), segment_slots_), start);
    // is_taken: a permutation by the lowest two bits of each half word is the table of
    // limits, and the upper halves are zero
    const __m256i threshold = thresholds_of(_mm256_srli_epi64(slot, buckets::log2_slots));
    const __m256 limits = _mm256_castsi256_ps(
        _mm256_set_epi32(limit_of<64>(3), limit_of<64>(2), limit_of<64>(1), 0,
                         limit_of<64>(3), limit_of<64>(2), limit_of<64>(1), 0));
    static_assert(limit_of<64>(0) == 0);
    const __m256i limit = _mm256_castps_si256(_mm256_permutevar_ps(limits, threshold));
    const __m256i position =
        _mm256_and_si256(slot, every((1u << buckets::log2_slots) - 1));
    auto passed = static_cast<unsigned>(
        _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(limit, position))));
    const __m256i block = _mm256_srli_epi64(slot, 6);
    __m256i word = multiply(block, columns_);
    if constexpr (mixed) {
      const __m256i narrow = _mm256_cmpgt_epi64(narrow_blocks_, block);
      word = _mm256_sub_epi64(word, _mm256_blendv_epi8(narrow_blocks_, block, narrow));
      const __m256i second = _mm256_add_epi64(word, _mm256_add_epi64(columns_, narrow));
      store(to.second, _mm256_slli_epi64(second, 3));
      store(to.narrow, narrow);
    }
    store(to.first, _mm256_slli_epi64(word, 3));
    const __m256i shift = _mm256_and_si256(slot, every(63));
    // row_of: the lower half of a product of 64 bits, and both halves of another
    const __m256i f0 = every(0x7f4a7c15), f1 = every(0x9e3779b9);
    const __m256i across = _mm256_add_epi64(multiply(h1, f0), multiply(h, f1));
    __m256i g = _mm256_add_epi64(multiply(h, f0), _mm256_slli_epi64(across, 32));
    const __m256i g1 = upper(g);
    g = _mm256_xor_si256(g, g1);
    const __m256i k0 = every(0x2e62a9c5), k1 = every(0xf1357aea);
    const __m256i w0 = multiply(g, k0);
    const __m256i t = _mm256_add_epi64(multiply(g1, k0), upper(w0));
    const __m256i zero = _mm256_setzero_si256();
    const __m256i w1 =
        _mm256_add_epi64(multiply(g, k1), _mm256_blend_epi32(t, zero, 0xaa));
    const __m256i high =
        _mm256_add_epi64(_mm256_add_epi64(multiply(g1, k1), upper(t)), upper(w1));
    const __m256i c = _mm256_or_si256(
        _mm256_blend_epi32(w0, _mm256_slli_epi64(w1, 32), 0xaa), every(1));
    store(to.low, _mm256_sllv_epi64(c, shift));
    store(to.high,
          _mm256_srlv_epi64(_mm256_srli_epi64(c, 1), _mm256_sub_epi64(every(63), shift)));
    store(to.fingerprint, high);
    to.last = 0;
    for (; passed != 0; passed &= passed - 1) {
      const auto i = static_cast<unsigned>(_tzcnt_u32(passed)) / 2;
      pass_on(ks[i].bits(), i, to);
    }
    if constexpr (far)
      for (unsigned i = 0; i < 4; ++i) {
        __builtin_prefetch(data_ + to.first[i]);
        __builtin_prefetch(second_of(to, i));
      }
  }

  [[gnu::noinline]] void pass_on(std::uint64_t h, unsigned i,
                                 windows& to) const noexcept {
    const ribbon_place p = find_place<64>(all_, data_, next_hash(h), 1);
    if (p.columns == 0) {
      to.last |= 1u << i;
      to.low[i] = p.hash;
      to.first[i] = 0;
      if constexpr (mixed) to.second[i] = 0;
      return;
    }
    const auto w = window_of<64>(data_, p);
    to.first[i] = static_cast<std::uint64_t>(w.first - data_);
    to.low[i] = w.low;
    to.high[i] = w.high;
    to.fingerprint[i] = w.fingerprint;
    if constexpr (mixed) {
      to.second[i] = static_cast<std::uint64_t>(w.second - data_);
      to.narrow[i] = p.columns == all_.columns ? 0 : ~std::uint64_t{0};
    }
  }

  BLOOMERY_INLINE const std::byte* second_of(const windows& w,
                                             unsigned i) const noexcept {
    return second_ + (mixed ? w.second[i] : w.first[i]);
  }

  // The parities of the eight columns of key i, before they are folded: in the lane of
  // columns 0, 1, 4, 5 and in that of 2, 3, 6, 7, 32 bits of each, byte by byte.
  BLOOMERY_INLINE __m256i folded(const windows& w, unsigned i) const noexcept {
    const std::byte *const p = data_ + w.first[i], *const q = second_of(w, i);
    const __m256i low = every(w.low[i]), high = every(w.high[i]);
    const auto both = [&](std::size_t at) noexcept {
      return _mm256_castsi256_ps(_mm256_xor_si256(_mm256_and_si256(load(p + at), low),
                                                  _mm256_and_si256(load(q + at), high)));
    };
    const __m256 a = both(0), b = both(32);
    const __m256i x = _mm256_castps_si256(
        _mm256_xor_ps(_mm256_shuffle_ps(a, b, 0x88), _mm256_shuffle_ps(a, b, 0xdd)));
    const __m256i bytes = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    return _mm256_shuffle_epi8(x, bytes);
  }
  BLOOMERY_INLINE static __m256i halves(__m256i a, __m256i b) noexcept {
    return _mm256_xor_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
  }

  BLOOMERY_INLINE void match(const windows& w, bool* out) const noexcept {
    const __m256 ab = _mm256_castsi256_ps(halves(folded(w, 0), folded(w, 1)));
    const __m256 cd = _mm256_castsi256_ps(halves(folded(w, 2), folded(w, 3)));
    // A byte for each column: first those of the lower lane of each key, then those of
    // the upper; then the eight of each key together.
    __m256i x = _mm256_castps_si256(
        _mm256_xor_ps(_mm256_shuffle_ps(ab, cd, 0x88), _mm256_shuffle_ps(ab, cd, 0xdd)));
    x = _mm256_permutevar8x32_epi32(x, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    x = _mm256_xor_si256(x, _mm256_srli_epi64(x, 4));
    x = _mm256_and_si256(x, _mm256_set1_epi8(15));
    const __m256i odd =
        _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_setr_epi8(
                                0, -1, -1, 0, -1, 0, 0, -1, -1, 0, 0, -1, 0, -1, -1, 0)),
                            x);
    const __m256i first_bytes = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8));
    const __m256i bits = bits_of_columns();
    const __m256i wanted = _mm256_cmpeq_epi8(
        _mm256_and_si256(_mm256_shuffle_epi8(load(w.fingerprint), first_bytes), bits),
        bits);
    __m256i there = all_columns_;
    if constexpr (mixed)
      there = _mm256_blendv_epi8(there, narrow_columns_, load(w.narrow));
    const __m256i wrong = _mm256_and_si256(_mm256_xor_si256(odd, wanted), there);
    const __m256i right = _mm256_cmpeq_epi64(wrong, _mm256_setzero_si256());
    const auto yes =
        static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(right)));
    const std::uint32_t answers = yes * 0x00204081u & 0x01010101u;  // a byte for each bit
    std::memcpy(out, &answers, 4);
    for (unsigned last = w.last; last != 0; last &= last - 1) [[unlikely]] {
        const auto i = static_cast<unsigned>(_tzcnt_u32(last));
        out[i] = may_contain_last(all_, data_, w.low[i]);
      }
  }

  const ribbon_layout& all_;
  const std::byte* data_;
  const std::byte* second_;  // where second blocks are counted from
  const std::byte* thresholds_;
  __m256i segments_, segment_slots_, starts_, narrow_blocks_, columns_;
  __m256i all_columns_, narrow_columns_;
};

}  // namespace
}  // namespace bloomery::kernel
