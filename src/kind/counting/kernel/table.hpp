// The inner loops of counting filters in lines of 4-bit cells: no state, no allocation,
// no errors.  `portable` is the definition; the others do the same, faster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/key.hpp>

namespace bloomery::kernel {

struct line_array {
  std::byte* data;  // 64-byte aligned
  std::uint64_t blocks;
  bool in_cache;  // the cells fit the L2 cache: prefetching would only cost
};

struct counting_kernel {
  const char* name;
  bool (*may_contain)(const std::byte* data, std::uint64_t blocks,
                      std::uint64_t h) noexcept;
  void (*insert_one)(std::byte* data, std::uint64_t blocks, std::uint64_t h) noexcept;
  // False: a cell is 0, and nothing has changed.
  bool (*erase_one)(std::byte* data, std::uint64_t blocks, std::uint64_t h) noexcept;
  void (*insert)(line_array a, const key* ks, std::size_t n) noexcept;
  // One after the other; out has room for n.
  void (*erase)(line_array a, const key* ks, std::size_t n, bool* out) noexcept;
  void (*query)(line_array a, const key* ks, std::size_t n, bool* out) noexcept;
};

// What this CPU and BLOOMERY_ISA allow, the definition first, the best last.
std::span<const counting_kernel* const> counting_kernels() noexcept;

// The best of them, chosen once.
const counting_kernel& best_counting_kernel() noexcept;

}  // namespace bloomery::kernel
