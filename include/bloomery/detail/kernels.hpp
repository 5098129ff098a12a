// Which inner loops this build has, this CPU can run, and this process uses.
//
// BLOOMERY_ISA in the environment (portable, avx2, avx512, neon), read once at the first
// use, disables all wider ones.  Every kernel gives the same bits.
#pragma once

#include <cstddef>
#include <span>

#include <bloomery/detail/export.hpp>

namespace bloomery::inline v1 {

// A kernel, and why it is used or not.
struct kernel_info {
  const char* name;
  bool compiled;  // part of this build
  bool runs;      // this CPU has the instructions, and BLOOMERY_ISA does not forbid them
  bool chosen;    // batches use it, and one-key calls that are not inlined
};

// All kernels, from the portable one, which defines the bits, to the widest vectors.
BLOOMERY_EXPORT std::span<const kernel_info> kernels() noexcept;

// The name of the chosen one.
BLOOMERY_EXPORT const char* kernel_name() noexcept;

}  // namespace bloomery::inline v1
