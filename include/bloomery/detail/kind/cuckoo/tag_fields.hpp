// Four tags of f bits in one machine word, compared all at once.
//
// A bucket of the cuckoo filter is such a word: 64 bits for tags of up to 16, otherwise
// 128.  A slot is named by the number of its lowest bit in the word (0, f, 2f, 3f).  Bits
// above the fourth field are not looked at.  0 is an empty slot.
//
// Width: narrow_tags or wide_tags, with f known at run time; fixed_tags<f>, otherwise.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include <bloomery/detail/probe/words.hpp>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bloomery::inline v1 {

__extension__ using tag_word_128 = unsigned __int128;

struct narrow_tags {
  using word = std::uint64_t;
  std::uint32_t bits;  // up to 16
};
struct wide_tags {
  using word = tag_word_128;
  std::uint32_t bits;  // 17 .. 32
};
template <std::uint32_t f>
struct fixed_tags {
  using word = std::conditional_t<f <= 16, std::uint64_t, tag_word_128>;
  static constexpr std::uint32_t bits = f;
};

template <class Width>
struct tag_fields {
  using word = typename Width::word;

  static constexpr bool is_fixed = std::is_empty_v<Width>;
  // Whether a fourth field ends below the highest bit of the word.
  static constexpr bool has_spare_bit = [] {
    if constexpr (is_fixed) return 4 * Width::bits < 8 * sizeof(word);
    return false;
  }();

  [[no_unique_address]] Width width;

  constexpr std::uint32_t bits() const noexcept { return width.bits; }
  constexpr word ones() const noexcept {
    const word pair = 1 | word{1} << bits();
    return pair | pair << (2 * bits());
  }
  constexpr word highs() const noexcept { return ones() << (bits() - 1); }
  constexpr word mask() const noexcept { return (word{1} << bits()) - 1; }

  // y - 1 borrows into the highest bit of a field that is 0.  A borrow may go further,
  // into the fields above that one: so this finds whether there is such a field, not
  // which.
  BLOOMERY_INLINE constexpr word zeros_from_first(word y) const noexcept {
    return (y - ones()) & ~y & highs();
  }
  BLOOMERY_INLINE constexpr word differences(word x, std::uint32_t tag) const noexcept {
    return x ^ ones() * tag;
  }
  BLOOMERY_INLINE constexpr bool has(word x, std::uint32_t tag) const noexcept {
    return zeros_from_first(differences(x, tag)) != 0;
  }
  // Whether one of two buckets has the tag.
  BLOOMERY_INLINE bool has(word x, word y, std::uint32_t tag) const noexcept {
#if defined(__SSE2__)
    if constexpr (is_fixed && sizeof(word) == 8) return has_by_sse2(x, y, tag);
#endif
    return (zeros_from_first(differences(x, tag)) |
            zeros_from_first(differences(y, tag))) != 0;
  }

  // The highest bit of every field that holds the tag, and no other bit: without carries.
  BLOOMERY_INLINE constexpr word equal(word x, std::uint32_t tag) const noexcept {
    const word y = differences(x, tag), low = highs() - ones();
    return ~(((y & low) + low) | y) & highs();
  }
  BLOOMERY_INLINE constexpr word empty(word x) const noexcept { return equal(x, 0); }
  BLOOMERY_INLINE constexpr bool is_full(word x) const noexcept {
    return zeros_from_first(x) == 0;
  }
  // In all slots of both buckets.
  BLOOMERY_INLINE constexpr bool fills(word x, word y, std::uint32_t tag) const noexcept {
    const word other = differences(x, tag) | differences(y, tag);
    return other << (8 * sizeof(word) - 4 * bits()) == 0;
  }
  // The first empty slot; more than any slot if there is none.
  BLOOMERY_INLINE constexpr unsigned first_empty(word x) const noexcept {
    const word zeros = zeros_from_first(x);  // the lowest bit of it is right
    constexpr unsigned word_bits = 8 * sizeof(word);
    if constexpr (has_spare_bit) return first(zeros | word{1} << (word_bits - 1));
    return zeros == 0 ? word_bits : first(zeros);
  }

  // The first slot of such a set.  REQUIRES: it is not empty
  BLOOMERY_INLINE constexpr unsigned first(word set) const noexcept {
    return low_zeros(set) - (bits() - 1);
  }
  BLOOMERY_INLINE static constexpr unsigned size(word set) noexcept {
    if constexpr (sizeof(word) == 8)
      return static_cast<unsigned>(std::popcount(set));
    else
      return static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(set)) +
                                   std::popcount(static_cast<std::uint64_t>(set >> 64)));
  }

  BLOOMERY_INLINE constexpr std::uint32_t get(word x, unsigned slot) const noexcept {
    return static_cast<std::uint32_t>(x >> slot & mask());
  }

 private:
#if defined(__SSE2__)
  // The same for both words at once.  What follows from a load that misses the cache
  // waits in a queue, which is shorter than the list of lookups that could be on their
  // way: so it is half as much, and of the vector units, whose queue is otherwise empty.
  BLOOMERY_INLINE bool has_by_sse2(word x, word y, std::uint32_t tag) const noexcept {
    const auto both = [](word a) noexcept {
      return _mm_set1_epi64x(static_cast<long long>(a));
    };
    // One multiplication: compilers would have it be three shifts and additions.
    word copies = ones();
    asm("" : "+r"(copies));
    const __m128i buckets =
        _mm_set_epi64x(static_cast<long long>(y), static_cast<long long>(x));
    const __m128i z = _mm_xor_si128(buckets, both(copies * tag));
    const __m128i found =
        _mm_and_si128(_mm_andnot_si128(z, _mm_sub_epi64(z, both(ones()))), both(highs()));
    return _mm_movemask_epi8(_mm_cmpeq_epi8(found, _mm_setzero_si128())) != 0xffff;
  }
#endif

  BLOOMERY_INLINE static constexpr unsigned low_zeros(word set) noexcept {
    // Not std::countr_zero, which also answers for 0, and branches to do so.
    const auto low = static_cast<std::uint64_t>(set);
    if constexpr (sizeof(word) == 16)
      if (low == 0)
        return 64 + static_cast<unsigned>(
                        __builtin_ctzll(static_cast<std::uint64_t>(set >> 64)));
    return static_cast<unsigned>(__builtin_ctzll(low));
  }
};

// use(Width) for tags of f bits; the usual widths are known when `use` is compiled.
template <class Use>
BLOOMERY_INLINE auto with_tag_width(std::uint32_t f, Use use) noexcept {
  switch (f) {
    case 8:
      return use(fixed_tags<8>{});
    case 12:
      return use(fixed_tags<12>{});
    case 16:
      return use(fixed_tags<16>{});
    default:
      return f < 16 ? use(narrow_tags{f}) : use(wide_tags{f});
  }
}

// The same for tags of up to 12 bits.
template <class Use>
BLOOMERY_INLINE auto with_short_tag_width(std::uint32_t f, Use use) noexcept {
  if (f == 12) [[likely]]
    return use(fixed_tags<12>{});
  return f == 8 ? use(fixed_tags<8>{}) : use(narrow_tags{f});
}

}  // namespace bloomery::inline v1
