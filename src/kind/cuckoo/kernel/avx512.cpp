#include "kind/cuckoo/kernel/vectors.hpp"

#include "base/cpu.hpp"

#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
#include <immintrin.h>

#include <algorithm>
#include <cstring>

// Shared with code for other CPUs, so outside the target attributes.
#include <bloomery/detail/probe/words.hpp>

#include "base/target.hpp"

BLOOMERY_TARGET("avx2,bmi,bmi2,avx512f,avx512dq,avx512bw,avx512vl")
#include "kernel/fetch_ahead.hpp"

namespace bloomery::kernel {
namespace {

constexpr std::uint64_t golden = cuckoo_probe::golden, spread = cuckoo_probe::spread;

BLOOMERY_INLINE __m512i all(std::uint64_t x) noexcept {
  return _mm512_set1_epi64(static_cast<long long>(x));
}

// (x * b) >> 64, for b below 2^32.
BLOOMERY_INLINE __m512i mulhi(__m512i x, __m512i b) noexcept {
  const __m512i low = _mm512_mul_epu32(x, b),
                high = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), b);
  return _mm512_srli_epi64(_mm512_add_epi64(high, _mm512_srli_epi64(low, 32)), 32);
}

constexpr bool is_even(const cuckoo_probe& p) noexcept { return p.tag_bits() % 2 == 0; }

BLOOMERY_INLINE __m128i count(std::uint32_t bits) noexcept {
  return _mm_cvtsi32_si128(static_cast<int>(bits));
}

struct cuckoo_lanes {
  cuckoo_lanes(const cuckoo_probe& p, const std::uint32_t* d) noexcept
      : offsets(d),
        buckets(all(p.buckets())),
        half(all(p.buckets() / 2)),
        bits(all(is_even(p) ? p.tag_bits() / 2 : p.tag_bits())),
        f(count(p.tag_bits())),
        f2(count(2 * p.tag_bits())),
        below(count(64 - p.tag_bits())) {
    ones = four(all(1));
    highs = _mm512_sll_epi64(ones, count(p.tag_bits() - 1));
  }
  BLOOMERY_INLINE __m512i four(__m512i tag) const noexcept {
    const __m512i two = _mm512_or_si512(tag, _mm512_sll_epi64(tag, f));
    return _mm512_or_si512(two, _mm512_sll_epi64(two, f2));
  }

  const std::uint32_t* offsets;
  __m512i buckets, half, bits, ones, highs;
  __m128i f, f2, below;
};

// The lookups of eight keys: where their buckets begin, in bytes if tags have an even
// number of bits, otherwise in half bytes; and each tag, four times.
struct cuckoo_lookups_of_eight {
  __m512i first, second, tags;
};

// 1 + mulhi(x, 2^f - 1): the product is 2^f x - x, so of its upper half only the borrow
// is not a shift.
BLOOMERY_INLINE __m512i tags_of(const cuckoo_lanes& c, __m512i h) noexcept {
  const __m512i x = _mm512_mullo_epi64(h, all(golden)), one = all(1);
  const __m512i high = _mm512_add_epi64(_mm512_srl_epi64(x, c.below), one);
  const __mmask8 borrows = _mm512_cmplt_epu64_mask(_mm512_sll_epi64(x, c.f), x);
  return _mm512_mask_sub_epi64(high, borrows, high, one);
}

// d of eight tags.
template <bool in_table>
BLOOMERY_INLINE __m512i offsets_of(const cuckoo_lanes& c, __m512i tag) noexcept {
  if constexpr (in_table)
    return _mm512_cvtepu32_epi64(_mm512_i64gather_epi32(tag, c.offsets, 4));
  __m512i x = _mm512_mullo_epi64(tag, all(spread));
  x = _mm512_mullo_epi64(_mm512_xor_si512(x, _mm512_srli_epi64(x, 32)), all(golden));
  return _mm512_add_epi64(_mm512_slli_epi64(mulhi(x, c.half), 1), all(1));
}

template <bool in_table>
BLOOMERY_INLINE cuckoo_lookups_of_eight start(const cuckoo_lanes& c,
                                              const key* ks) noexcept {
  const __m512i h = _mm512_loadu_si512(ks), i = mulhi(h, c.buckets), tag = tags_of(c, h);
  const __m512i d = offsets_of<in_table>(c, tag);
  __m512i j = _mm512_sub_epi64(d, i);
  j = _mm512_mask_add_epi64(j, _mm512_cmpgt_epu64_mask(i, d), j, c.buckets);
  return {_mm512_mul_epu32(i, c.bits), _mm512_mul_epu32(j, c.bits), c.four(tag)};
}

// Zeros where one of the slots holds the tag, as tag_fields::zeros_from_first.
template <bool even>
BLOOMERY_INLINE __m512i zeros(const cuckoo_lanes& c, const std::byte* data, __m512i at,
                              __m512i tags) noexcept {
  __m512i words = _mm512_i64gather_epi64(even ? at : _mm512_srli_epi64(at, 1), data, 1);
  if constexpr (!even)
    words = _mm512_srlv_epi64(words, _mm512_slli_epi64(_mm512_and_si512(at, all(1)), 2));
  const __m512i y = _mm512_xor_si512(words, tags);
  return _mm512_andnot_si512(y, _mm512_sub_epi64(y, c.ones));
}

template <bool even>
BLOOMERY_INLINE void answer(const cuckoo_lanes& c, const std::byte* data,
                            const cuckoo_lookups_of_eight& of, bool* out) noexcept {
  const __m512i found = _mm512_or_si512(zeros<even>(c, data, of.first, of.tags),
                                        zeros<even>(c, data, of.second, of.tags));
  const std::uint64_t answers =
      _pdep_u64(_mm512_test_epi64_mask(found, c.highs), 0x0101010101010101);
  std::memcpy(out, &answers, 8);
}

constexpr std::size_t room = 64;

struct alignas(64) cuckoo_ring {
  std::uint64_t first[room], second[room], tags[room];
};

template <fetch_plan plan, bool far, bool in_table, bool even>
void query(const cuckoo_lanes& c, const std::byte* data, const key* ks, std::size_t n,
           bool* out) noexcept {
  static_assert(plan.group % 8 == 0 && plan.ahead % 8 == 0 &&
                plan.group + plan.ahead <= room);
  cuckoo_ring ring;
  fetch_ahead<plan>(
      n,
      [&](std::size_t first, std::size_t count) noexcept {
        for (std::size_t i = first; i < first + count; i += 8) {
          const auto eight = start<in_table>(c, ks + i);
          const std::size_t at = i % room;
          _mm512_store_si512(ring.first + at, eight.first);
          _mm512_store_si512(ring.second + at, eight.second);
          _mm512_store_si512(ring.tags + at, eight.tags);
          if constexpr (far) {
            // From memory: the compiler would take the registers apart.
            __asm__("" : "+m"(ring.first), "+m"(ring.second));
            for (std::size_t k = 0; k < 8; ++k) {
              __builtin_prefetch(data + (ring.first[at + k] >> (even ? 0 : 1)));
              __builtin_prefetch(data + (ring.second[at + k] >> (even ? 0 : 1)));
            }
          }
        }
      },
      [&](std::size_t first, std::size_t count) noexcept {
        for (std::size_t i = first; i < first + count; i += 8) {
          const std::size_t at = i % room;
          answer<even>(
              c, data,
              {_mm512_load_si512(ring.first + at), _mm512_load_si512(ring.second + at),
               _mm512_load_si512(ring.tags + at)},
              out + i);
        }
      });
}

constexpr fetch_plan far_plan{.group = 16, .ahead = 48},
    near_plan{.group = 8, .ahead = 16};

template <bool in_table, bool even>
void query(const cuckoo_lanes& c, const std::byte* data, const key* ks, std::size_t n,
           bool* out, bool far) noexcept {
  if (far)
    query<far_plan, true, in_table, even>(c, data, ks, n, out);
  else
    query<near_plan, false, in_table, even>(c, data, ks, n, out);
}

}  // namespace

bool can_query_avx512(const cuckoo_probe& probe) noexcept {
  return probe.tag_bits() <= 16 && probe.buckets() < std::uint64_t{1} << 32 &&
         base::cpu().avx512;
}

std::size_t query_avx512(const cuckoo_probe& probe, const std::uint32_t* offsets,
                         const std::byte* data, std::span<const key> ks, bool* out,
                         bool far) noexcept {
  const cuckoo_lanes c(probe, offsets);
  const std::size_t n = ks.size() / 8 * 8;
  if (offsets != nullptr)
    is_even(probe) ? query<true, true>(c, data, ks.data(), n, out, far)
                   : query<true, false>(c, data, ks.data(), n, out, far);
  else
    is_even(probe) ? query<false, true>(c, data, ks.data(), n, out, far)
                   : query<false, false>(c, data, ks.data(), n, out, far);
  return n;
}

}  // namespace bloomery::kernel
BLOOMERY_TARGET_END
#else

namespace bloomery::kernel {

bool can_query_avx512(const cuckoo_probe&) noexcept { return false; }
std::size_t query_avx512(const cuckoo_probe&, const std::uint32_t*, const std::byte*,
                         std::span<const key>, bool*, bool) noexcept {
  return 0;
}

}  // namespace bloomery::kernel
#endif
