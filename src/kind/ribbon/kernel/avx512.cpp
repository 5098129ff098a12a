// AVX-512 with VPOPCNTDQ: eight columns in one register, their parities from the counts
// of their ones; no early exit.
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

BLOOMERY_TARGET(
    "avx2,bmi,bmi2,popcnt,lzcnt,avx512f,avx512dq,avx512bw,avx512vl,avx512vpopcntdq")
#include "kind/ribbon/kernel/eight.hpp"
#include "kind/ribbon/kernel/loops.hpp"
#include "kind/ribbon/kernel/whole.hpp"

namespace bloomery::kernel {
namespace {

struct avx512_ribbon : any_ribbon {
  // Words that are masked off are not read.
  BLOOMERY_INLINE static __m512i words(__mmask8 which, const std::byte* p) noexcept {
    return _mm512_maskz_loadu_epi64(which, p);
  }
  BLOOMERY_INLINE static __m512i both(__m512i first, __m512i low, __m512i second,
                                      __m512i high) noexcept {
    return _mm512_xor_si512(_mm512_and_si512(first, low), _mm512_and_si512(second, high));
  }
  BLOOMERY_INLINE static __m512i all(std::uint64_t x) noexcept {
    return _mm512_set1_epi64(static_cast<long long>(x));
  }
  BLOOMERY_INLINE static unsigned odd(__m512i x) noexcept {
    return _mm512_test_epi64_mask(_mm512_popcnt_epi64(x), _mm512_set1_epi64(1));
  }

  template <bool few>
  BLOOMERY_INLINE static bool match(const ribbon_window<64>& w) noexcept {
    const __m512i low = all(w.low), high = all(w.high);
    unsigned wrong = 0;
    for (std::uint32_t j = 0; few ? j == 0 : j < w.columns; j += 8) {
      const unsigned there = _bzhi_u32(0xff, w.columns - j);
      const auto mask = static_cast<__mmask8>(there);
      const __m512i x =
          both(words(mask, w.first + 8 * j), low, words(mask, w.second + 8 * j), high);
      wrong |= (odd(x) ^ w.fingerprint >> j) & there;
    }
    return wrong == 0;
  }

  BLOOMERY_INLINE static __m512i four(u128 c) noexcept {
    return _mm512_broadcast_i64x2(
        _mm_set_epi64x(static_cast<long long>(c >> 64), static_cast<long long>(c)));
  }
  // Four columns in a register; the parity of a column is that of both halves.
  template <bool few>
  BLOOMERY_INLINE static bool match(const ribbon_window<128>& w) noexcept {
    const __m512i low = four(w.low), high = four(w.high);
    unsigned wrong = 0;
    for (std::uint32_t j = 0; j < w.columns; j += 4) {
      const unsigned there = _bzhi_u32(0xff, 2 * (w.columns - j));
      const auto mask = static_cast<__mmask8>(there);
      const unsigned halves = odd(
          both(words(mask, w.first + 16 * j), low, words(mask, w.second + 16 * j), high));
      const unsigned columns = _pext_u32(halves ^ halves >> 1, 0x55);
      wrong |= (columns ^ w.fingerprint >> j) & _pext_u32(there, 0x55);
    }
    return wrong == 0;
  }

  // Eight columns in a register, a bit of each at a time.
  using any_ribbon::solve_block;
  static void solve_block(unsigned columns, const std::uint64_t* c,
                          const std::uint32_t* f, unsigned first,
                          ribbon_states<64>& states, std::byte* to) noexcept {
    const __m512i one = _mm512_set1_epi64(1),
                  shifts = _mm512_add_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0),
                                            _mm512_set1_epi64(first));
    __m512i s = _mm512_loadu_si512(states.s[0].data());
    for (unsigned i = 64; i-- > 0;) {
      const __m512i row = _mm512_set1_epi64(static_cast<long long>(c[i]));
      const __m512i bits =
          _mm512_srlv_epi64(_mm512_set1_epi64(static_cast<long long>(f[i])), shifts);
      s = _mm512_add_epi64(s, s);
      const __m512i sum =
          _mm512_xor_si512(_mm512_popcnt_epi64(_mm512_and_si512(s, row)), bits);
      s = _mm512_ternarylogic_epi64(s, sum, one, 0xf8);  // s | (sum & one)
    }
    _mm512_storeu_si512(states.s[0].data(), s);
    _mm512_mask_storeu_epi64(to, static_cast<__mmask8>(_bzhi_u32(0xff, columns)), s);
  }

  // Four columns in a register, both words of each side by side; two registers.
  struct columns_of_128 {
    // The bit of each column's fingerprint lies in its lower word.
    BLOOMERY_INLINE void add(__m512i row, __m512i f) noexcept {
      const __m512i carry = _mm512_bslli_epi128(_mm512_srli_epi64(s, 63), 8);
      s = _mm512_or_si512(_mm512_add_epi64(s, s), carry);
      const __m512i ones = _mm512_popcnt_epi64(_mm512_and_si512(s, row));
      const __m512i both =
          _mm512_xor_si512(ones, _mm512_shuffle_epi32(ones, _MM_PERM_BADC));
      const __m512i sum = _mm512_xor_si512(both, _mm512_srlv_epi64(f, shifts));
      s = _mm512_ternarylogic_epi64(s, sum, one, 0xf8);  // s | (sum & one)
    }
    __m512i s, shifts;
    __m512i one = _mm512_set_epi64(0, 1, 0, 1, 0, 1, 0, 1);
  };
  static void solve_block(unsigned columns, const u128* c, const std::uint32_t* f,
                          unsigned first, ribbon_states<128>& states,
                          std::byte* to) noexcept {
    const __m512i from = _mm512_set1_epi64(first);
    columns_of_128 a{_mm512_loadu_si512(states.s[0].data()),
                     _mm512_add_epi64(_mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0), from)},
        b{_mm512_loadu_si512(states.s[1].data()),
          _mm512_add_epi64(_mm512_set_epi64(7, 7, 6, 6, 5, 5, 4, 4), from)};
    for (unsigned i = 128; i-- > 0;) {
      const __m512i row = four(c[i]);
      const __m512i bits = _mm512_set1_epi64(static_cast<long long>(f[i]));
      a.add(row, bits);
      b.add(row, bits);
    }
    _mm512_storeu_si512(states.s[0].data(), a.s);
    _mm512_storeu_si512(states.s[1].data(), b.s);
    const unsigned words = _bzhi_u32(0xffff, 2 * columns);
    _mm512_mask_storeu_epi64(to, static_cast<__mmask8>(words), a.s);
    _mm512_mask_storeu_epi64(to + 64, static_cast<__mmask8>(words >> 8), b.s);
  }
};

// A block of eight columns, for ribbon_whole.
struct avx512_line_constants : ribbon_whole_limits {
  std::uint64_t one;
};
struct avx512_line {
  static constexpr avx512_line_constants constants{made_whole_limits(), 1};

  BLOOMERY_INLINE static bool is_equal(const avx512_line_constants& k,
                                       const std::byte* line, std::uint64_t first,
                                       std::uint64_t second,
                                       std::uint64_t fingerprint) noexcept {
    const __m512i x =
        avx512_ribbon::both(_mm512_loadu_si512(line), avx512_ribbon::all(first),
                            _mm512_loadu_si512(line + 64), avx512_ribbon::all(second));
    const auto odd =
        _mm512_test_epi64_mask(_mm512_popcnt_epi64(x), avx512_ribbon::all(k.one));
    return static_cast<std::uint8_t>(odd) == static_cast<std::uint8_t>(fingerprint);
  }
};

using avx512_loops = ribbon_loops_of<avx512_ribbon>;

void query(const ribbon_layout& all, const std::byte* data, const key* ks, std::size_t n,
           bool* out, bool far) noexcept {
  if (!far && all.form() == ribbon_layout::whole_form)
    return ribbon_whole<avx512_line>::query(all, data, ks, n, out);
  std::size_t done = 0;
  if (ribbon_eight::serves(all)) {
    const ribbon_eight eight(all, data);
    done = far ? eight.query<true>(ks, n, out) : eight.query<false>(ks, n, out);
  }
  avx512_loops::query(all, data, ks + done, n - done, out + done, far);
}

}  // namespace

constinit const ribbon_kernel ribbon_avx512 = avx512_loops::table(
    "avx512", query, avx512_loops::one<64, true>, ribbon_whole<avx512_line>::one);

}  // namespace bloomery::kernel
BLOOMERY_TARGET_END
#endif
