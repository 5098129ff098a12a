// The shape of a window filter: several block filters of one shape, and how many keys
// each of them takes.  spec/filters.md, section 14.
#pragma once

#include <cstdint>

#include <bloomery/detail/kind/block/shape.hpp>

namespace bloomery::inline v1 {

struct window_shape {
  block_shape one;                    // of a generation
  unsigned generations = 4;           // 2 .. 1024
  std::uint64_t generation_keys = 0;  // inserts into each; 0: they change by call only

  static constexpr unsigned max_generations = 1024;

  constexpr bool has_generations() const noexcept {
    return generations >= 2 && generations <= max_generations;
  }
  // Half lines, lines or two lines.
  constexpr bool has_profile() const noexcept {
    return is_block_profile(one.profile) && one.profile != block_profile::lanes16;
  }
  constexpr bool has_blocks() const noexcept {
    return one.blocks >= 1 && one.blocks <= one.max_blocks() / generations;
  }
  // The shape of all generations together.
  constexpr block_shape all() const noexcept {
    return {one.blocks * generations, one.profile};
  }
  constexpr std::uint64_t size_in_bytes() const noexcept { return all().size_in_bytes(); }

  friend constexpr bool operator==(const window_shape&,
                                   const window_shape&) noexcept = default;
};

}  // namespace bloomery::inline v1
