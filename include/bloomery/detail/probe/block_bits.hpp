// Which bits of which block a key sets or tests: `portable` is the definition.
//
// The same bits are set and tested by vector instructions in block_avx2.hpp,
// block_avx512.hpp and block_neon.hpp, each a struct named after its instruction set.
// Everything is always inlined, so two translation units with different flags share no
// compiled function and the linker cannot mix them up.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/probe/words.hpp>

namespace bloomery::inline v1 {
namespace block_probe {

// --- what a block looks like ---
template <std::size_t lane_count, std::size_t bits_a_lane>
struct block {
  static constexpr std::size_t lanes = lane_count;
  static constexpr std::size_t lane_bits = bits_a_lane;
  static constexpr std::size_t bytes = lane_count * bits_a_lane / 8;
};
using block_4x64 = block<4, 64>;
using block_8x64 = block<8, 64>;
using block_8x32 = block<8, 32>;
using block_8x16 = block<8, 16>;

// --- which blocks a key falls into ---
BLOOMERY_INLINE std::uint64_t high_product(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using u128 = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<u128>(a) * b) >> 64);
}

// The key of a second line: one whole SplitMix64 step.
BLOOMERY_INLINE std::uint64_t second(std::uint64_t h) noexcept {
  h += 0x9e3779b97f4a7c15;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9;
  h = (h ^ (h >> 27)) * 0x94d049bb133111eb;
  return h ^ (h >> 31);
}

template <class Block, std::size_t blocks_a_key, bool short_index>
struct layout {
  using block = Block;
  static constexpr std::size_t choices = blocks_a_key;
  BLOOMERY_INLINE static std::uint64_t offset(std::uint64_t h,
                                              std::uint64_t blocks) noexcept {
    const std::uint64_t at =
        short_index ? ((h >> 32) * blocks) >> 32 : high_product(h, blocks);
    return at * Block::bytes;
  }
};
using half_line = layout<block_4x64, 1, false>;
using line = layout<block_8x64, 1, false>;
using two_lines = layout<block_8x64, 2, false>;
using split = layout<block_8x32, 1, true>;
using lanes16 = layout<block_8x16, 1, false>;

// --- the definition of the bits ---
struct portable {
  // Where lane j of a key lies: a 32-bit word of the block, and one bit of it.
  template <class Block>
  struct mask {
    std::uint32_t word[Block::lanes];
    std::uint32_t bit[Block::lanes];
  };

  template <class Block>
  BLOOMERY_INLINE static mask<Block> mask_of(std::uint64_t h) noexcept {
    mask<Block> m;
    for (std::uint32_t j = 0; j < Block::lanes; ++j) {
      const std::uint32_t x = static_cast<std::uint32_t>(h) * block_salt[j];
      if constexpr (Block::lane_bits == 64) {
        m.word[j] = j + static_cast<std::uint32_t>(Block::lanes) * (x >> 31);
        m.bit[j] = std::uint32_t{1} << ((x >> 26) & 31);
      } else if constexpr (Block::lane_bits == 16) {
        m.word[j] = j / 2;
        m.bit[j] = std::uint32_t{1} << (16 * (j % 2) + (x >> 28));
      } else {
        m.word[j] = j;
        m.bit[j] = std::uint32_t{1} << (x >> 27);
      }
    }
    return m;
  }

  template <class Block>
  BLOOMERY_INLINE static bool test(const std::byte* at, const mask<Block>& m) noexcept {
    std::uint32_t missing = 0;
    for (std::size_t j = 0; j < Block::lanes; ++j)
      missing |= m.bit[j] & ~words::load_le<std::uint32_t>(at + 4 * m.word[j]);
    return missing == 0;
  }

  // What a lookup decides on: block_avx2.hpp has more than the answer.
  using finding = bool;
  BLOOMERY_INLINE static bool present(finding f) noexcept { return f; }
  BLOOMERY_INLINE static finding both(finding a, finding b) noexcept { return a & b; }
  template <class Block>
  BLOOMERY_INLINE static finding look(const std::byte* at,
                                      const mask<Block>& m) noexcept {
    return test<Block>(at, m);
  }

  template <class Block>
  BLOOMERY_INLINE static void set(std::byte* at, const mask<Block>& m) noexcept {
    for (std::size_t j = 0; j < Block::lanes; ++j) {
      std::byte* const p = at + 4 * m.word[j];
      words::store(p, words::load<std::uint32_t>(p) | words::as_little_endian(m.bit[j]));
    }
  }

  // The key's bits that are not set, by 64-bit words of the block (little-endian); bit w
  // of the result: word w lacks some.
  template <class Block>
  BLOOMERY_INLINE static unsigned missing(const std::byte* at, const mask<Block>& m,
                                          std::uint64_t* out) noexcept {
    for (std::size_t w = 0; w < Block::bytes / 8; ++w) out[w] = 0;
    unsigned some = 0;
    for (std::size_t j = 0; j < Block::lanes; ++j) {
      const std::uint32_t bit =
          m.bit[j] & ~words::load_le<std::uint32_t>(at + 4 * m.word[j]);
      out[m.word[j] / 2] |= std::uint64_t{bit} << 32 * (m.word[j] % 2);
      some |= static_cast<unsigned>(bit != 0) << m.word[j] / 2;
    }
    return some;
  }
};

}  // namespace block_probe
}  // namespace bloomery::inline v1
