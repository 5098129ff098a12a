// The inner loops of stable filters: no state, no allocation, no errors.  `portable` is
// the definition; the others do the same, faster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/kind/stable/shape.hpp>
#include <bloomery/key.hpp>

namespace bloomery::kernel {

struct stable_array {
  std::byte* data;
  stable_shape shape;
  std::uint32_t seed;
  std::uint64_t inserts;  // t: the number of the next insert
  bool in_cache;          // the cells fit the L2 cache: prefetching would only cost
};

struct stable_kernel {
  const char* name;
  // Inserts in order, as the inserts t, t + 1, ..
  void (*insert)(const stable_array& a, const key* ks, std::size_t n) noexcept;
  // The same; absent[i]: ks[i] was definitely not present when its turn came.
  void (*insert_if_absent)(const stable_array& a, const key* ks, std::size_t n,
                           bool* absent) noexcept;
};

// What this CPU and BLOOMERY_ISA allow, the definition first, the best last.
std::span<const stable_kernel* const> stable_kernels() noexcept;

// The best of them, chosen once.
const stable_kernel& best_stable_kernel() noexcept;

}  // namespace bloomery::kernel
