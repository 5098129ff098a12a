#include "kernel/cuckoo_vectors.hpp"

#include "base/cpu.hpp"

#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
#include <immintrin.h>

#include <algorithm>
#include <cstring>

// Shared with code for other CPUs, so outside the target attributes.
#include <bloomery/detail/probe/words.hpp>

#include "kernel/target.hpp"

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

struct cuckoo_lanes {
  explicit cuckoo_lanes(const cuckoo_probe& p) noexcept
      : buckets(all(p.buckets())),
        half(all(p.buckets() / 2)),
        most(all((std::uint64_t{1} << p.tag_bits()) - 1)),
        bits(all(p.tag_bits())),
        f(_mm_cvtsi32_si128(static_cast<int>(p.tag_bits()))),
        f2(_mm_cvtsi32_si128(static_cast<int>(2 * p.tag_bits()))) {
    ones = four(all(1));
    highs = _mm512_sll_epi64(ones, _mm_sub_epi64(f, _mm_cvtsi32_si128(1)));
  }
  BLOOMERY_INLINE __m512i four(__m512i tag) const noexcept {
    const __m512i two = _mm512_or_si512(tag, _mm512_sll_epi64(tag, f));
    return _mm512_or_si512(two, _mm512_sll_epi64(two, f2));
  }

  __m512i buckets, half, most, bits, ones, highs;
  __m128i f, f2;
};

// Of eight keys: where their buckets begin, in half bytes, and their tag four times.
struct cuckoo_lookups_of_eight {
  __m512i first, second, tags;
};

BLOOMERY_INLINE cuckoo_lookups_of_eight start(const cuckoo_lanes& c,
                                              const key* ks) noexcept {
  const __m512i h = _mm512_loadu_si512(ks), one = all(1), i = mulhi(h, c.buckets);
  const __m512i tag =
      _mm512_add_epi64(mulhi(_mm512_mullo_epi64(h, all(golden)), c.most), one);
  __m512i x = _mm512_mullo_epi64(tag, all(spread));
  x = _mm512_mullo_epi64(_mm512_xor_si512(x, _mm512_srli_epi64(x, 32)), all(golden));
  const __m512i d = _mm512_add_epi64(_mm512_slli_epi64(mulhi(x, c.half), 1), one);
  __m512i j = _mm512_sub_epi64(d, i);
  j = _mm512_mask_add_epi64(j, _mm512_cmpgt_epu64_mask(i, d), j, c.buckets);
  return {_mm512_mul_epu32(i, c.bits), _mm512_mul_epu32(j, c.bits), c.four(tag)};
}

// Zeros where one of the slots holds the tag, as tag_fields::zeros_from_first.
BLOOMERY_INLINE __m512i zeros(const cuckoo_lanes& c, const std::byte* data,
                              __m512i halves, __m512i tags) noexcept {
  const __m512i words = _mm512_i64gather_epi64(_mm512_srli_epi64(halves, 1), data, 1);
  const __m512i shift = _mm512_slli_epi64(_mm512_and_si512(halves, all(1)), 2);
  const __m512i y = _mm512_xor_si512(_mm512_srlv_epi64(words, shift), tags);
  return _mm512_andnot_si512(y, _mm512_sub_epi64(y, c.ones));
}

BLOOMERY_INLINE void answer(const cuckoo_lanes& c, const std::byte* data,
                            const cuckoo_lookups_of_eight& of, bool* out) noexcept {
  const __m512i found = _mm512_or_si512(zeros(c, data, of.first, of.tags),
                                        zeros(c, data, of.second, of.tags));
  const std::uint64_t answers =
      _pdep_u64(_mm512_test_epi64_mask(found, c.highs), 0x0101010101010101);
  std::memcpy(out, &answers, 8);
}

constexpr std::size_t room = 64;
constexpr fetch_plan plan{.group = 16, .ahead = 48};

struct alignas(64) cuckoo_ring {
  std::uint64_t first[room], second[room], tags[room];
};

void query_far(const cuckoo_lanes& c, const std::byte* data, const key* ks, std::size_t n,
               bool* out) noexcept {
  static_assert(plan.group % 8 == 0 && plan.ahead % 8 == 0 &&
                plan.group + plan.ahead <= room);
  cuckoo_ring ring;
  fetch_ahead<plan>(
      n,
      [&](std::size_t first, std::size_t count) noexcept {
        for (std::size_t i = first; i < first + count; i += 8) {
          const auto eight = start(c, ks + i);
          const std::size_t at = i % room;
          _mm512_store_si512(ring.first + at, eight.first);
          _mm512_store_si512(ring.second + at, eight.second);
          _mm512_store_si512(ring.tags + at, eight.tags);
          for (std::size_t k = 0; k < 8; ++k) {
            __builtin_prefetch(data + (ring.first[at + k] >> 1));
            __builtin_prefetch(data + (ring.second[at + k] >> 1));
          }
        }
      },
      [&](std::size_t first, std::size_t count) noexcept {
        for (std::size_t i = first; i < first + count; i += 8) {
          const std::size_t at = i % room;
          answer(c, data,
                 {_mm512_load_si512(ring.first + at), _mm512_load_si512(ring.second + at),
                  _mm512_load_si512(ring.tags + at)},
                 out + i);
        }
      });
}

}  // namespace

bool can_query_avx512(const cuckoo_probe& probe) noexcept {
  return probe.tag_bits() <= 16 && probe.buckets() < std::uint64_t{1} << 32 &&
         base::cpu().avx512;
}

std::size_t query_avx512(const cuckoo_probe& probe, const std::byte* data,
                         std::span<const key> ks, bool* out, bool far) noexcept {
  const cuckoo_lanes c(probe);
  const std::size_t n = ks.size() / 8 * 8;
  if (far) {
    query_far(c, data, ks.data(), n, out);
    return n;
  }
  // In the caches out-of-order execution overlaps the gathers of several groups.
  for (std::size_t i = 0; i < n; i += 8) answer(c, data, start(c, &ks[i]), out + i);
  return n;
}

}  // namespace bloomery::kernel
BLOOMERY_TARGET_END
#else

namespace bloomery::kernel {

bool can_query_avx512(const cuckoo_probe&) noexcept { return false; }
std::size_t query_avx512(const cuckoo_probe&, const std::byte*, std::span<const key>,
                         bool*, bool) noexcept {
  return 0;
}

}  // namespace bloomery::kernel
#endif
