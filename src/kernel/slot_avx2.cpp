// Fuse filters by AVX2: positions and fingerprints of four keys at a time.
//
// The multiplications of 64 bits are several of 32 bits, for which there are vectors;
// slots are loaded one by one, as no gather is faster.
#include "kernel/slot.hpp"

#include "base/cpu.hpp"

#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
#include <immintrin.h>

#include <algorithm>
#include <array>

#include <bloomery/detail/probe/slot_probe.hpp>
#include <bloomery/detail/probe/slot_table.hpp>
#include <bloomery/detail/probe/words.hpp>

#include "base/target.hpp"

BLOOMERY_TARGET("avx2,bmi,bmi2")
#include "kernel/fetch_ahead.hpp"

namespace bloomery::kernel {
namespace {

template <bool many_shards>
class fuse_four {
 public:
  fuse_four(const std::byte* data, const slot_shape& shape) noexcept
      : data_(data),
        rounds_(data + shape.rounds_at()),
        shards_(every(shape.shards)),
        shard_slots_(every(shape.shard_slots)),
        step_(every(one_shard::step_of(rounds_))),
        range_(every(shape.shard_slots - 2 * shape.segment())),
        segment_(every(shape.segment())),
        mask_(every(shape.segment() - 1)) {}

  template <bool far>
  std::size_t query(const key* ks, std::size_t n, bool* out) const noexcept {
    constexpr fetch_plan plan{.group = 8, .ahead = 16};
    constexpr std::size_t room = 8;
    static_assert(plan.group + plan.ahead <= 4 * room);
    std::array<places, room> ring;
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
  struct alignas(32) places {
    std::uint64_t slot[3][4], fingerprint[4];
  };

  BLOOMERY_INLINE static __m256i every(std::uint64_t x) noexcept {
    return _mm256_set1_epi64x(static_cast<long long>(x));
  }
  BLOOMERY_INLINE static __m256i upper(__m256i x) noexcept {
    return _mm256_srli_epi64(x, 32);
  }
  // Lower halves of products of 64 bits.
  BLOOMERY_INLINE static __m256i product(__m256i x, std::uint64_t factor) noexcept {
    const __m256i low = every(factor & 0xffffffff), high = every(factor >> 32);
    const __m256i across =
        _mm256_add_epi64(_mm256_mul_epu32(upper(x), low), _mm256_mul_epu32(x, high));
    return _mm256_add_epi64(_mm256_mul_epu32(x, low), _mm256_slli_epi64(across, 32));
  }
  BLOOMERY_INLINE static void store(std::uint64_t* to, __m256i x) noexcept {
    _mm256_store_si256(reinterpret_cast<__m256i*>(to), x);
  }

  // The upper halves of products of 64 and 32 bits, which have 96.
  BLOOMERY_INLINE static __m256i scaled(__m256i x, __m256i range) noexcept {
    return upper(_mm256_add_epi64(_mm256_mul_epu32(upper(x), range),
                                  upper(_mm256_mul_epu32(x, range))));
  }
  BLOOMERY_INLINE __m256i rounds_of(__m256i shard) const noexcept {
    const __m128i a = _mm256_castsi256_si128(shard),
                  b = _mm256_extracti128_si256(shard, 1);
    const auto at = [this](long long i) noexcept {
      return static_cast<long long>(rounds_[i]);
    };
    return _mm256_set_epi64x(at(_mm_extract_epi64(b, 1)), at(_mm_cvtsi128_si64(b)),
                             at(_mm_extract_epi64(a, 1)), at(_mm_cvtsi128_si64(a)));
  }

  // slot_hash and segment_slots<3>.
  template <bool far>
  BLOOMERY_INLINE void find(const key* ks, places& to) const noexcept {
    const __m256i h = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ks));
    __m256i step = step_, first_slot = _mm256_setzero_si256();
    if constexpr (many_shards) {
      const __m256i shard = scaled(h, shards_);
      step = product(rounds_of(shard), slot_hash::round_step);
      first_slot = _mm256_mul_epu32(shard, shard_slots_);
    }
    const __m256i y = product(_mm256_add_epi64(h, step), slot_hash::first_factor);
    const __m256i x = product(_mm256_xor_si256(y, upper(y)), slot_hash::second_factor);
    const __m256i s0 = scaled(x, range_);
    const __m256i next = _mm256_add_epi64(s0, segment_),
                  last = _mm256_add_epi64(next, segment_);
    const auto put = [&](unsigned j, __m256i slot) noexcept {
      store(to.slot[j], many_shards ? _mm256_add_epi64(slot, first_slot) : slot);
    };
    put(0, s0);
    put(1, _mm256_xor_si256(next, _mm256_and_si256(x, mask_)));
    put(2, _mm256_xor_si256(last, _mm256_and_si256(_mm256_srli_epi64(x, 16), mask_)));
    store(to.fingerprint, _mm256_srli_epi64(y, 56));
    if constexpr (far)
      for (unsigned i = 0; i < 4; ++i)
        for (const auto& slot : to.slot) __builtin_prefetch(data_ + slot[i]);
  }
  BLOOMERY_INLINE void match(const places& p, bool* out) const noexcept {
    for (unsigned i = 0; i < 4; ++i)
      out[i] = (data_[p.slot[0][i]] ^ data_[p.slot[1][i]] ^ data_[p.slot[2][i]]) ==
               static_cast<std::byte>(p.fingerprint[i]);
  }

  const std::byte* data_;
  const std::byte* rounds_;
  __m256i shards_, shard_slots_, step_, range_, segment_, mask_;
};

template <bool many_shards>
std::size_t query(const std::byte* data, const slot_shape& shape, const key* ks,
                  std::size_t n, bool* out, bool far) noexcept {
  const fuse_four<many_shards> four(data, shape);
  return far ? four.template query<true>(ks, n, out)
             : four.template query<false>(ks, n, out);
}

std::size_t query_fuse(const std::byte* data, const slot_shape& shape, const key* ks,
                       std::size_t n, bool* out, bool far) noexcept {
  if (shape.layout != slot_layout::three || shape.width != 8 ||
      shape.shard_slots >> 32 != 0)
    return 0;
  return shape.shards == 1 ? query<false>(data, shape, ks, n, out, far)
                           : query<true>(data, shape, ks, n, out, far);
}

}  // namespace

slot_query fuse_query() noexcept { return base::cpu().avx2 ? query_fuse : nullptr; }

}  // namespace bloomery::kernel
BLOOMERY_TARGET_END
#else

namespace bloomery::kernel {

slot_query fuse_query() noexcept { return nullptr; }

}  // namespace bloomery::kernel
#endif
