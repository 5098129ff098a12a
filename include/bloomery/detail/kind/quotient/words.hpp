// The words of a quotient filter in memory that one thread uses at a time, and the
// position of the n-th bit of a word.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/words.hpp>

namespace bloomery::inline v1 {

// All of them may be read.
template <class Byte>
struct plain_words {
  Byte* data;

  BLOOMERY_INLINE std::uint64_t word(std::uint64_t i) const noexcept {
    return words::load_le<std::uint64_t>(data + 8 * i);
  }
  BLOOMERY_INLINE void set_word(std::uint64_t i, std::uint64_t v) const noexcept {
    words::store(data + 8 * i, words::as_little_endian(v));
  }
  static constexpr bool can_read(std::uint64_t) noexcept { return true; }
  static constexpr bool can_read_offset(std::uint64_t) noexcept { return true; }
};

// Only those whose bytes ok(first, bytes) accepts.
template <class Ok>
struct checked_words : plain_words<const std::byte> {
  std::uint64_t block_bytes, offsets_at;  // in bytes
  Ok ok;

  bool can_read(std::uint64_t block) const noexcept {
    return ok(block * block_bytes, block_bytes);
  }
  bool can_read_offset(std::uint64_t block) const noexcept {
    return ok(offsets_at + block, std::uint64_t{1});
  }
};

// By sums of bytes side by side (S. Vigna, "Broadword Implementation of Rank/Select
// Queries", 2008).
struct broadword_select {
  // The position of the n-th bit that is 1, from 0.  REQUIRES: there is one
  BLOOMERY_INLINE static unsigned bit_at(std::uint64_t w, unsigned n) noexcept {
    constexpr std::uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
    std::uint64_t s = w - (w >> 1 & 0x5555555555555555);
    s = (s & 0x3333333333333333) + (s >> 2 & 0x3333333333333333);
    s = ((s + (s >> 4)) & 0x0f0f0f0f0f0f0f0f) * ones;  // of each byte and those below
    // Bytes whose sum is at most n: the bit is not in them.
    const std::uint64_t done = ((((n * ones) | highs) - s) & highs) >> 7;
    const auto byte = static_cast<unsigned>(done * ones >> 56) * 8;
    const auto before = static_cast<unsigned>((s << 8) >> byte & 0xff);
    auto rest = static_cast<unsigned>(w >> byte & 0xff);
    for (unsigned left = n - before; left != 0; --left) rest &= rest - 1;
    return byte + static_cast<unsigned>(std::countr_zero(rest));
  }
};

}  // namespace bloomery::inline v1
