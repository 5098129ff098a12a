// The bits of block_bits.hpp by AVX2.  Empty unless the caller, or a kernel's target
// attributes, allow it.
//
// The sign bit of x = low32(h) * salt is bit 5 of a lane's position: it selects the word
// of the pair in one blend, without a second mask.
#pragma once

#if defined(__AVX2__) || defined(BLOOMERY_KERNEL_AVX2)
#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {
namespace block_probe {

struct avx2 {
  alignas(32) static constexpr std::array<std::uint32_t, 8> ones{1, 1, 1, 1, 1, 1, 1, 1};
  alignas(32) static constexpr std::array<std::uint32_t, 8> thirty_twos{32, 32, 32, 32,
                                                                        32, 32, 32, 32};

  // What a lookup decides on: whether `words` have all of `bits`.  The lookups of several
  // profiles meet here, before the test, so that its carry flag is the caller's branch or
  // summand; a bool that several branches make is copied, widened and tested again, which
  // took a quarter of a lookup (docs/dead_ends.md, "Four bools").
  struct finding {
    __m256i words, bits;
  };
  BLOOMERY_INLINE static bool present(const finding& f) noexcept {
    return _mm256_testc_si256(f.words, f.bits) != 0;
  }
  BLOOMERY_INLINE static finding both(const finding& a, const finding& b) noexcept {
    return {_mm256_setzero_si256(), (~a.words & a.bits) | (~b.words & b.bits)};
  }

  struct lanes4 {
    using vector = __m128i;
    struct pair {
      vector low, high;
    };
    // Stores of this type cannot alias the members of a filter, so a loop of inserts
    // keeps the filter's fields in registers.  (__m128i may alias everything.)
    using words [[gnu::vector_size(16)]] = std::uint32_t;

    BLOOMERY_INLINE static vector load(const void* p) noexcept {
      return _mm_loadu_si128(static_cast<const vector*>(p));
    }
    BLOOMERY_INLINE static vector one() noexcept {
      vector v;
      asm("vmovdqa {%1, %0|%0, %1}"
          : "=x"(v)
          : "m"(*reinterpret_cast<const vector*>(ones.data())));
      return v;
    }
    BLOOMERY_INLINE static vector spread(std::uint64_t h) noexcept {
      return _mm_set1_epi32(static_cast<int>(h));
    }
    BLOOMERY_INLINE static vector spread(const key* k) noexcept {
      return _mm_broadcastd_epi32(_mm_loadu_si32(k));
    }
    BLOOMERY_INLINE static vector product(vector low) noexcept {
      return _mm_mullo_epi32(low, load(block_salt.data()));
    }
    BLOOMERY_INLINE static vector bit_of(vector x) noexcept {
      return _mm_sllv_epi32(one(), _mm_srli_epi32(_mm_slli_epi32(x, 1), 27));
    }
    // The bits of the first words, and of the second.
    BLOOMERY_INLINE static pair bits_of(vector x) noexcept {
      const vector bit = bit_of(x), upper = _mm_srai_epi32(x, 31);
      return {~upper & bit, upper & bit};
    }
    BLOOMERY_INLINE static __m256i widened(vector v) noexcept {
      return _mm256_zextsi128_si256(v);
    }
    BLOOMERY_INLINE static vector select(vector low, vector high, vector sign) noexcept {
      return _mm_castps_si128(_mm_blendv_ps(_mm_castsi128_ps(low), _mm_castsi128_ps(high),
                                            _mm_castsi128_ps(sign)));
    }
    BLOOMERY_INLINE static bool covers(vector v, vector bits) noexcept {
      return _mm_testc_si128(v, bits) != 0;
    }
    BLOOMERY_INLINE static unsigned nonzero_words(vector v) noexcept {
      const vector zero = _mm_cmpeq_epi64(v, _mm_setzero_si128());
      return static_cast<unsigned>(_mm_movemask_pd(_mm_castsi128_pd(zero))) ^ 3u;
    }
  };

  struct lanes8 {
    using vector = __m256i;
    struct pair {
      vector low, high;
    };
    using words [[gnu::vector_size(32)]] = std::uint32_t;

    BLOOMERY_INLINE static vector load(const void* p) noexcept {
      return _mm256_loadu_si256(static_cast<const vector*>(p));
    }
    // GCC 12 would otherwise build it anew from an integer for every key, where the
    // branch to here is rarely taken.
    BLOOMERY_INLINE static vector one() noexcept {
      vector v;
      asm("vmovdqa {%1, %0|%0, %1}"
          : "=x"(v)
          : "m"(*reinterpret_cast<const vector*>(ones.data())));
      return v;
    }
    BLOOMERY_INLINE static vector spread(std::uint64_t h) noexcept {
      return _mm256_set1_epi32(static_cast<int>(h));
    }
    BLOOMERY_INLINE static vector spread(const key* k) noexcept {
      return _mm256_broadcastd_epi32(_mm_loadu_si32(k));
    }
    BLOOMERY_INLINE static vector product(vector low) noexcept {
      return _mm256_mullo_epi32(low, load(block_salt.data()));
    }
    BLOOMERY_INLINE static vector bit_of(vector x) noexcept {
      return _mm256_sllv_epi32(one(), _mm256_srli_epi32(_mm256_slli_epi32(x, 1), 27));
    }
    // A shift by 32 or more leaves nothing.
    BLOOMERY_INLINE static pair bits_of(vector x) noexcept {
      const vector at = _mm256_srli_epi32(x, 26), bit = one();
      return {_mm256_sllv_epi32(bit, at),
              _mm256_sllv_epi32(bit, at ^ load(thirty_twos.data()))};
    }
    BLOOMERY_INLINE static __m256i widened(vector v) noexcept { return v; }
    BLOOMERY_INLINE static vector bit_of_32(vector x) noexcept {
      return _mm256_sllv_epi32(one(), _mm256_srli_epi32(x, 27));
    }
    BLOOMERY_INLINE static vector select(vector low, vector high, vector sign) noexcept {
      return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(low),
                                                  _mm256_castsi256_ps(high),
                                                  _mm256_castsi256_ps(sign)));
    }
    BLOOMERY_INLINE static bool covers(vector v, vector bits) noexcept {
      return _mm256_testc_si256(v, bits) != 0;
    }
    BLOOMERY_INLINE static unsigned nonzero_words(vector v) noexcept {
      const vector zero = _mm256_cmpeq_epi64(v, _mm256_setzero_si256());
      return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(zero))) ^ 15u;
    }
  };

  // Eight products, whose bits are then packed into one register of 16-bit lanes.
  struct lanes8x16 : lanes4 {
    BLOOMERY_INLINE static __m256i spread(std::uint64_t h) noexcept {
      return lanes8::spread(h);
    }
    BLOOMERY_INLINE static __m256i spread(const key* k) noexcept {
      return lanes8::spread(k);
    }
    BLOOMERY_INLINE static __m256i product(__m256i low) noexcept {
      return lanes8::product(low);
    }
    BLOOMERY_INLINE static vector bit_of(__m256i x) noexcept {
      const __m256i wide = _mm256_sllv_epi32(lanes8::one(), _mm256_srli_epi32(x, 28));
      return _mm_packus_epi32(_mm256_castsi256_si128(wide),
                              _mm256_extracti128_si256(wide, 1));
    }
  };

  template <class Block>
  using ops =
      std::conditional_t<Block::lanes == 4, lanes4,
                         std::conditional_t<Block::lane_bits == 16, lanes8x16, lanes8>>;

  template <class Block>
  struct mask {
    typename ops<Block>::vector bit;
    typename ops<Block>::vector x;  // its sign bits select the word
  };

  template <class Block>
  BLOOMERY_INLINE static mask<Block> mask_of(std::uint64_t h) noexcept {
    return mask_from<Block>(ops<Block>::spread(h));
  }
  // One load spreads a key that lies in memory; from a register it takes two shuffles.
  template <class Block>
  BLOOMERY_INLINE static mask<Block> mask_at(const key* k) noexcept {
    return mask_from<Block>(ops<Block>::spread(k));
  }
  template <class Block, class Vector>
  BLOOMERY_INLINE static mask<Block> mask_from(Vector low) noexcept {
    using op = ops<Block>;
    const auto x = op::product(low);
    if constexpr (Block::lane_bits == 32)
      return {op::bit_of_32(x), x};
    else if constexpr (Block::lane_bits == 16)
      return {op::bit_of(x), _mm_setzero_si128()};
    else
      return {op::bit_of(x), x};
  }

  template <class Block>
  BLOOMERY_INLINE static bool test(const std::byte* at, const mask<Block>& m) noexcept {
    return ops<Block>::covers(words_of<Block>(at, m), m.bit);
  }
  template <class Block>
  BLOOMERY_INLINE static finding look(const std::byte* at,
                                      const mask<Block>& m) noexcept {
    using op = ops<Block>;
    return {op::widened(words_of<Block>(at, m)), op::widened(m.bit)};
  }

  template <class Block>
  BLOOMERY_INLINE static void set(std::byte* at, const mask<Block>& m) noexcept {
    using op = ops<Block>;
    if constexpr (Block::lane_bits != 64) {
      add<Block>(at, m.bit);
    } else {
      const auto bits = op::bits_of(m.x);
      add<Block>(at, bits.low);
      add<Block>(at + Block::bytes / 2, bits.high);
    }
  }

  template <class Block>
  BLOOMERY_INLINE static unsigned missing(const std::byte* at, const mask<Block>& m,
                                          std::uint64_t* out) noexcept {
    using op = ops<Block>;
    if constexpr (Block::lane_bits != 64) {
      return missing_of<Block>(at, m.bit, out);
    } else {
      constexpr std::size_t half = Block::bytes / 2;
      const auto bits = op::bits_of(m.x);
      return missing_of<Block>(at, bits.low, out) |
             missing_of<Block>(at + half, bits.high, out + half / 8) << half / 8;
    }
  }

 private:
  // The word of each lane that the key's bit lies in.
  template <class Block>
  BLOOMERY_INLINE static auto words_of(const std::byte* at,
                                       const mask<Block>& m) noexcept {
    using op = ops<Block>;
    if constexpr (Block::lane_bits != 64)
      return op::load(at);
    else
      return op::select(op::load(at), op::load(at + Block::bytes / 2), m.x);
  }
  template <class Block>
  BLOOMERY_INLINE static unsigned missing_of(const std::byte* at,
                                             typename ops<Block>::vector bits,
                                             std::uint64_t* out) noexcept {
    const auto lacks = ~ops<Block>::load(at) & bits;
    __builtin_memcpy(out, &lacks, sizeof lacks);
    return ops<Block>::nonzero_words(lacks);
  }
  template <class Block>
  BLOOMERY_INLINE static void add(std::byte* at,
                                  typename ops<Block>::vector bits) noexcept {
    using words = typename ops<Block>::words;
    const auto all = ops<Block>::load(at) | bits;
    *reinterpret_cast<words*>(at) = reinterpret_cast<words>(all);
  }
};

}  // namespace block_probe
}  // namespace bloomery::inline v1

#endif
