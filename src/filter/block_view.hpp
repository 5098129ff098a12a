// A block filter as its kernels see it.
#pragma once

#include <cstddef>

#include <bloomery/detail/kind/block/shape.hpp>

#include "base/cpu.hpp"
#include "kernel/block.hpp"

namespace bloomery {

inline const kernel::block_loops& loops_of(const block_shape& s) noexcept {
  return kernel::best_block_kernel().of(s.profile);
}

// The same for keys that stand for one line each: a two-line filter is filled, line by
// line, as if it had one.
inline const kernel::block_loops& line_loops_of(const block_shape& s) noexcept {
  return kernel::best_block_kernel().of(s.choices() == 2 ? block_profile::line
                                                         : s.profile);
}

// A kernel's lookups do not write, though one type serves both.
inline kernel::block_array array_of(const block_shape& s,
                                    const std::byte* data) noexcept {
  return {const_cast<std::byte*>(data), s.blocks, s.size_in_bytes() <= base::caches().l2};
}

}  // namespace bloomery
