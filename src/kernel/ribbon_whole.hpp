// One-key lookups of a ribbon filter by AVX2, for its commonest form: windows of 64 slots
// and eight columns everywhere, so that a block is a line.
//
// Lines come from the second cache and beyond, and keys are independent: as many are on
// their way at once as fit the CPU's queue of instructions, so each instruction counts,
// wherever it stands.  docs/dead_ends.md: what was measured.
//
// Included by ribbon_avx2.cpp under its target attributes.
#pragma once

#include <immintrin.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/words.hpp>
#include <bloomery/ribbon_shape.hpp>

#include "kernel/ribbon_last.hpp"
#include "kernel/ribbon_probe.hpp"

namespace bloomery::kernel {
namespace {

struct alignas(64) ribbon_whole_constants {
  std::array<std::uint8_t, 32> nibble;
  std::array<std::uint8_t, 32> parity;  // of a nibble, as a sign; twice
  std::array<std::uint32_t, 8> bytes;   // times this: the highest byte is their sum
  // By eighths of positions in a bucket: the least threshold that passes them on, in
  // the highest bits.
  std::array<std::uint64_t, 16> least;
  // Columns in the order in which `match` meets them: 0, 1, 4, 5, 2, 3, 6, 7.
  std::array<std::uint8_t, 256> order;
};
constexpr ribbon_whole_constants made_whole_constants() noexcept {
  ribbon_whole_constants k{};
  for (unsigned i = 0; i < 32; ++i) {
    k.nibble[i] = 15;
    k.parity[i] = std::popcount(i % 16) % 2 != 0 ? 0x80 : 0;
  }
  k.bytes.fill(0x01010101);
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned t = 3; t > 0 && 8 * i < limit_of<64>(t); --t)
      k.least[i] = std::uint64_t{t} << 62;
  for (unsigned f = 0; f < 256; ++f)
    k.order[f] =
        static_cast<std::uint8_t>((f & 0xc3) | (f & 0x0c) << 2 | (f & 0x30) >> 2);
  return k;
}
constexpr ribbon_whole_constants whole_constants = made_whole_constants();

class ribbon_whole {
 public:
  // REQUIRES: all.form() == ribbon_layout::whole_form
  static bool one(const ribbon_layout& all, const std::byte* data,
                  std::uint64_t h) noexcept {
    const constants& k = loaded();
    const std::uint64_t product = h * mixer;
    const std::uint64_t slot = slot_in(all.layer[0], h);
    if (is_passed_on(all, k, data, slot)) [[unlikely]]
      return is_in_others(all, data, h);
    return match(k, data + (slot & ~std::uint64_t{63}), slot, product);
  }

 private:
  using constants = ribbon_whole_constants;
  // Of row_of.
  static constexpr std::uint64_t mixer = 0x9e3779b97f4a7c15,
                                 spreader = 0xf1357aea2e62a9c5;
  // Behind a pointer that the compiler cannot look through: operands in memory cost
  // nothing, where it would compute some of these by three instructions, for every key.
  BLOOMERY_INLINE static const constants& loaded() noexcept {
    const constants* k = &whole_constants;
    __asm__("" : "+r"(k));
    return *k;
  }

  struct halves {
    std::uint64_t high, low;
  };
  // As the type of 128 bits does it, which GCC 12 keeps in pairs of registers: eight
  // more instructions that move and save them.
  BLOOMERY_INLINE static halves multiply(std::uint64_t a, std::uint64_t b) noexcept {
    halves product;
    __asm__("mulx %3, %1, %0" : "=r"(product.high), "=r"(product.low) : "d"(a), "rm"(b));
    return product;
  }

  // start_in
  BLOOMERY_INLINE static std::uint64_t slot_in(const ribbon_layer& l,
                                               std::uint64_t h) noexcept {
    const halves segment = multiply(h, l.segments);
    return segment.high * l.segment_slots + multiply(segment.low, l.starts).high;
  }
  // The two bits of the bucket become the highest ones, so that those of others below
  // them do not matter.  Slots are counted from the first layer's first bucket on.
  BLOOMERY_INLINE static bool is_passed_on(const ribbon_layout& all, const constants& k,
                                           const std::byte* data,
                                           std::uint64_t slot) noexcept {
    const std::byte* thresholds = data + all.thresholds_at;
    __asm__("" : "+r"(thresholds));  // one address, with an index
    const auto some = words::load_anywhere<std::uint64_t>(thresholds + 8 * (slot >> 12));
    return some << (~(slot >> 6) & 62) >= k.least[slot / 8 % 16];
  }

  BLOOMERY_INLINE static __m256i load(const void* p) noexcept {
    return _mm256_loadu_si256(static_cast<const __m256i*>(p));
  }
  BLOOMERY_INLINE static __m256i all_of(std::uint64_t x) noexcept {
    return _mm256_set1_epi64x(static_cast<long long>(x));
  }
  BLOOMERY_INLINE static bool match(const constants& k, const std::byte* line,
                                    std::uint64_t slot, std::uint64_t product) noexcept {
    // row_of
    const halves row = multiply(product ^ product >> 32, spreader);
    const std::uint64_t c = row.low | 1;
    // What a shift loses is what a rotation adds: the share of the second block.
    const auto shift = static_cast<int>(slot & 63);
    const std::uint64_t first = c << shift, second = std::rotl(c, shift) ^ first;
    const __m256i low = all_of(first), high = all_of(second);
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
    return static_cast<std::uint8_t>(odd) == k.order[row.high & 0xff];
  }

  // What the first layer passed on, one key in thirty.
  [[gnu::noinline]] static bool is_in_others(const ribbon_layout& all,
                                             const std::byte* data,
                                             std::uint64_t h) noexcept {
    const constants& k = loaded();
    for (std::size_t i = 1; i < all.layers; ++i) {
      h = next_hash(h);
      const ribbon_layer& l = all.layer[i];
      const std::uint64_t slot = slot_in(l, h);
      if (!is_passed_on(all, k, data, slot + 128 * l.first_bucket)) [[likely]]
        return match(k, data + l.at + (slot & ~std::uint64_t{63}), slot, h * mixer);
    }
    return may_contain_last(all, data, next_hash(h));
  }
};

}  // namespace
}  // namespace bloomery::kernel
