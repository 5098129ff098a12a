// The bits of block_bits.hpp by NEON (AArch64, little-endian): four lanes a register.
#pragma once

#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/block_bits.hpp>

namespace bloomery::inline v1 {
namespace block_probe {

struct neon {
  // That hold the first words of all lanes.
  template <class Block>
  static constexpr std::size_t registers = Block::lane_bits == 16 ? 1 : Block::lanes / 4;

  template <class Block>
  struct mask {
    uint32x4_t bit[registers<Block>];
    uint32x4_t upper[registers<Block>];  // all ones where the second word is meant
  };

  template <class Block>
  BLOOMERY_INLINE static mask<Block> mask_of(std::uint64_t h) noexcept {
    mask<Block> m;
    if constexpr (Block::lane_bits == 16) {
      m.bit[0] = vreinterpretq_u32_u16(
          vcombine_u16(vmovn_u32(bit_of_16(h, 0)), vmovn_u32(bit_of_16(h, 4))));
      return m;
    }
    for (std::size_t r = 0; r < registers<Block>; ++r) {
      const uint32x4_t x = vmulq_u32(vdupq_n_u32(static_cast<std::uint32_t>(h)),
                                     vld1q_u32(block_salt.data() + 4 * r));
      const uint32x4_t position = Block::lane_bits == 32
                                      ? vshrq_n_u32(x, 27)
                                      : vshrq_n_u32(vshlq_n_u32(x, 1), 27);
      m.bit[r] = vshlq_u32(vdupq_n_u32(1), vreinterpretq_s32_u32(position));
      m.upper[r] = vreinterpretq_u32_s32(vshrq_n_s32(vreinterpretq_s32_u32(x), 31));
    }
    return m;
  }

  template <class Block>
  BLOOMERY_INLINE static bool test(const std::byte* at, const mask<Block>& m) noexcept {
    uint32x4_t missing = vdupq_n_u32(0);
    for (std::size_t r = 0; r < registers<Block>; ++r) {
      uint32x4_t words = load(at + 16 * r);
      if constexpr (Block::lane_bits == 64)
        words = vbslq_u32(m.upper[r], load(at + Block::bytes / 2 + 16 * r), words);
      missing = vorrq_u32(missing, vbicq_u32(m.bit[r], words));
    }
    return vmaxvq_u32(missing) == 0;
  }

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
    for (std::size_t r = 0; r < registers<Block>; ++r) {
      if constexpr (Block::lane_bits == 64) {
        add(at + 16 * r, vbicq_u32(m.bit[r], m.upper[r]));
        add(at + Block::bytes / 2 + 16 * r, vandq_u32(m.bit[r], m.upper[r]));
      } else {
        add(at + 16 * r, m.bit[r]);
      }
    }
  }

  template <class Block>
  BLOOMERY_INLINE static unsigned missing(const std::byte* at, const mask<Block>& m,
                                          std::uint64_t* out) noexcept {
    for (std::size_t r = 0; r < registers<Block>; ++r) {
      if constexpr (Block::lane_bits == 64) {
        constexpr std::size_t half = Block::bytes / 2;
        lacking(at + 16 * r, vbicq_u32(m.bit[r], m.upper[r]), out + 2 * r);
        lacking(at + half + 16 * r, vandq_u32(m.bit[r], m.upper[r]),
                out + half / 8 + 2 * r);
      } else {
        lacking(at + 16 * r, m.bit[r], out + 2 * r);
      }
    }
    unsigned some = 0;
    for (std::size_t w = 0; w < Block::bytes / 8; ++w)
      some |= static_cast<unsigned>(out[w] != 0) << w;
    return some;
  }

 private:
  // The bits of lanes `first` and the three after it.
  BLOOMERY_INLINE static uint32x4_t bit_of_16(std::uint64_t h,
                                              std::size_t first) noexcept {
    const uint32x4_t x = vmulq_u32(vdupq_n_u32(static_cast<std::uint32_t>(h)),
                                   vld1q_u32(block_salt.data() + first));
    return vshlq_u32(vdupq_n_u32(1), vreinterpretq_s32_u32(vshrq_n_u32(x, 28)));
  }
  BLOOMERY_INLINE static void lacking(const std::byte* p, uint32x4_t bits,
                                      std::uint64_t* out) noexcept {
    vst1q_u64(out, vreinterpretq_u64_u32(vbicq_u32(bits, load(p))));
  }
  BLOOMERY_INLINE static uint32x4_t load(const std::byte* p) noexcept {
    return vld1q_u32(reinterpret_cast<const std::uint32_t*>(p));
  }
  BLOOMERY_INLINE static void add(std::byte* p, uint32x4_t bits) noexcept {
    auto* const words = reinterpret_cast<std::uint32_t*>(p);
    vst1q_u32(words, vorrq_u32(vld1q_u32(words), bits));
  }
};

}  // namespace block_probe
}  // namespace bloomery::inline v1

#endif
