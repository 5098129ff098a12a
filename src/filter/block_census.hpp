// The rate that the bits of a block filter give, as they are or folded.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/block_shape.hpp>

namespace bloomery {

// That of the array `data` of this shape after each `group` adjacent blocks became one;
// counting stops, with the result 1, once it is certain to exceed `at_most`.
// REQUIRES: group divides the number of blocks
double rate_of_blocks(const block_shape& s, const std::byte* data, std::uint64_t group,
                      double at_most) noexcept;

}  // namespace bloomery
