// A block filter as its kernels see it.
#pragma once

#include <cstddef>

#include <bloomery/block_shape.hpp>

#include "base/cpu.hpp"
#include "kernel/block.hpp"

namespace bloomery {

inline const kernel::block_loops& loops_of(const block_shape& s) noexcept {
  return kernel::best_block_kernel().of(s.profile);
}

// A kernel's lookups do not write, though one type serves both.
inline kernel::block_array array_of(const block_shape& s,
                                    const std::byte* data) noexcept {
  return {const_cast<std::byte*>(data), s.blocks, s.size_in_bytes() <= base::caches().l2};
}

// The same for keys whose lines were fetched already.
inline kernel::block_array fetched(kernel::block_array a) noexcept {
  a.in_cache = true;
  return a;
}

}  // namespace bloomery
