// Two quotient filters into an empty one, a block of 64 quotients at a time.  Compiled
// for AVX2 and BMI2.
//
// Two copies of a fingerprint are two equal slots.  So where neither filter has a count
// of three or more, and none comes of both, the slots of a run are those of both, sorted.
#pragma once

#include "kind/quotient/kernel/block_source.hpp"
#include "kind/quotient/kernel/block_writer.hpp"

namespace bloomery::kernel {
namespace {

class quotient_block_merge {
 public:
  explicit quotient_block_merge(unsigned remainder_bits) noexcept : r_(remainder_bits) {}

  enum class outcome : std::uint8_t { done, too_many_copies, unable };

  outcome merge(const quotient_block_source& a, const quotient_block_source& b) noexcept {
    if (!a.has_counts() && !b.has_counts()) {
      merge_slots(a.begin(), a.size(), b.begin(), b.size());
      if (!has_three()) return outcome::done;
    }
    return merge_counts({a.begin(), a.begin() + a.size(), r_},
                        {b.begin(), b.begin() + b.size(), r_});
  }

  const std::int32_t* slots() const noexcept { return out_.data(); }
  std::size_t size() const noexcept { return size_; }

 private:
  // From both ends at once: neither waits for the other.  No branch depends on the keys.
  BLOOMERY_INLINE void merge_slots(const std::int32_t* a, std::size_t a_size,
                                   const std::int32_t* b, std::size_t b_size) noexcept {
    size_ = a_size + b_size;
    const std::int32_t *a_last = a + a_size - 1, *b_last = b + b_size - 1;
    std::int32_t *to = out_.data(), *to_last = out_.data() + size_ - 1;
    for (std::size_t n = size_ / 2; n != 0; --n) {
      std::int32_t x = *a, y = *b;
      std::ptrdiff_t is_second = x > y;
      *to++ = std::min(x, y);
      b += is_second;
      a += 1 - is_second;
      x = *a_last, y = *b_last;
      is_second = x <= y;
      *to_last-- = std::max(x, y);
      b_last -= is_second;
      a_last -= 1 - is_second;
    }
    if (size_ % 2 != 0) *to = std::min(*a, *b);
    end_slots();
  }

  // Ascending, and above all others.
  BLOOMERY_INLINE void end_slots() noexcept {
    for (std::size_t i = 0; i < 16; ++i)
      out_[size_ + i] = INT32_MAX - 16 + static_cast<std::int32_t>(i);
  }

  BLOOMERY_INLINE bool has_three() const noexcept {
    __m256i equal = _mm256_setzero_si256();
    for (std::size_t i = 0; i < size_; i += 8) {
      const auto at = [&](std::size_t k) noexcept {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(out_.data() + i + k));
      };
      equal = _mm256_or_si256(equal, _mm256_cmpeq_epi32(at(0), at(2)));
    }
    return _mm256_testz_si256(equal, equal) == 0;
  }

  [[gnu::noinline]] outcome merge_counts(quotient_groups a, quotient_groups b) noexcept {
    std::int32_t* to = out_.data();
    a.next();
    b.next();
    while (a.count != 0 || b.count != 0) {
      if (to - out_.data() + max_group_slots > max_slots) return outcome::unable;
      const std::int32_t x = std::min(a.top, b.top);
      std::uint64_t count = 0;
      const bool of_a = a.top == x, of_b = b.top == x;
      if (of_a) count += a.count, a.next();
      if (of_b) count += b.count, b.next();
      if (!a.is_sorted || !b.is_sorted) return outcome::unable;
      if (count > quotient_layout::max_count) return outcome::too_many_copies;
      to = put_group(to, x, count, r_);
    }
    size_ = static_cast<std::size_t>(to - out_.data());
    end_slots();
    return outcome::done;
  }

  static constexpr std::size_t max_slots = quotient_block_writer::max_slots;
  static_assert(4 * quotient_block_reader::max_slots <= max_slots);

  unsigned r_;
  std::size_t size_ = 0;
  std::array<std::int32_t, max_slots + 16> out_;
};

quotient_result merge_quotients(const quotient_layout& l, std::byte* to,
                                const quotient_layout& la, const std::byte* a,
                                const quotient_layout& lb, const std::byte* b) noexcept {
  const unsigned r = l.remainder_bits;
  if (!quotient_block_source::can_read(la, r) || !quotient_block_source::can_read(lb, r))
    return quotient_result::unable;
  quotient_block_source first(la, a, r), second(lb, b, r);
  quotient_block_writer all(l, to);
  quotient_block_merge both(r);
  for (std::uint64_t i = 0; i < l.blocks; ++i) {
    if (!first.read(i) || !second.read(i)) return quotient_result::unable;
    switch (both.merge(first, second)) {
      case quotient_block_merge::outcome::done:
        break;
      case quotient_block_merge::outcome::too_many_copies:
        return quotient_result::too_many_copies;
      case quotient_block_merge::outcome::unable:
        return quotient_result::unable;
    }
    const std::size_t n = both.size();
    if (n != 0) {
      const auto last = static_cast<std::uint64_t>(both.slots()[n - 1]);
      if (64 * i + (last >> r) >= l.quotients) return quotient_result::unable;
    }
    if (!all.write(i, both.slots(), n)) return quotient_result::unable;
  }
  return quotient_result::done;
}

}  // namespace
}  // namespace bloomery::kernel
