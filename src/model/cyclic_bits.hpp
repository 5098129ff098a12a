// A ring of up to 65536 bits that can be moved and intersected word by word.
//
// Kept twice in a row, so that any m successive bits are contiguous.  On the stack: 16
// KiB.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/model.hpp>

namespace bloomery::inline v1::model {

class cyclic_bits {
 public:
  explicit cyclic_bits(std::uint64_t bits) noexcept
      : bits_(bits), words_(static_cast<std::size_t>((bits + 63) / 64)) {
    assert(bits >= 1 && bits <= exact_limit);
  }

  // The first `bits` bits of `bytes`, LSB-first.
  cyclic_bits(std::span<const std::byte> bytes, std::uint64_t bits) noexcept
      : cyclic_bits(bits) {
    for (std::size_t i = 0; i < words_; ++i) {
      word_[i] = 0;
      for (std::size_t j = 0; j < 8 && 8 * i + j < bytes.size(); ++j)
        word_[i] |= static_cast<std::uint64_t>(bytes[8 * i + j]) << (8 * j);
    }
    repeat();
  }

  std::uint64_t bits() const noexcept { return bits_; }

  // this = from & (from moved so that bit x + by lands on x).
  // REQUIRES: by < bits, from.bits() == bits(), &from != this
  void assign_and_moved(const cyclic_bits& from, std::uint64_t by) noexcept {
    const auto skip = static_cast<std::size_t>(by / 64);
    const unsigned low = by % 64;
    const std::uint64_t* __restrict in = from.word_.data();
    std::uint64_t* __restrict out = word_.data();
    for (std::size_t i = 0; i < words_; ++i) {
      const std::uint64_t moved =
          (in[i + skip] >> low) | ((in[i + skip + 1] << 1) << (63 - low));
      out[i] = in[i] & moved;
    }
    repeat();
  }

  std::uint64_t count() const noexcept {
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < words_; ++i)
      n += static_cast<std::uint64_t>(std::popcount(word_[i] & mask(i)));
    return n;
  }

 private:
  // Bits of word i that belong to the ring's first copy.
  std::uint64_t mask(std::size_t i) const noexcept {
    const unsigned rest = bits_ % 64;
    return i + 1 == words_ && rest != 0 ? (std::uint64_t{1} << rest) - 1
                                        : ~std::uint64_t{0};
  }

  // Writes the second copy behind the first, and one word of the third.
  void repeat() noexcept {
    const unsigned rest = bits_ % 64;
    word_[words_ - 1] &= mask(words_ - 1);
    if (rest == 0) {
      for (std::size_t i = 0; i <= words_; ++i) word_[words_ + i] = word_[i];
      return;
    }
    word_[words_ - 1] |= word_[0] << rest;
    for (std::size_t i = 0; i <= words_; ++i)
      word_[words_ + i] = (word_[i] >> (64 - rest)) | (word_[i + 1] << rest);
  }

  std::uint64_t bits_;
  std::size_t words_;
  std::array<std::uint64_t, 2 * exact_limit / 64 + 3> word_{};
};

}  // namespace bloomery::inline v1::model
