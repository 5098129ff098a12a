// Fills an empty quotient filter with fingerprints in ascending order: from one end to
// the other, a block at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/quotient/probe.hpp>
#include <bloomery/detail/kind/quotient/words.hpp>

#include "kind/quotient/values.hpp"

namespace bloomery::inline v1 {

class quotient_writer {
 public:
  // REQUIRES: data is all zero
  quotient_writer(const quotient_layout& l, std::byte* data) noexcept
      : layout_(l), words_{data} {}

  // False: there is no room, or no such count or fingerprint, or it is not greater than
  // the one before.  The filter is then of no use.  REQUIRES: count >= 1
  BLOOMERY_INLINE bool add(std::uint64_t fingerprint, std::uint64_t count) noexcept {
    const std::uint64_t q = fingerprint >> layout_.remainder_bits;
    const auto x = static_cast<std::uint32_t>(
        fingerprint & ((std::uint64_t{1} << layout_.remainder_bits) - 1));
    const std::uint64_t at = std::max(free_, q);
    // No branch on the length of runs: what is done is the same within a block.
    if (fingerprint < min_fingerprint_ || q / 64 != block_ || at / 64 != slot_block_ ||
        free_ == 0) [[unlikely]] {
      if (!go_to(fingerprint)) return false;
    } else {
      ends_ |= std::uint64_t{q != quotient_} << ((free_ - 1) % 64);
      free_ = at;
    }
    occupieds_ |= std::uint64_t{1} << (q % 64);
    quotient_ = q;
    min_fingerprint_ = fingerprint + 1;
    values_[free_++ % 64] = x;
    return count == 1 || add_copies(x, count);
  }

  void finish() noexcept {
    end_run();
    store_occupieds();
    while (++block_ < layout_.blocks) set_offset(block_);
    if (slot_block_ < layout_.blocks) flush();
  }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  BLOOMERY_INLINE bool put(std::uint32_t x) noexcept {
    if (free_ == 64 * (slot_block_ + 1)) {
      flush();
      if (++slot_block_ == layout_.blocks) return false;
    }
    values_[free_++ % 64] = x;
    return true;
  }

  BLOOMERY_INLINE void end_run() noexcept {
    if (quotient_ == none) return;
    ends_ |= std::uint64_t{1} << ((free_ - 1) % 64);
  }

  // Moves to another block of quotients, or of slots.
  [[gnu::noinline]] bool go_to(std::uint64_t fingerprint) noexcept {
    if (fingerprint < min_fingerprint_ || fingerprint >= layout_.fingerprints())
      return false;
    const std::uint64_t q = fingerprint >> layout_.remainder_bits;
    if (q != quotient_) end_run();
    for (; block_ < q / 64; set_offset(block_)) {
      store_occupieds();
      ++block_;
    }
    free_ = std::max(free_, q);
    if (free_ / 64 != slot_block_) {
      flush();
      slot_block_ = free_ / 64;
    }
    return slot_block_ < layout_.blocks;
  }

  void store_occupieds() noexcept {
    words_.set_word(block_ * layout_.block_words(), occupieds_);
    occupieds_ = 0;
  }
  void set_offset(std::uint64_t b) noexcept {
    if (free_ <= 64 * b) return;
    const std::uint64_t i = layout_.offsets_at() + b / 8;
    const std::uint64_t distance = std::min<std::uint64_t>(255, free_ - 64 * b);
    words_.set_word(i, words_.word(i) | distance << (8 * (b % 8)));
  }

  void flush() noexcept {
    const std::uint64_t at = slot_block_ * layout_.block_words();
    words_.set_word(at + 1, ends_);
    columns_of(layout_.remainder_bits, values_,
               [&](unsigned j, std::uint64_t column) noexcept {
                 words_.set_word(at + 2 + j, column);
               });
    ends_ = 0;
    values_.fill(0);
  }

  // After the first.
  [[gnu::noinline]] bool add_copies(std::uint32_t x, std::uint64_t count) noexcept {
    if (count > quotient_layout::max_count) return false;
    if (!put(x)) return false;
    if (count == 2) return true;
    if (!put(x)) return false;
    const unsigned digit_bits = layout_.remainder_bits - 1;
    const std::uint64_t low = (std::uint64_t{1} << digit_bits) - 1;
    std::uint64_t more = count - 3;
    for (;; more >>= digit_bits) {
      const bool is_last = more >> digit_bits == 0;
      const std::uint64_t digit = (more & low) | (is_last ? 0 : low + 1);
      if (!put(static_cast<std::uint32_t>(digit))) return false;
      if (is_last) return true;
    }
  }

  quotient_layout layout_;
  plain_words<std::byte> words_;
  std::uint64_t min_fingerprint_ = 0;  // the fingerprints that may come
  std::uint64_t quotient_ = none;
  std::uint64_t block_ = 0, occupieds_ = 0;  // of the quotient
  std::uint64_t slot_block_ = 0, ends_ = 0;  // of the next slot
  std::uint64_t free_ = 0;
  slot_values values_{};
};

}  // namespace bloomery::inline v1
