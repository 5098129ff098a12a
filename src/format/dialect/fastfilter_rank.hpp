// How many ones a bitmap has before a place, from a few sums taken once.
//
// A lookup in a packed fuse filter needs three such ranks.  The sums live in the layout,
// so that reading allocates nothing; a rank counts at most a sixth of the bitmap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/bits.hpp"

namespace bloomery::format {

class sampled_rank {
 public:
  static constexpr std::size_t samples = 5;

  // `sums` has room for `samples` numbers.  REQUIRES: bits <= 8 * bitmap.size()
  sampled_rank(std::span<const std::byte> bitmap, std::uint64_t bits,
               const std::uint64_t* sums) noexcept
      : bitmap_(bitmap), step_(step_for(bits)), sums_(sums) {}

  // Fills the sums; returns the ones of the whole bitmap.
  static std::uint64_t sample(std::span<const std::byte> bitmap, std::uint64_t bits,
                              std::uint64_t* sums) noexcept {
    const std::uint64_t step = step_for(bits);
    std::uint64_t ones = 0;
    for (std::size_t i = 0; i <= samples; ++i) {
      const std::uint64_t from = std::min(step * i, bits);
      const std::uint64_t to = i == samples ? bits : std::min(from + step, bits);
      ones += base::count_ones(bitmap.subspan(from / 8), to - from);
      if (i < samples) sums[i] = ones;
    }
    return ones;
  }

  // REQUIRES: i < bits
  std::uint64_t before(std::uint64_t i) const noexcept {
    const std::uint64_t piece = std::min<std::uint64_t>(i / step_, samples);
    const std::uint64_t from = piece * step_;
    return (piece == 0 ? 0 : sums_[piece - 1]) +
           base::count_ones(bitmap_.subspan(from / 8), i - from);
  }

 private:
  // Whole words, so that pieces begin at bytes.
  static std::uint64_t step_for(std::uint64_t bits) noexcept {
    return (bits / (samples + 1) + 64) / 64 * 64;
  }

  std::span<const std::byte> bitmap_;
  std::uint64_t step_;
  const std::uint64_t* sums_;
};

}  // namespace bloomery::format
