// The slots of a quotient filter for another one, which was doubled: a block of this one
// is 2^d blocks of that, and every fingerprint is the same number.  Compiled for AVX2 and
// BMI2.
#pragma once

#include "kind/quotient/kernel/block_reader.hpp"
#include "kind/quotient/kernel/groups.hpp"

namespace bloomery::kernel {
namespace {

class quotient_block_source {
 public:
  // For a filter with remainders of `to_bits`.  REQUIRES: can_read(l, to_bits)
  quotient_block_source(const quotient_layout& l, const std::byte* data,
                        unsigned to_bits) noexcept
      : reader_(l, data),
        from_bits_(l.remainder_bits),
        to_bits_(to_bits),
        halvings_(l.remainder_bits - to_bits) {
    part_[0] = -1;
  }
  static bool can_read(const quotient_layout& l, unsigned to_bits) noexcept {
    return l.remainder_bits >= to_bits &&
           l.remainder_bits <= quotient_block_reader::max_remainder_bits;
  }

  // As quotient_block_reader, by blocks of the other filter.
  bool read(std::uint64_t b) noexcept {
    if (halvings_ == 0) {
      if (!reader_.read(b)) return false;
      begin_ = reader_.begin();
      size_ = reader_.size();
      return true;
    }
    const std::uint64_t part = b & ((std::uint64_t{1} << halvings_) - 1);
    if (part == 0 && !(reader_.read(b >> halvings_) && recode())) return false;
    const auto base = static_cast<std::int32_t>(part << (6 + to_bits_));
    const auto end = static_cast<std::int32_t>((part + 1) << (6 + to_bits_));
    size_ = 0;
    while (at_ != end_ && *at_ < end) part_[1 + size_++] = *at_++ - base;
    part_[1 + size_] = INT32_MAX;
    begin_ = part_.data() + 1;
    return true;
  }

  const std::int32_t* begin() const noexcept { return begin_; }
  std::size_t size() const noexcept { return size_; }
  bool has_counts() const noexcept { return reader_.has_counts(); }

 private:
  static constexpr std::size_t room = 2 * quotient_block_reader::max_slots;

  // A digit of a count has fewer bits there.
  bool recode() noexcept {
    at_ = reader_.begin();
    end_ = at_ + reader_.size();
    if (!reader_.has_counts()) return true;
    quotient_groups all{at_, end_, from_bits_};
    std::int32_t* to = recoded_.data();
    for (all.next(); all.count != 0; all.next()) {
      if (!all.is_sorted || to - recoded_.data() + max_group_slots > room) return false;
      to = put_group(to, all.top, all.count, to_bits_);
    }
    at_ = recoded_.data();
    end_ = to;
    return true;
  }

  quotient_block_reader reader_;
  unsigned from_bits_, to_bits_, halvings_;
  const std::int32_t *at_ = nullptr, *end_ = nullptr;  // of the block, not yet read
  const std::int32_t* begin_ = nullptr;
  std::size_t size_ = 0;
  std::array<std::int32_t, room> recoded_;
  std::array<std::int32_t, room + 2> part_;
};

}  // namespace
}  // namespace bloomery::kernel
