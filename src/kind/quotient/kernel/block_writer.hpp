// Fills an empty quotient filter, the runs of one block of quotients after another.
// Compiled for AVX2 and BMI2.
//
// A slot's place is max(the one behind the last, its quotient): with i for the number of
// slots before it, i + the maximum of quotient - i so far.  So no branch depends on the
// lengths of runs, and no slot waits for the one before.
#pragma once

#include "kind/quotient/kernel/bit_matrix.hpp"

#include <bloomery/detail/kind/quotient/words.hpp>

namespace bloomery::kernel {
namespace {

class quotient_block_writer {
 public:
  static constexpr std::size_t max_slots = 768;  // of one call

  // REQUIRES: data is all zero
  quotient_block_writer(const quotient_layout& l, std::byte* data) noexcept
      : layout_(l), words_{data} {}

  // The slots of block `b`, one more each time, as quotient_block_reader has them, with
  // a number above all behind them.  False: there is no room, here or in the filter.
  // REQUIRES: n <= max_slots
  bool write(std::uint64_t b, const std::int32_t* slots, std::size_t n) noexcept {
    const std::uint64_t base = 64 * b;
    const std::uint64_t pushed = free_ > base ? free_ - base : 0;
    if (pushed + n + 64 > ring_slots) return false;
    std::uint64_t occupieds = 0;
    if (n != 0) {
      const unsigned r = layout_.remainder_bits;
      const std::uint32_t low = (std::uint32_t{1} << r) - 1;
      auto most = static_cast<std::int64_t>(pushed);
      auto x = static_cast<std::uint32_t>(slots[0]);
      for (std::size_t i = 0; i < n; ++i) {
        const auto next = static_cast<std::uint32_t>(slots[i + 1]);
        const std::uint32_t q = x >> r;
        occupieds |= std::uint64_t{1} << q;
        most =
            std::max(most, static_cast<std::int64_t>(q) - static_cast<std::int64_t>(i));
        values_[(base + static_cast<std::uint64_t>(most) + i) % ring_slots] =
            (x & low) | std::uint32_t{q != next >> r} << r;
        x = next;
      }
      free_ = base + static_cast<std::uint64_t>(most) + n;
      if (free_ > layout_.slots()) return false;
    }
    words_.set_word(b * layout_.block_words(), occupieds);
    if (free_ > base + 64 && b + 1 < layout_.blocks) set_offset(b + 1);
    flush(b);
    return true;
  }

 private:
  static constexpr std::size_t ring_slots = 1024;

  BLOOMERY_INLINE void set_offset(std::uint64_t b) noexcept {
    const std::uint64_t distance = std::min<std::uint64_t>(255, free_ - 64 * b);
    words_.data[8 * layout_.offsets_at() + b] = static_cast<std::byte>(distance);
  }

  BLOOMERY_INLINE void flush(std::uint64_t b) noexcept {
    std::uint32_t* const from = values_.data() + 64 * b % ring_slots;
    const std::uint64_t at = b * layout_.block_words();
    const unsigned r = layout_.remainder_bits;
    columns_of(from, r + 1, [&](unsigned j, std::uint64_t column) noexcept {
      words_.set_word(at + (j == r ? 1 : 2 + j), column);
    });
    std::memset(from, 0, 64 * sizeof *from);
  }

  quotient_layout layout_;
  plain_words<std::byte> words_;
  std::uint64_t free_ = 0;
  std::array<std::uint32_t, ring_slots> values_{};  // end << r | value
};

}  // namespace
}  // namespace bloomery::kernel
