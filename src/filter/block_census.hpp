// The rate that the bits of a block filter give, as they are or folded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/kind/block/shape.hpp>

namespace bloomery {

// That of the array `data` of this shape after each `group` adjacent blocks became one;
// counting stops, with the result 1, once it is certain to exceed `at_most`.
// REQUIRES: group divides the number of blocks
double rate_of_blocks(const block_shape& s, const std::byte* data, std::uint64_t group,
                      double at_most) noexcept;

struct block_array {
  block_shape shape;
  const std::byte* data;
};

// The share of keys that pass at least one of the arrays, which all see the same hash
// (spec/model.md, 12).  Blocks are intervals of hashes, and what is full, or damaged, in
// one array may or may not be so in the same interval of another: block by block where a
// key has one line in each, by pairs of at most 64 intervals where it has two.
// REQUIRES: arrays of one line come first, and the number of blocks of each divides that
// of the next
double rate_of_any(std::span<const block_array> arrays) noexcept;

}  // namespace bloomery
