// The fingerprints of a quotient filter in ascending order, with their counts.
//
// Bytes that no writer wrote (those of a mapped file are not checked as a whole) give
// other fingerprints, possibly not ascending; nothing is read beyond the payload.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/quotient/probe.hpp>
#include <bloomery/detail/kind/quotient/words.hpp>

#include "kind/quotient/values.hpp"

namespace bloomery::inline v1 {

class quotient_cursor {
 public:
  quotient_cursor(const quotient_layout& l, const std::byte* data) noexcept
      : layout_(l), words_{data}, left_(words_.word(0)) {
    decoded_.fill(~std::uint64_t{0});
  }

  std::uint64_t fingerprint() const noexcept { return fingerprint_; }
  std::uint64_t count() const noexcept { return count_; }
  // The first and last slot of the run that the fingerprint lies in.
  std::uint64_t first() const noexcept { return first_; }
  std::uint64_t last() const noexcept { return last_; }

  // Moves to the next fingerprint; false if there is none.
  BLOOMERY_INLINE bool next() noexcept {
    if (at_ == free_ && !next_run()) return false;
    const std::uint32_t x = value(at_);
    fingerprint_ = quotient_ << layout_.remainder_bits | x;
    ++at_;
    count_ = 1;
    if (at_ < free_ && value(at_) == x) [[unlikely]]
      count_copies(x);
    return true;
  }

 private:
  BLOOMERY_INLINE bool next_run() noexcept {
    while (left_ == 0) {
      if (++block_ >= layout_.blocks) return false;
      left_ = words_.word(block_ * layout_.block_words());
    }
    quotient_ = 64 * block_ + static_cast<unsigned>(std::countr_zero(left_));
    left_ &= left_ - 1;
    const std::uint64_t start = std::max(free_, quotient_);
    if (start >= layout_.slots()) return false;
    std::uint64_t b = start / 64;
    std::uint64_t ends = words_.word(b * layout_.block_words() + 1) & ~std::uint64_t{0}
                                                                          << (start % 64);
    while (ends == 0) {
      if (++b >= layout_.blocks) return false;
      ends = words_.word(b * layout_.block_words() + 1);
    }
    last_ = 64 * b + static_cast<unsigned>(std::countr_zero(ends));
    at_ = first_ = start;
    free_ = last_ + 1;
    return true;
  }

  BLOOMERY_INLINE std::uint32_t value(std::uint64_t slot) noexcept {
    const std::uint64_t b = slot / 64;
    if (decoded_[b % 2] != b) [[unlikely]]
      decode(b);
    return values_[b % 2][slot % 64];
  }
  void decode(std::uint64_t b) noexcept {
    const std::uint64_t at = b * layout_.block_words() + 2;
    values_of(
        layout_.remainder_bits, [&](unsigned j) noexcept { return words_.word(at + j); },
        values_[b % 2]);
    decoded_[b % 2] = b;
  }

  void count_copies(std::uint32_t x) noexcept {
    count_ = 2;
    ++at_;
    if (at_ == free_ || value(at_) != x) return;
    ++at_;
    const unsigned digit_bits = layout_.remainder_bits - 1;
    std::uint64_t more = 0, digit = 0;
    unsigned shift = 0;
    for (bool is_last = false; !is_last && at_ < free_; shift += digit_bits) {
      digit = value(at_++);
      if (shift < 48) more |= (digit & ((std::uint64_t{1} << digit_bits) - 1)) << shift;
      is_last = digit >> digit_bits == 0;
    }
    count_ = std::min(3 + more, quotient_layout::max_count);
  }

  quotient_layout layout_;
  plain_words<const std::byte> words_;
  std::uint64_t block_ = 0, left_;  // quotients of the block that were not visited
  std::uint64_t quotient_ = 0, first_ = 0, last_ = 0;
  std::uint64_t at_ = 0, free_ = 0;  // the next slot; the one behind the run
  std::uint64_t fingerprint_ = 0, count_ = 0;
  std::array<slot_values, 2> values_;
  std::array<std::uint64_t, 2> decoded_;
};

}  // namespace bloomery::inline v1
