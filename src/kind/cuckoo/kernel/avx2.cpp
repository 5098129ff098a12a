#include "kind/cuckoo/kernel/vectors.hpp"

#include "base/cpu.hpp"

#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
#include <immintrin.h>

#include <algorithm>
#include <cstring>

// Shared with code for other CPUs, so outside the target attributes.
#include <bloomery/detail/probe/words.hpp>

#include "base/target.hpp"

BLOOMERY_TARGET("avx2,bmi,bmi2")
#include "kernel/fetch_ahead.hpp"

namespace bloomery::kernel {
namespace {

constexpr std::uint64_t golden = cuckoo_probe::golden, spread = cuckoo_probe::spread;

BLOOMERY_INLINE __m256i all(std::uint64_t x) noexcept {
  return _mm256_set1_epi64x(static_cast<long long>(x));
}

// (x * b) >> 64, for b below 2^32.
BLOOMERY_INLINE __m256i mulhi(__m256i x, __m256i b) noexcept {
  const __m256i low = _mm256_mul_epu32(x, b),
                high = _mm256_mul_epu32(_mm256_srli_epi64(x, 32), b);
  return _mm256_srli_epi64(_mm256_add_epi64(high, _mm256_srli_epi64(low, 32)), 32);
}

// x * c mod 2^64.
BLOOMERY_INLINE __m256i mullo(__m256i x, std::uint64_t c) noexcept {
  const __m256i low = _mm256_mul_epu32(x, all(c)),
                across =
                    _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(x, 32), all(c)),
                                     _mm256_mul_epu32(x, all(c >> 32)));
  return _mm256_add_epi64(low, _mm256_slli_epi64(across, 32));
}

constexpr bool is_even(const cuckoo_probe& p) noexcept { return p.tag_bits() % 2 == 0; }

struct cuckoo_lanes {
  cuckoo_lanes(const cuckoo_probe& p, const std::uint32_t* d) noexcept
      : offsets(d),
        buckets(all(p.buckets())),
        half(all(p.buckets() / 2)),
        most(all((std::uint64_t{1} << p.tag_bits()) - 1)),
        bits(all(is_even(p) ? p.tag_bits() / 2 : p.tag_bits())),
        f(_mm_cvtsi32_si128(static_cast<int>(p.tag_bits()))),
        f2(_mm_cvtsi32_si128(static_cast<int>(2 * p.tag_bits()))) {
    ones = four(all(1));
    highs = _mm256_sll_epi64(ones, _mm_sub_epi64(f, _mm_cvtsi32_si128(1)));
  }
  BLOOMERY_INLINE __m256i four(__m256i tag) const noexcept {
    const __m256i two = _mm256_or_si256(tag, _mm256_sll_epi64(tag, f));
    return _mm256_or_si256(two, _mm256_sll_epi64(two, f2));
  }

  const std::uint32_t* offsets;
  __m256i buckets, half, most, bits, ones, highs;
  __m128i f, f2;
};

// The lookups of four keys: where their buckets begin, in bytes if tags have an even
// number of bits, otherwise in half bytes; and each tag, four times.
struct cuckoo_lookups_of_four {
  __m256i first, second, tags;
};

// d of four tags.
template <bool in_table>
BLOOMERY_INLINE __m256i offsets_of(const cuckoo_lanes& c, __m256i tag) noexcept {
  if constexpr (in_table) {  // A gather takes longer than four loads.
    alignas(32) std::uint64_t t[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(t), tag);
    return _mm256_set_epi64x(c.offsets[t[3]], c.offsets[t[2]], c.offsets[t[1]],
                             c.offsets[t[0]]);
  }
  __m256i x = mullo(tag, spread);
  x = mullo(_mm256_xor_si256(x, _mm256_srli_epi64(x, 32)), golden);
  return _mm256_add_epi64(_mm256_slli_epi64(mulhi(x, c.half), 1), all(1));
}

template <bool in_table>
BLOOMERY_INLINE cuckoo_lookups_of_four start(const cuckoo_lanes& c,
                                             const key* ks) noexcept {
  const __m256i h = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ks));
  const __m256i one = all(1), i = mulhi(h, c.buckets),
                tag = _mm256_add_epi64(mulhi(mullo(h, golden), c.most), one);
  const __m256i d = offsets_of<in_table>(c, tag);
  const __m256i wrapped = _mm256_and_si256(_mm256_cmpgt_epi64(i, d), c.buckets);
  const __m256i j = _mm256_add_epi64(_mm256_sub_epi64(d, i), wrapped);
  return {_mm256_mul_epu32(i, c.bits), _mm256_mul_epu32(j, c.bits), c.four(tag)};
}

template <bool even>
BLOOMERY_INLINE const std::byte* bucket_at(const std::byte* data,
                                           std::uint64_t at) noexcept {
  return data + (even ? at : at >> 1);
}
template <bool even>
BLOOMERY_INLINE long long word_at(const std::byte* data, std::uint64_t at) noexcept {
  long long x;
  std::memcpy(&x, bucket_at<even>(data, at), 8);
  return x;
}

// Zeros where one of the slots holds the tag, as tag_fields::zeros_from_first.
template <bool even>
BLOOMERY_INLINE __m256i zeros(const cuckoo_lanes& c, const std::byte* data,
                              const std::uint64_t* at, __m256i tags) noexcept {
  __m256i words =
      _mm256_set_epi64x(word_at<even>(data, at[3]), word_at<even>(data, at[2]),
                        word_at<even>(data, at[1]), word_at<even>(data, at[0]));
  if constexpr (!even) {
    const __m256i halves = _mm256_load_si256(reinterpret_cast<const __m256i*>(at));
    words =
        _mm256_srlv_epi64(words, _mm256_slli_epi64(_mm256_and_si256(halves, all(1)), 2));
  }
  const __m256i y = _mm256_xor_si256(words, tags);
  return _mm256_andnot_si256(y, _mm256_sub_epi64(y, c.ones));
}

constexpr std::size_t room = 64;

struct alignas(32) cuckoo_ring {
  std::uint64_t first[room], second[room], tags[room];
};

template <fetch_plan plan, bool far, bool in_table, bool even>
std::size_t query(const cuckoo_lanes& c, const std::byte* data, std::span<const key> ks,
                  bool* out) noexcept {
  static_assert(plan.group % 4 == 0 && plan.ahead % 4 == 0 &&
                plan.group + plan.ahead <= room);
  cuckoo_ring ring;
  const std::size_t n = ks.size() / 4 * 4;
  const auto put = [](std::uint64_t* to, __m256i x) noexcept {
    _mm256_store_si256(reinterpret_cast<__m256i*>(to), x);
  };
  fetch_ahead<plan>(
      n,
      [&](std::size_t first, std::size_t count) noexcept {
        for (std::size_t i = first; i < first + count; i += 4) {
          const auto four = start<in_table>(c, &ks[i]);
          const std::size_t at = i % room;
          put(ring.first + at, four.first);
          put(ring.second + at, four.second);
          put(ring.tags + at, four.tags);
          if constexpr (far)
            for (std::size_t k = 0; k < 4; ++k) {
              __builtin_prefetch(bucket_at<even>(data, ring.first[at + k]));
              __builtin_prefetch(bucket_at<even>(data, ring.second[at + k]));
            }
        }
      },
      [&](std::size_t first, std::size_t count) noexcept {
        for (std::size_t i = first; i < first + count; i += 4) {
          const std::size_t at = i % room;
          const __m256i tags =
              _mm256_load_si256(reinterpret_cast<const __m256i*>(ring.tags + at));
          const __m256i found = _mm256_and_si256(
              _mm256_or_si256(zeros<even>(c, data, ring.first + at, tags),
                              zeros<even>(c, data, ring.second + at, tags)),
              c.highs);
          const auto none = static_cast<unsigned>(_mm256_movemask_pd(
              _mm256_castsi256_pd(_mm256_cmpeq_epi64(found, _mm256_setzero_si256()))));
          const std::uint32_t answers = (~none & 15u) * 0x204081u & 0x01010101u;
          std::memcpy(out + i, &answers, 4);
        }
      });
  return n;
}

// Two lines for each key: 16 keys ahead cover the last cache and memory as well as 48 do.
constexpr fetch_plan far_plan{.group = 8, .ahead = 16}, near_plan{.group = 4, .ahead = 8};

template <bool in_table, bool even>
std::size_t query(const cuckoo_lanes& c, const std::byte* data, std::span<const key> ks,
                  bool* out, bool far) noexcept {
  return far ? query<far_plan, true, in_table, even>(c, data, ks, out)
             : query<near_plan, false, in_table, even>(c, data, ks, out);
}

}  // namespace

bool can_query_avx2(const cuckoo_probe& probe) noexcept {
  return probe.tag_bits() <= 16 && probe.buckets() < std::uint64_t{1} << 32 &&
         base::cpu().avx2;
}

std::size_t query_avx2(const cuckoo_probe& probe, const std::uint32_t* offsets,
                       const std::byte* data, std::span<const key> ks, bool* out,
                       bool far) noexcept {
  const cuckoo_lanes c(probe, offsets);
  if (offsets != nullptr)
    return is_even(probe) ? query<true, true>(c, data, ks, out, far)
                          : query<true, false>(c, data, ks, out, far);
  return is_even(probe) ? query<false, true>(c, data, ks, out, far)
                        : query<false, false>(c, data, ks, out, far);
}

}  // namespace bloomery::kernel
BLOOMERY_TARGET_END
#else

namespace bloomery::kernel {

bool can_query_avx2(const cuckoo_probe&) noexcept { return false; }
std::size_t query_avx2(const cuckoo_probe&, const std::uint32_t*, const std::byte*,
                       std::span<const key>, bool*, bool) noexcept {
  return 0;
}

}  // namespace bloomery::kernel
#endif
