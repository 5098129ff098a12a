// Batched lookups in the quotient filter by AVX-512 with VPOPCNTDQ: eight keys at a time,
// without a branch but for the few that need one.
//
// What mostly holds is computed for every key, as in quotient_lookup.hpp; the others are
// queried one by one.  docs/dead_ends.md: what was measured.
#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

// Shared with code for other CPUs, so outside the target attributes.
#include <bloomery/detail/kind/quotient/probe.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

#include "base/cpu.hpp"
#include "base/target.hpp"
#include "kind/quotient/kernel/eight.hpp"
#include "kind/quotient/kernel/table.hpp"

BLOOMERY_TARGET("avx2,bmi,bmi2,avx512f,avx512dq,avx512bw,avx512vl,avx512vpopcntdq")
#include "kernel/fetch_ahead.hpp"

namespace bloomery::kernel {

extern const quotient_kernel quotient_bmi2;

namespace {

BLOOMERY_INLINE __m512i every(std::uint64_t x) noexcept {
  return _mm512_set1_epi64(static_cast<long long>(x));
}
BLOOMERY_INLINE __m512i upper(__m512i x) noexcept { return _mm512_srli_epi64(x, 32); }
BLOOMERY_INLINE __m512i lower(__m512i x) noexcept {
  return _mm512_and_si512(x, every(0xffffffff));
}

// (a * b) >> 64
BLOOMERY_INLINE __m512i mulhi(__m512i a, __m512i b) noexcept {
  const __m512i a1 = upper(a), b1 = upper(b);
  const __m512i t =
      _mm512_add_epi64(_mm512_mul_epu32(a1, b), upper(_mm512_mul_epu32(a, b)));
  const __m512i w = _mm512_add_epi64(_mm512_mul_epu32(a, b1), lower(t));
  return _mm512_add_epi64(_mm512_add_epi64(_mm512_mul_epu32(a1, b1), upper(t)), upper(w));
}

// The n-th one of each word; 64 if there are fewer.  One by one: PDEP has no vector form,
// and the units for vectors are what the rest waits for.
BLOOMERY_INLINE __m512i bits_at(__m512i w, __m512i n) noexcept {
  struct alignas(64) {
    std::uint64_t of[8];
  } words, numbers, at;
  _mm512_store_si512(words.of, w);
  _mm512_store_si512(numbers.of, n);
  __asm__("" : "+m"(words), "+m"(numbers));
  for (unsigned i = 0; i < 8; ++i)
    at.of[i] =
        _tzcnt_u64(_pdep_u64(std::uint64_t{1} << (numbers.of[i] & 63), words.of[i]));
  __asm__("" : "+m"(at));
  return _mm512_load_si512(at.of);
}

class quotient_eight {
 public:
  quotient_eight(const quotient_layout& l, const std::byte* data) noexcept
      : layout_(l),
        data_(data),
        offsets_(data + 8 * l.offsets_at()),
        fingerprints_(every(l.fingerprints())),
        block_bytes_(every(8 * l.block_words())),
        inner_blocks_(every(l.blocks - 2)),
        r_(_mm_cvtsi32_si128(static_cast<int>(l.remainder_bits))) {}

  BLOOMERY_INLINE __m512i fingerprints_of(const key* ks) const noexcept {
    return mulhi(_mm512_loadu_si512(ks), fingerprints_);
  }

  // Fetches what `answer` will read.
  BLOOMERY_INLINE void fetch(std::uint64_t f) const noexcept {
    const std::uint64_t b = f >> layout_.remainder_bits >> 6,
                        bytes = 8 * layout_.block_words();
    const std::byte* const block = data_ + b * bytes;
    __builtin_prefetch(block);
    __builtin_prefetch(block + bytes + 8);
    __builtin_prefetch(offsets_ + b);
  }

  // Three steps, so that several eights are on their way at once: where the words of a
  // key are, which slots its run has, which of these hold its remainder.
  struct alignas(64) eight {
    __m512i f, at, bit, occupied, in_this, in_next, distance;
    __m512i run, columns;
    __mmask8 inner, has_run, odd_run;
  };

  BLOOMERY_INLINE void read(__m512i f, eight& e) const noexcept {
    const __m512i one = every(1);
    const __m512i q = _mm512_srl_epi64(f, r_), b = _mm512_srli_epi64(q, 6);
    e.f = f;
    // The first block has no offset, the last no next.
    e.inner = _mm512_cmplt_epu64_mask(_mm512_sub_epi64(b, one), inner_blocks_);
    e.at = _mm512_mul_epu32(b, block_bytes_);
    e.bit = _mm512_sllv_epi64(one, _mm512_and_si512(q, every(63)));
    e.occupied = words_at(e.inner, e.at, 0);
    e.has_run = _mm512_test_epi64_mask(e.occupied, e.bit);
    e.in_this = words_at(e.inner, e.at, 8);
    e.in_next = words_at(e.inner, _mm512_add_epi64(e.at, block_bytes_), 8);
    // Three bytes behind the offset are read, and not used: pages and files extend
    // further than the payload.
    e.distance = _mm512_and_si512(_mm512_cvtepu32_epi64(_mm512_mask_i64gather_epi32(
                                      _mm256_setzero_si256(), e.inner, b, offsets_, 1)),
                                  every(255));
  }

  // As quotient_lookup::find.
  BLOOMERY_INLINE void find(eight& e) const noexcept {
    const __m512i one = every(1);
    const __m512i ends = _mm512_and_si512(
        e.in_this, _mm512_sllv_epi64(every(~std::uint64_t{0}), e.distance));
    const __m512i starts =
        _mm512_or_si512(_mm512_add_epi64(ends, ends), _mm512_sllv_epi64(one, e.distance));
    const __m512i k =
        _mm512_popcnt_epi64(_mm512_and_si512(e.occupied, _mm512_sub_epi64(e.bit, one)));
    const __mmask8 beyond = _mm512_cmpge_epu64_mask(k, _mm512_popcnt_epi64(starts));
    const __m512i from =
        _mm512_mask_or_epi64(starts, beyond, _mm512_add_epi64(e.in_next, e.in_next), one);
    const __m512i n = _mm512_mask_sub_epi64(k, beyond, k, _mm512_popcnt_epi64(ends));
    const __m512i free = bits_at(from, n);
    const __m512i i = _mm512_and_si512(_mm512_srl_epi64(e.f, r_), every(63));
    const __m512i first =
        _mm512_max_epu64(i, _mm512_mask_add_epi64(free, beyond, free, every(64)));
    const __mmask8 later = _mm512_test_epi64_mask(first, every(64));
    const __m512i shift = _mm512_and_si512(first, every(63));
    const __m512i ahead =
        _mm512_srlv_epi64(_mm512_mask_blend_epi64(later, e.in_this, e.in_next), shift);
    e.run =
        _mm512_sllv_epi64(_mm512_xor_si512(ahead, _mm512_sub_epi64(ahead, one)), shift);
    e.odd_run = e.has_run & (_mm512_cmpge_epu64_mask(first, every(128)) |
                             _mm512_testn_epi64_mask(ahead, ahead) |
                             _mm512_cmpge_epu64_mask(e.distance, every(64)));
    e.columns = _mm512_mask_add_epi64(e.at, later, e.at, block_bytes_);
  }

  BLOOMERY_INLINE void answer(const eight& e, const key* ks, bool* out) const noexcept {
    // Slots of the run that hold the remainder, column by column.
    const __mmask8 known = e.has_run & static_cast<__mmask8>(~e.odd_run);
    __m512i same = _mm512_maskz_mov_epi64(known, e.run);
    __m512i mask = every(1);
    for (unsigned c = 0; c < layout_.remainder_bits; ++c) {
      const __m512i wanted = _mm512_movm_epi64(_mm512_test_epi64_mask(e.f, mask));
      same = _mm512_ternarylogic_epi64(same, words_at(known, e.columns, 16 + 8 * c),
                                       wanted, 0x90);  // same & ~(column ^ wanted)
      mask = _mm512_add_epi64(mask, mask);
    }
    // One of the first three is a remainder, others may be digits.
    const __m512i low =
        _mm512_and_si512(e.run, _mm512_sub_epi64(_mm512_setzero_si512(), e.run));
    const __m512i three = _mm512_or_si512(
        low, _mm512_or_si512(_mm512_slli_epi64(low, 1), _mm512_slli_epi64(low, 2)));
    const __mmask8 yes = _mm512_test_epi64_mask(same, three);
    const unsigned digit = _mm512_test_epi64_mask(same, same) & ~unsigned{yes};
    const std::uint64_t answers = _pdep_u64(yes, 0x0101010101010101);
    std::memcpy(out, &answers, 8);
    for (unsigned odd = (e.odd_run | digit | ~unsigned{e.inner}) & 255; odd != 0;
         odd &= odd - 1) {
      const auto j = static_cast<unsigned>(_tzcnt_u32(odd));
      out[j] = quotient_bmi2.may_contain(layout_, data_, ks[j].bits());
    }
  }

 private:
  // Words that are masked off are not read.
  BLOOMERY_INLINE __m512i words_at(__mmask8 which, __m512i at,
                                   std::size_t further) const noexcept {
    return _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), which, at, data_ + further,
                                       1);
  }

  const quotient_layout& layout_;
  const std::byte *data_, *offsets_;
  __m512i fingerprints_, block_bytes_, inner_blocks_;
  __m128i r_;
};

// Keys whose words are read before the first run is looked for.
constexpr std::size_t at_once = 32;

// fingerprints(k): of eight keys from the k-th on.  REQUIRES: n <= at_once, whole eights
template <class Fingerprints>
BLOOMERY_INLINE void answer_some(const quotient_eight& all, Fingerprints fingerprints,
                                 std::size_t n, const key* ks, bool* out) noexcept {
  quotient_eight::eight some[at_once / 8];
  for (std::size_t k = 0; k < n; k += 8) all.read(fingerprints(k), some[k / 8]);
  for (std::size_t k = 0; k < n; k += 8) all.find(some[k / 8]);
  for (std::size_t k = 0; k < n; k += 8) all.answer(some[k / 8], ks + k, out + k);
}

void query_near(const quotient_eight& all, const key* ks, std::size_t n,
                bool* out) noexcept {
  for (std::size_t i = 0; i < n; i += at_once)
    answer_some(
        all, [&](std::size_t k) noexcept { return all.fingerprints_of(ks + i + k); },
        std::min(at_once, n - i), ks + i, out + i);
}

void query_far(const quotient_eight& all, const key* ks, std::size_t n,
               bool* out) noexcept {
  constexpr fetch_plan plan{.group = at_once, .ahead = 32};
  constexpr std::size_t room = 64;
  struct alignas(64) {
    std::uint64_t f[room];
  } ring;
  fetch_ahead<plan>(
      n,
      [&](std::size_t first, std::size_t count) noexcept {
        for (std::size_t i = first; i < first + count; i += 8) {
          _mm512_store_si512(ring.f + i % room, all.fingerprints_of(ks + i));
          // From memory: the compiler would take the register apart.
          __asm__("" : "+m"(ring));
          for (std::size_t j = i; j < i + 8; ++j) all.fetch(ring.f[j % room]);
        }
      },
      [&](std::size_t first, std::size_t count) noexcept {
        answer_some(
            all,
            [&](std::size_t k) noexcept {
              return _mm512_load_si512(ring.f + (first + k) % room);
            },
            count, ks + first, out + first);
      });
}

}  // namespace

void query_quotients_avx512(const quotient_layout& l, const std::byte* data,
                            const key* ks, std::size_t n, bool* out) noexcept {
  std::size_t done = 0;
  if (l.blocks >= 2 && l.blocks >> 32 == 0) {
    const quotient_eight all(l, data);
    done = n / 8 * 8;
    if (l.size_in_bytes() > base::caches().l2)
      query_far(all, ks, done, out);
    else
      query_near(all, ks, done, out);
  }
  for (; done < n; ++done)
    out[done] = quotient_bmi2.may_contain(l, data, ks[done].bits());
}

}  // namespace bloomery::kernel
BLOOMERY_TARGET_END
#endif
