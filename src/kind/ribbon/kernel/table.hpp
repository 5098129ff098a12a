// The inner loops of the ribbon filter: no state, no allocation, no errors.  `portable`
// is the definition; the others give the same bits and answers, faster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/kind/ribbon/dispatch.hpp>
#include <bloomery/detail/kind/ribbon/shape.hpp>
#include <bloomery/key.hpp>

namespace bloomery::kernel {

// One segment of a layer, to be solved, and the memory for it.
struct ribbon_segment {
  const ribbon_layout* all;
  std::size_t layer;
  std::uint64_t number;      // of the segment in its layer
  std::span<const key> ks;   // its keys, as hashes in this layer, ascending
  std::byte* rows;           // segment_slots times width / 8 + 4 bytes; 16-byte aligned
  std::byte* data;           // the filter's bytes: its blocks are written
  std::uint8_t* thresholds;  // of its buckets, one byte each
  key* passed_on;            // those for the next layer: room for all
};

struct ribbon_kernel {
  const char* name;
  // Indexed by the form of the layout.
  ribbon_probe::may_contain_call may_contain[ribbon_layout::forms];
  // out has room for n.  far: the filter does not fit the cache, lines are fetched ahead
  void (*query)(const ribbon_layout& all, const std::byte* data, const key* ks,
                std::size_t n, bool* out, bool far) noexcept;
  // Segments of one layer, at most max_together: passed[i], the number of keys that each
  // passes on; above ks.size() if they did not ascend.
  void (*solve)(std::span<const ribbon_segment> some, std::size_t* passed) noexcept;
};
inline constexpr std::size_t max_together = 4;

// Solves the last layer.  rows: 12 bytes for each slot.
// REQUIRES: ks.size() <= all.last_slots
// False: these equations have no solution, with this seed.  Nothing is written then.
bool solve_last_layer(const ribbon_layout& all, std::span<const key> ks, std::byte* rows,
                      std::byte* data) noexcept;

// What this CPU and BLOOMERY_ISA allow, the definition first, the best last.
std::span<const ribbon_kernel* const> ribbon_kernels() noexcept;

// The best of them, chosen once.
const ribbon_kernel& best_ribbon_kernel() noexcept;

}  // namespace bloomery::kernel
