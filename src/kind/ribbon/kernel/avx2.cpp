// AVX2: four columns at a time, eight where there are as many; no early exit.
#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
#include <immintrin.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include <bloomery/detail/kind/ribbon/shape.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

#include <bloomery/detail/hash/mix.hpp>
#include "base/target.hpp"
#include "kind/ribbon/kernel/table.hpp"

BLOOMERY_TARGET("avx2,bmi,bmi2,popcnt,lzcnt")
#include "kind/ribbon/kernel/four.hpp"
#include "kind/ribbon/kernel/loops.hpp"
#include "kind/ribbon/kernel/whole.hpp"

namespace bloomery::kernel {
namespace {

struct avx2_ribbon : any_ribbon {
  BLOOMERY_INLINE static __m256i all(std::uint64_t x) noexcept {
    return _mm256_set1_epi64x(static_cast<long long>(x));
  }
  // The first `n` words of four, the others zero and not read.
  BLOOMERY_INLINE static __m256i some_words(const std::byte* p, unsigned n) noexcept {
    const __m256i mask = _mm256_cmpgt_epi64(all(n), _mm256_set_epi64x(3, 2, 1, 0));
    return _mm256_maskload_epi64(reinterpret_cast<const long long*>(p), mask);
  }
  BLOOMERY_INLINE static __m256i four_words(const std::byte* p) noexcept {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  }
  BLOOMERY_INLINE static __m256i both(__m256i first, __m256i low, __m256i second,
                                      __m256i high) noexcept {
    return _mm256_xor_si256(_mm256_and_si256(first, low), _mm256_and_si256(second, high));
  }
  // The parities of eight words, in the order 0, 1, 4, 5, 2, 3, 6, 7: halves are folded
  // onto each other, then bits onto the sign.
  BLOOMERY_INLINE static unsigned parities(__m256i a, __m256i b) noexcept {
    const __m256 fa = _mm256_castsi256_ps(a), fb = _mm256_castsi256_ps(b);
    __m256i x = _mm256_castps_si256(
        _mm256_xor_ps(_mm256_shuffle_ps(fa, fb, 0x88), _mm256_shuffle_ps(fa, fb, 0xdd)));
    x = _mm256_xor_si256(x, _mm256_slli_epi32(x, 16));
    x = _mm256_xor_si256(x, _mm256_slli_epi32(x, 8));
    x = _mm256_xor_si256(x, _mm256_slli_epi32(x, 4));
    x = _mm256_xor_si256(x, _mm256_slli_epi32(x, 2));
    x = _mm256_xor_si256(x, _mm256_slli_epi32(x, 1));
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(x)));
  }

  template <bool few>
  BLOOMERY_INLINE static bool match(const ribbon_window<64>& w) noexcept {
    const __m256i low = all(w.low), high = all(w.high);
    unsigned wrong = 0;
    std::uint32_t j = 0;
    const auto compare = [&](__m256i a, __m256i b, unsigned columns) noexcept {
      const unsigned m = parities(a, b);
      // Back to the order of the columns.
      const unsigned sorted = (m & 0xc3) | (m & 0x0c) << 2 | (m & 0x30) >> 2;
      wrong |= (sorted ^ w.fingerprint >> j) & ((1u << columns) - 1);
    };
    for (; j + 8 <= w.columns; j += 8) {
      const std::byte *const p = w.first + 8 * j, *const q = w.second + 8 * j;
      compare(both(four_words(p), low, four_words(q), high),
              both(four_words(p + 32), low, four_words(q + 32), high), 8);
    }
    if (const unsigned left = w.columns - j; left != 0) {
      const std::byte *const p = w.first + 8 * j, *const q = w.second + 8 * j;
      const __m256i a = both(some_words(p, left), low, some_words(q, left), high);
      __m256i b = _mm256_setzero_si256();
      if (left > 4)
        b = both(some_words(p + 32, left - 4), low, some_words(q + 32, left - 4), high);
      compare(a, b, left);
    }
    return wrong == 0;
  }

  static __m256i twice(u128 c) noexcept {
    const auto low = static_cast<long long>(c), high = static_cast<long long>(c >> 64);
    return _mm256_set_epi64x(high, low, high, low);
  }
  // Two columns in a register: the halves of a column are folded onto each other, so that
  // four registers are eight columns.
  template <bool few>
  BLOOMERY_INLINE static bool match(const ribbon_window<128>& w) noexcept {
    const __m256i low = twice(w.low), high = twice(w.high);
    unsigned wrong = 0;
    for (std::uint32_t j = 0; few ? j == 0 : j < w.columns; j += 8) {
      const unsigned words = 2 * (w.columns - j);
      const std::byte *const p = w.first + 16 * j, *const q = w.second + 16 * j;
      __m256i x[4];
      for (unsigned i = 0; i < 4; ++i) {
        x[i] = _mm256_setzero_si256();
        if (words >= 4 * i + 4)
          x[i] = both(four_words(p + 32 * i), low, four_words(q + 32 * i), high);
        else if (words > 4 * i)
          x[i] = both(some_words(p + 32 * i, 2), low, some_words(q + 32 * i, 2), high);
      }
      // Columns 0, 2, 1, 3 and 4, 6, 5, 7.
      const __m256i a = _mm256_xor_si256(_mm256_unpacklo_epi64(x[0], x[1]),
                                         _mm256_unpackhi_epi64(x[0], x[1]));
      const __m256i b = _mm256_xor_si256(_mm256_unpacklo_epi64(x[2], x[3]),
                                         _mm256_unpackhi_epi64(x[2], x[3]));
      const unsigned m =
          parities(_mm256_permute4x64_epi64(a, 0xd8), _mm256_permute4x64_epi64(b, 0xd8));
      const unsigned sorted = (m & 0xc3) | (m & 0x0c) << 2 | (m & 0x30) >> 2;
      const unsigned there = words >= 16 ? 0xff : (1u << (words / 2)) - 1;
      wrong |= (sorted ^ w.fingerprint >> j) & there;
    }
    return wrong == 0;
  }
};

using avx2_loops = ribbon_loops_of<avx2_ribbon>;

// Near the end of a filter.
[[gnu::noinline]] bool query_near_end(const ribbon_layout& all, const std::byte* data,
                                      std::uint64_t h) noexcept {
  return avx2_loops::one<64, true>(all, data, h);
}

// One key, windows of 64 slots, at most eight columns: eight are read, if there are bytes
// behind them, and those that the key does not have are masked.
bool one_of_few(const ribbon_layout& all, const std::byte* data,
                std::uint64_t h) noexcept {
  const ribbon_layer& l = all.layer[0];
  const ribbon_start start = start_in(l, h);
  const std::uint64_t slot = start.segment * l.segment_slots + start.in_segment;
  // is_taken, of the first layer
  static constexpr std::uint8_t limits[] = {limit_of<64>(0), limit_of<64>(1),
                                            limit_of<64>(2), limit_of<64>(3)};
  const unsigned four = static_cast<unsigned>(data[all.thresholds_at + (slot >> 9)]);
  if ((slot & 127) < limits[four >> (slot >> 6 & 6) & 3]) [[unlikely]]
    return avx2_loops::is_in_others<64>(all, data, h);
  const std::uint64_t block = slot >> 6;
  const bool narrow = block < l.narrow_blocks;
  const std::uint64_t columns = all.columns - narrow;
  const std::uint64_t at = 8 * (block * all.columns - (narrow ? block : l.narrow_blocks));
  if (at + 128 > all.size_in_bytes) [[unlikely]]
    return query_near_end(all, data, h);
  const auto row = row_of<64>(h);
  const auto shift = static_cast<int>(slot & 63);
  const __m256i c = avx2_ribbon::all(row.c);
  // A shift of 64 leaves nothing of the second block.
  const __m256i low = _mm256_sll_epi64(c, _mm_cvtsi32_si128(shift)),
                high = _mm256_srl_epi64(c, _mm_cvtsi32_si128(64 - shift));
  const std::byte *const first = data + at, *const second = first + 8 * columns;
  const auto both = [&](std::size_t i) noexcept {
    return _mm256_castsi256_ps(avx2_ribbon::both(avx2_ribbon::four_words(first + i), low,
                                                 avx2_ribbon::four_words(second + i),
                                                 high));
  };
  const __m256 a = both(0), b = both(32);
  // Words onto their lower halves, nibbles onto each other.  The sum of the four parities
  // of a column, each times something odd, has its parity.  These constants differ from
  // byte to byte, where that does not matter, for compilers compute those that do not by
  // three instructions each.
  const __m256i nibble = _mm256_setr_epi64x(0x1f0f1f0f1f0f1f0f, 0x0f1f0f1f0f1f0f1f,
                                            0x0f1f0f1f0f1f0f1f, 0x1f0f1f0f1f0f1f0f);
  const __m256i parity =
      _mm256_setr_epi8(0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0,  //
                       2, 3, 3, 2, 3, 2, 2, 3, 3, 2, 2, 3, 2, 3, 3, 2);
  const __m256i odd_bytes =
      _mm256_setr_epi8(1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3,  //
                       3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1);
  const __m256i odd_words =
      _mm256_setr_epi16(1, 3, 1, 3, 1, 3, 1, 3, 3, 1, 3, 1, 3, 1, 3, 1);
  __m256i x = _mm256_castps_si256(
      _mm256_xor_ps(_mm256_shuffle_ps(a, b, 0x88), _mm256_shuffle_ps(a, b, 0xdd)));
  x = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi32(x, 4)), nibble);
  x = _mm256_maddubs_epi16(_mm256_shuffle_epi8(parity, x), odd_bytes);
  x = _mm256_madd_epi16(x, odd_words);
  const __m256i wanted =
      _mm256_srlv_epi32(_mm256_set1_epi32(static_cast<int>(row.fingerprint)),
                        _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7));
  x = _mm256_slli_epi32(_mm256_xor_si256(x, wanted), 31);
  const auto wrong = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(x)));
  static constexpr std::uint8_t there[] = {0,    0x01, 0x03, 0x13, 0x33,
                                           0x37, 0x3f, 0x7f, 0xff};
  return (wrong & there[columns]) == 0;
}

// A block of eight columns, for ribbon_whole.
struct alignas(64) avx2_line_constants : ribbon_whole_limits {
  std::array<std::uint8_t, 32> nibble;
  std::array<std::uint8_t, 32> parity;  // of a nibble, as a sign; twice
  std::array<std::uint32_t, 8> bytes;   // times this: the highest byte is their sum
  // Columns in the order in which `is_equal` meets them: 0, 1, 4, 5, 2, 3, 6, 7.
  std::array<std::uint8_t, 256> order;
};
constexpr avx2_line_constants made_line_constants() noexcept {
  avx2_line_constants k{made_whole_limits(), {}, {}, {}, {}};
  for (unsigned i = 0; i < 32; ++i) {
    k.nibble[i] = 15;
    k.parity[i] = std::popcount(i % 16) % 2 != 0 ? 0x80 : 0;
  }
  k.bytes.fill(0x01010101);
  for (unsigned f = 0; f < 256; ++f)
    k.order[f] =
        static_cast<std::uint8_t>((f & 0xc3) | (f & 0x0c) << 2 | (f & 0x30) >> 2);
  return k;
}

struct avx2_line {
  static constexpr avx2_line_constants constants = made_line_constants();

  BLOOMERY_INLINE static __m256i load(const void* p) noexcept {
    return _mm256_loadu_si256(static_cast<const __m256i*>(p));
  }
  BLOOMERY_INLINE static bool is_equal(const avx2_line_constants& k,
                                       const std::byte* line, std::uint64_t first,
                                       std::uint64_t second,
                                       std::uint64_t fingerprint) noexcept {
    const __m256i low = avx2_ribbon::all(first), high = avx2_ribbon::all(second);
    const auto both = [&](std::size_t at) noexcept {
      return _mm256_castsi256_ps(
          _mm256_xor_si256(_mm256_and_si256(load(line + at), low),
                           _mm256_and_si256(load(line + 64 + at), high)));
    };
    const __m256 a = both(0), b = both(32);
    // Words onto their lower halves, nibbles onto each other; four parities, each the
    // sign of a byte, are added in the highest one, and what is carried into it is small.
    __m256i x = _mm256_castps_si256(
        _mm256_xor_ps(_mm256_shuffle_ps(a, b, 0x88), _mm256_shuffle_ps(a, b, 0xdd)));
    x = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi32(x, 4)),
                         load(k.nibble.data()));
    x = _mm256_mullo_epi32(_mm256_shuffle_epi8(load(k.parity.data()), x),
                           load(k.bytes.data()));
    const auto odd = _mm256_movemask_ps(_mm256_castsi256_ps(x));
    return static_cast<std::uint8_t>(odd) == k.order[fingerprint & 0xff];
  }
};

template <bool mixed>
std::size_t query_four(const ribbon_layout& all, const std::byte* data, const key* ks,
                       std::size_t n, bool* out, bool far) noexcept {
  const ribbon_four<mixed> four(all, data);
  return far ? four.template query<true>(ks, n, out)
             : four.template query<false>(ks, n, out);
}

void query(const ribbon_layout& all, const std::byte* data, const key* ks, std::size_t n,
           bool* out, bool far) noexcept {
  std::size_t done = 0;
  if (ribbon_four<true>::serves(all))
    done = ribbon_four<true>::is_mixed(all)
               ? query_four<true>(all, data, ks, n, out, far)
               : query_four<false>(all, data, ks, n, out, far);
  avx2_loops::query(all, data, ks + done, n - done, out + done, far);
}

}  // namespace

constinit const ribbon_kernel ribbon_avx2 =
    avx2_loops::table("avx2", query, one_of_few, ribbon_whole<avx2_line>::one);

}  // namespace bloomery::kernel
BLOOMERY_TARGET_END
#endif
