// The fingerprints of a quotient filter in ascending order, with their counts: fast.
//
// Blocks are decoded whole, into one number per slot in use, without a branch that
// depends on the length of a run.  Which quotient a slot belongs to follows from
// counting: each end of a run goes on to the next occupied quotient, and a slot is in use
// if that is not behind it.
//
// Bytes that no writer wrote (those of a mapped file are not checked as a whole) give
// other fingerprints, possibly not ascending; nothing is read beyond the payload.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <bloomery/detail/kind/quotient/probe.hpp>
#include <bloomery/detail/kind/quotient/words.hpp>

#include "kind/quotient/values.hpp"

namespace bloomery::inline v1 {

class quotient_stream {
 public:
  // A fingerprint of no filter.
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  quotient_stream(const quotient_layout& l, const std::byte* data) noexcept
      : layout_(l), words_{data}, left_(words_.word(0)) {
    find_quotient();
    refill();
  }

  // The next fingerprint, or `none`.
  std::uint64_t top() const noexcept { return slots_[at_]; }
  // The next slots, up to `safe_end`, behind which there is one more: a fingerprint that
  // differs from the next slot has one copy, and may be skipped.
  const std::uint64_t* next() const noexcept { return slots_.data() + at_; }
  const std::uint64_t* safe_end() const noexcept { return slots_.data() + safe_; }
  void skip_to(const std::uint64_t* p) noexcept {
    at_ = static_cast<std::size_t>(p - slots_.data());
  }

  // The copies of the next fingerprint, which is then behind us.  REQUIRES: there is one
  BLOOMERY_INLINE std::uint64_t take() noexcept {
    if (at_ >= safe_) [[unlikely]]
      refill();
    const std::uint64_t f = slots_[at_++];
    const std::uint64_t count = slots_[at_] != f ? 1 : take_copies(f);
    if (at_ == n_) [[unlikely]]
      refill();
    return count;
  }

 private:
  // The longest group, in slots: three, and 48 digits of one bit.
  static constexpr std::size_t lookahead = 64, room = 4 * 64;

  void refill() noexcept {
    n_ -= at_;
    std::memmove(slots_.data(), slots_.data() + at_, n_ * sizeof slots_[0]);
    at_ = 0;
    while (n_ <= 2 * lookahead && block_ < layout_.blocks) decode(block_++);
    slots_[n_] = none;
    safe_ = block_ < layout_.blocks ? n_ - lookahead : n_;
  }

  void decode(std::uint64_t b) noexcept {
    const std::uint64_t at = b * layout_.block_words();
    slot_values values;
    values_of(
        layout_.remainder_bits,
        [&](unsigned j) noexcept { return words_.word(at + 2 + j); }, values);
    std::uint64_t ends = words_.word(at + 1), left = left_, base = 64 * quotient_block_;
    std::uint64_t* to = slots_.data() + n_;
    const unsigned r = layout_.remainder_bits;
    for (unsigned t = 0; t < 64; ++t, ends >>= 1) {
      const std::uint64_t q = base + static_cast<unsigned>(std::countr_zero(left));
      *to = q << r | values[t];
      to += q <= 64 * b + t;      // in use
      left &= left - (ends & 1);  // without its lowest bit, if a run ends
      if (left == 0) [[unlikely]] {
        left_ = 0;
        find_quotient();
        left = left_;
        base = 64 * quotient_block_;
      }
    }
    left_ = left;
    n_ = static_cast<std::size_t>(to - slots_.data());
  }

  void find_quotient() noexcept {
    while (left_ == 0 && ++quotient_block_ < layout_.blocks)
      left_ = words_.word(quotient_block_ * layout_.block_words());
    if (left_ == 0) left_ = std::uint64_t{1} << 63;  // behind the last: never in use
  }

  [[gnu::noinline]] std::uint64_t take_copies(std::uint64_t f) noexcept {
    if (slots_[++at_] != f) return 2;
    ++at_;
    const unsigned digit_bits = layout_.remainder_bits - 1;
    const std::uint64_t low = (std::uint64_t{1} << digit_bits) - 1;
    std::uint64_t more = 0;
    bool is_last = false;
    for (unsigned shift = 0; !is_last && at_ < n_; shift += digit_bits) {
      const std::uint64_t digit = slots_[at_++];
      if (shift < 48) more |= (digit & low) << shift;
      is_last = (digit >> digit_bits & 1) == 0;
    }
    return std::min(3 + more, quotient_layout::max_count);
  }

  quotient_layout layout_;
  plain_words<const std::byte> words_;
  std::uint64_t block_ = 0;                  // the next to decode
  std::uint64_t quotient_block_ = 0, left_;  // quotients whose runs have not ended
  std::size_t at_ = 0, n_ = 0, safe_ = 0;
  std::array<std::uint64_t, room + 1> slots_{};
};

}  // namespace bloomery::inline v1
