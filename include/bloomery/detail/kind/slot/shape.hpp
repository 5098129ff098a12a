// The layout of a fuse or xor filter: how many slots, how wide, and which of them a key
// has (spec/filters.md, section 10).
#pragma once

#include <cstddef>
#include <cstdint>

namespace bloomery::inline v1 {

// Which slots a key has.  Numbers are stored in files: never reuse one.
enum class slot_layout : std::uint8_t {
  dense = 0,  // four anywhere in a small shard
  three = 3,  // one in each of three adjacent segments, or of the three blocks of a xor
              // filter
  four = 4,   // one in each of four adjacent segments
};

constexpr const char* name_of(slot_layout l) noexcept {
  return l == slot_layout::dense   ? "dense"
         : l == slot_layout::three ? "3-wise"
                                   : "4-wise";
}

// The fingerprints that a builder makes.
struct slot_request {
  std::uint32_t width = 8;  // bits of a fingerprint
  unsigned arity = 3;       // slots of a key: 3, or 4 of a fuse filter
};

struct slot_shape {
  std::uint64_t shard_slots = 0;  // M
  std::uint32_t shards = 1;       // S: parts of the array that are built separately
  std::uint32_t width = 8;        // r: bits of a slot
  slot_layout layout = slot_layout::dense;
  std::uint8_t segment_log = 0;  // L: a segment has 2^L slots

  static constexpr std::uint32_t max_width = 32;
  static constexpr unsigned max_segment_log = 16;
  static constexpr std::uint64_t max_bits = std::uint64_t{1} << 48;
  static constexpr std::uint64_t max_dense_slots = std::uint64_t{1} << 16;
  // Sets of up to so many keys are dense: solved by elimination, which takes 1 us per key
  // at this size, and grows with its square.
  static constexpr std::uint64_t max_small_keys = 1024;
  static constexpr std::uint64_t max_residue = std::uint64_t{1} << 40;

  constexpr std::uint64_t slots() const noexcept { return shards * shard_slots; }
  // Slots of a key.
  constexpr unsigned arity() const noexcept {
    return layout == slot_layout::three ? 3 : 4;
  }
  constexpr std::uint64_t segment() const noexcept {
    return std::uint64_t{1} << segment_log;
  }
  // The payload is the slots, a byte for each shard, and the hashes of the residue.
  constexpr std::uint64_t rounds_at() const noexcept { return (slots() * width + 7) / 8; }
  constexpr std::uint64_t residue_at() const noexcept { return rounds_at() + shards; }
  constexpr std::uint64_t bytes(std::uint64_t residue) const noexcept {
    return residue_at() + 8 * residue;
  }

  friend bool operator==(const slot_shape&, const slot_shape&) noexcept = default;
};

}  // namespace bloomery::inline v1
