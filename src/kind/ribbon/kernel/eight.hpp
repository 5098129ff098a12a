// Batched lookups of a ribbon filter by AVX-512, eight keys at a time, for windows of 64
// slots and at most eight columns: where the equations of eight keys are is computed in
// vectors, then each key is one register.
//
// Included by ribbon_avx512.cpp under its target attributes.
#pragma once

#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernel/fetch_ahead.hpp"
#include "kind/ribbon/kernel/last.hpp"
#include "kind/ribbon/kernel/loops.hpp"
#include "kind/ribbon/kernel/probe.hpp"

namespace bloomery::kernel {
namespace {

class ribbon_eight {
 public:
  // Products of the numbers of the first layer fit 64 bits if blocks fit 32.
  static bool serves(const ribbon_layout& all) noexcept {
    return all.width == 64 && all.columns <= 8 && all.layers != 0 &&
           all.layer[0].segments * (all.layer[0].segment_slots / 64) >> 32 == 0;
  }

  // REQUIRES: serves(all)
  ribbon_eight(const ribbon_layout& all, const std::byte* data) noexcept
      : all_(all), data_(data) {}

  // n rounded down to whole eights: how many are answered.
  template <bool far>
  std::size_t query(const key* ks, std::size_t n, bool* out) const noexcept {
    // Two lines for each key; in the cache, one eight overlaps the next.
    constexpr fetch_plan plan{.group = 8, .ahead = far ? 32 : 8};
    constexpr std::size_t room = 8;
    std::array<windows, room> ring;
    n -= n % 8;
    fetch_ahead<plan>(
        n,
        [&](std::size_t first, std::size_t count) noexcept {
          for (std::size_t i = first; i < first + count; i += 8)
            find<far>(ks + i, ring[i / 8 % room]);
        },
        [&](std::size_t first, std::size_t count) noexcept {
          for (std::size_t i = first; i < first + count; i += 8)
            match(ring[i / 8 % room], out + i);
        });
    return n;
  }

 private:
  // The windows of eight keys.  fingerprint: of the columns that the key has, and `which`
  // has a bit for each of these.
  struct alignas(64) windows {
    std::uint64_t first[8], second[8], low[8], high[8], fingerprint[8], which[8];
    unsigned last;  // those that are in the last part; `low` is their hash
  };

  BLOOMERY_INLINE static __m512i every(std::uint64_t x) noexcept {
    return _mm512_set1_epi64(static_cast<long long>(x));
  }
  BLOOMERY_INLINE static __m512i multiply(__m512i a, __m512i b) noexcept {
    return _mm512_mul_epu32(a, b);  // the lower halves
  }
  BLOOMERY_INLINE static __m512i upper(__m512i x) noexcept {
    return _mm512_srli_epi64(x, 32);
  }
  BLOOMERY_INLINE static __m512i lower(__m512i x) noexcept {
    return _mm512_and_si512(x, every(0xffffffff));
  }

  template <bool far>
  BLOOMERY_INLINE void find(const key* ks, windows& to) const noexcept {
    const ribbon_layer& l = all_.layer[0];
    const __m512i h = _mm512_loadu_si512(ks);
    // start_in: the product with the segments, whose lower half is scaled to the starts
    const __m512i segments = every(l.segments), starts = every(l.starts);
    const __m512i p0 = multiply(h, segments);
    const __m512i p1 = _mm512_add_epi64(multiply(upper(h), segments), upper(p0));
    const __m512i rest_low = lower(p0), rest_high = lower(p1);
    const __m512i start = upper(
        _mm512_add_epi64(multiply(rest_high, starts), upper(multiply(rest_low, starts))));
    const __m512i slot =
        _mm512_add_epi64(multiply(upper(p1), every(l.segment_slots)), start);
    // is_taken
    using buckets = ribbon_buckets<64>;
    const __m512i bucket = _mm512_srli_epi64(slot, buckets::log2_slots);
    // Up to three bytes behind the thresholds are read, and not used: pages and files
    // extend further than the payload.
    const __m512i four = _mm512_cvtepu32_epi64(_mm512_i64gather_epi32(
        _mm512_srli_epi64(bucket, 2), data_ + all_.thresholds_at, 1));
    const __m512i threshold = _mm512_and_si512(
        _mm512_srlv_epi64(four, _mm512_slli_epi64(_mm512_and_si512(bucket, every(3)), 1)),
        every(3));
    const __m512i limit = _mm512_and_si512(
        _mm512_srlv_epi64(every(buckets::limits), _mm512_slli_epi64(threshold, 4)),
        every(0xffff));
    const __m512i position =
        _mm512_and_si512(slot, every((1u << buckets::log2_slots) - 1));
    unsigned passed = _mm512_cmplt_epu64_mask(position, limit);
    const __m512i block = _mm512_srli_epi64(slot, 6), narrow = every(l.narrow_blocks);
    const __m512i columns = every(all_.columns);
    const __m512i there = _mm512_mask_sub_epi64(
        columns, _mm512_cmplt_epu64_mask(block, narrow), columns, every(1));
    const __m512i first = _mm512_slli_epi64(
        _mm512_sub_epi64(multiply(block, columns), _mm512_min_epu64(block, narrow)), 3);
    const __m512i shift = _mm512_and_si512(slot, every(63));
    const __m512i second = _mm512_mask_add_epi64(
        first, _mm512_test_epi64_mask(shift, shift), first, _mm512_slli_epi64(there, 3));
    // row_of: both halves of a product of 64 bits
    __m512i g = _mm512_mullo_epi64(h, every(0x9e3779b97f4a7c15));
    g = _mm512_xor_si512(g, upper(g));
    const __m512i k0 = every(0x2e62a9c5), k1 = every(0xf1357aea);
    const __m512i g1 = upper(g), w0 = multiply(g, k0);
    const __m512i t = _mm512_add_epi64(multiply(g1, k0), upper(w0));
    const __m512i w1 = _mm512_add_epi64(multiply(g, k1), lower(t));
    const __m512i high =
        _mm512_add_epi64(_mm512_add_epi64(multiply(g1, k1), upper(t)), upper(w1));
    const __m512i c =
        _mm512_or_si512(_mm512_or_si512(_mm512_slli_epi64(w1, 32), lower(w0)), every(1));
    const __m512i which = _mm512_sub_epi64(_mm512_sllv_epi64(every(1), there), every(1));
    _mm512_store_si512(to.first, first);
    _mm512_store_si512(to.second, second);
    _mm512_store_si512(to.low, _mm512_sllv_epi64(c, shift));
    _mm512_store_si512(to.high, _mm512_srlv_epi64(_mm512_srli_epi64(c, 1),
                                                  _mm512_sub_epi64(every(63), shift)));
    _mm512_store_si512(to.fingerprint, _mm512_and_si512(high, which));
    _mm512_store_si512(to.which, which);
    to.last = 0;
    for (; passed != 0; passed &= passed - 1) {
      const auto i = static_cast<unsigned>(_tzcnt_u32(passed));
      pass_on(ks[i].bits(), i, to);
    }
    if constexpr (far)
      for (unsigned i = 0; i < 8; ++i) {
        __builtin_prefetch(data_ + to.first[i]);
        __builtin_prefetch(data_ + to.second[i]);
      }
  }

  [[gnu::noinline]] void pass_on(std::uint64_t h, unsigned i,
                                 windows& to) const noexcept {
    const ribbon_place p = find_place<64>(all_, data_, next_hash(h), 1);
    if (p.columns == 0) {
      to.last |= 1u << i;
      to.low[i] = p.hash;
      to.which[i] = 0;  // nothing is read
      return;
    }
    const auto w = window_of<64>(data_, p);
    to.first[i] = static_cast<std::uint64_t>(w.first - data_);
    to.second[i] = static_cast<std::uint64_t>(w.second - data_);
    to.low[i] = w.low;
    to.high[i] = w.high;
    to.which[i] = (std::uint64_t{1} << p.columns) - 1;
    to.fingerprint[i] = w.fingerprint & to.which[i];
  }

  BLOOMERY_INLINE void match(const windows& w, bool* out) const noexcept {
    for (unsigned i = 0; i < 8; ++i) {
      const auto which = static_cast<__mmask8>(w.which[i]);
      const __m512i a = _mm512_maskz_loadu_epi64(which, data_ + w.first[i]),
                    b = _mm512_maskz_loadu_epi64(which, data_ + w.second[i]);
      const __m512i x = _mm512_xor_si512(_mm512_and_si512(a, every(w.low[i])),
                                         _mm512_and_si512(b, every(w.high[i])));
      const unsigned odd = _mm512_test_epi64_mask(_mm512_popcnt_epi64(x), every(1));
      out[i] = odd == static_cast<std::uint32_t>(w.fingerprint[i]);
    }
    for (unsigned last = w.last; last != 0; last &= last - 1) {
      const auto i = static_cast<unsigned>(_tzcnt_u32(last));
      out[i] = may_contain_last(all_, data_, w.low[i]);
    }
  }

  const ribbon_layout& all_;
  const std::byte* data_;
};

}  // namespace
}  // namespace bloomery::kernel
