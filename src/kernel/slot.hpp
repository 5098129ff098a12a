// Lookups of many keys in fuse filters by vector instructions: those of three slots of 8
// bits for each key.  All others have the loop of slot_loops.hpp, which defines them.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/slot/shape.hpp>
#include <bloomery/key.hpp>

namespace bloomery::kernel {

// The number of keys that were answered, from the first on: none of a layout that it does
// not have; the others are left to the caller.  far: the slots are not in a near cache
using slot_query = std::size_t (*)(const std::byte* data, const slot_shape& shape,
                                   const key* ks, std::size_t n, bool* out,
                                   bool far) noexcept;

// Null where this CPU has none, or BLOOMERY_ISA excludes it.
slot_query fuse_query() noexcept;

}  // namespace bloomery::kernel
