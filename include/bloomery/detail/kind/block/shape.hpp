// The shapes of a block filter: where a key's bits lie.  spec/filters.md, sections 2, 3.
//
//   block  = mulhi(h, blocks)              the high bits of the key
//   bit j  = low32(h) * salt[j] >> 26      the low bits: one of the 64 bits of lane j
//
// Lane j is the pair of 32-bit words (j, lanes + j) of the block: the first word holds
// its bits 0..31, the second 32..63.  That order lets one vector register select and
// test all lanes at once.  (lanes16: 16-bit words, and bit j = low32(h) * salt[j] >> 28.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace bloomery::inline v1 {

// Numbers are stored in files: never reuse one.
enum class block_profile : std::uint8_t {
  by_rate = 0,    // chosen by the target rate (best_profile); never stored
  half_line = 1,  // 4 lanes of 64 bits in 32 bytes: from 3 % up
  line = 2,       // 8 lanes of 64 bits in 64 bytes: 0.05 % to 3 %
  two_lines = 3,  // 8 lanes of 64 bits in each of two lines: below 0.05 %
  split = 4,      // 8 lanes of 32 bits in 32 bytes: Parquet's, split_block_bloom only
  lanes16 = 5,  // 8 lanes of 16 bits in 16 bytes: what counting filters are published as
};

// Those of block_bloom.
constexpr bool is_block_profile(block_profile p) noexcept {
  return p >= block_profile::half_line && p <= block_profile::lanes16 &&
         p != block_profile::split;
}

// As in files and options: "half-line", "line", ...
constexpr const char* name_of(block_profile p) noexcept {
  constexpr const char* names[] = {"by-rate",   "half-line", "line",
                                   "two-lines", "split",     "lanes16"};
  const auto i = static_cast<std::size_t>(p);
  return i < std::size(names) ? names[i] : "unknown";
}

// The multipliers of Apache Parquet's split-block filter, and ours.
alignas(32) inline constexpr std::array<std::uint32_t, 8> block_salt{
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
    0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31};

struct block_shape {
  std::uint64_t blocks = 0;
  block_profile profile = block_profile::line;

  constexpr unsigned lanes() const noexcept {
    return profile == block_profile::half_line ? 4 : 8;
  }
  constexpr unsigned lane_bits() const noexcept {
    if (profile == block_profile::lanes16) return 16;
    return profile == block_profile::split ? 32 : 64;
  }
  constexpr std::size_t block_bytes() const noexcept {
    return std::size_t{lanes()} * lane_bits() / 8;
  }
  // The number of blocks in which a key sets bits.
  constexpr unsigned choices() const noexcept {
    return profile == block_profile::two_lines ? 2 : 1;
  }
  constexpr unsigned hashes() const noexcept { return lanes() * choices(); }
  // REQUIRES: blocks <= max_blocks()
  constexpr std::uint64_t size_in_bytes() const noexcept {
    return blocks * block_bytes();
  }
  constexpr std::uint64_t bits() const noexcept { return 8 * size_in_bytes(); }

  // 2^48 bytes, far beyond any memory; the split filter's index has 32 bits and its
  // format a 31-bit length in bytes.
  constexpr std::uint64_t max_blocks() const noexcept {
    return profile == block_profile::split ? ((std::uint64_t{1} << 31) - 1) / 32
                                           : (std::uint64_t{1} << 48) / block_bytes();
  }

  friend constexpr bool operator==(const block_shape&,
                                   const block_shape&) noexcept = default;
};

}  // namespace bloomery::inline v1
