// One-key lookups of a ribbon filter for its commonest form: windows of 64 slots and
// eight columns everywhere, so that a block is a line.
//
// Lines come from the second cache and beyond, and keys are independent: as many are on
// their way at once as fit the CPU's queue of instructions, so each instruction counts,
// wherever it stands.  docs/dead_ends.md: what was measured.
//
// Included by ribbon_avx2.cpp and ribbon_avx512.cpp under their target attributes.
//
// Line has:
//   constants   ribbon_whole_limits, or more
//   is_equal(constants, line, first, second, fingerprint)   whether the parities of the
//   eight words
//     of the line under `first`, with those of the next under `second`, are the lowest
//     eight bits of the fingerprint
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <bloomery/detail/kind/ribbon/shape.hpp>
#include <bloomery/detail/probe/words.hpp>

#include "kind/ribbon/kernel/last.hpp"
#include "kind/ribbon/kernel/probe.hpp"

namespace bloomery::kernel {
namespace {

// By eighths of positions in a bucket: the least threshold that passes them on, in the
// highest bits.
struct alignas(64) ribbon_whole_limits {
  std::array<std::uint64_t, 16> least;
};
constexpr ribbon_whole_limits made_whole_limits() noexcept {
  ribbon_whole_limits k{};
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned t = 3; t > 0 && 8 * i < limit_of<64>(t); --t)
      k.least[i] = std::uint64_t{t} << 62;
  return k;
}

template <class Line>
class ribbon_whole {
 public:
  // REQUIRES: all.form() == ribbon_layout::whole_form
  static bool one(const ribbon_layout& all, const std::byte* data,
                  std::uint64_t h) noexcept {
    return is_in(all, data, h);
  }

  // All keys, of a filter in the cache: nothing is fetched ahead.
  static void query(const ribbon_layout& all, const std::byte* data, const key* ks,
                    std::size_t n, bool* out) noexcept {
    for (std::size_t i = 0; i < n; ++i) out[i] = is_in(all, data, ks[i].bits());
  }

 private:
  // Constants of row_of.
  static constexpr std::uint64_t mixer = 0x9e3779b97f4a7c15,
                                 spreader = 0xf1357aea2e62a9c5;
  using constants = std::remove_const_t<decltype(Line::constants)>;
  // Behind a pointer that the compiler cannot look through: operands in memory cost
  // nothing, where it would compute some of these by three instructions, for every key.
  BLOOMERY_INLINE static const constants& loaded() noexcept {
    const constants* k = &Line::constants;
    __asm__("" : "+r"(k));
    return *k;
  }

  BLOOMERY_INLINE static bool is_in(const ribbon_layout& all, const std::byte* data,
                                    std::uint64_t h) noexcept {
    const auto& k = loaded();
    const std::uint64_t product = h * mixer;
    const std::uint64_t slot = slot_in(all.layer[0], h);
    if (is_passed_on(all, k, data, slot)) [[unlikely]]
      return is_in_others(all, data, h);
    return match(k, data + (slot & ~std::uint64_t{63}), slot, product);
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

  BLOOMERY_INLINE static bool match(const constants& k, const std::byte* line,
                                    std::uint64_t slot, std::uint64_t product) noexcept {
    // row_of
    const halves row = multiply(product ^ product >> 32, spreader);
    const std::uint64_t c = row.low | 1;
    // What a shift loses is what a rotation adds: the share of the second block.
    const auto shift = static_cast<int>(slot & 63);
    const std::uint64_t first = c << shift, second = std::rotl(c, shift) ^ first;
    return Line::is_equal(k, line, first, second, row.high);
  }

  // What the first layer passed on, one key in thirty.
  [[gnu::noinline]] static bool is_in_others(const ribbon_layout& all,
                                             const std::byte* data,
                                             std::uint64_t h) noexcept {
    const auto& k = loaded();
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
