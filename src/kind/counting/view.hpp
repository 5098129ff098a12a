// A counting filter as its kernels see it.
#pragma once

#include <cstddef>

#include <bloomery/detail/kind/counting/shape.hpp>

#include "base/cpu.hpp"
#include "kind/counting/kernel/cell_loops.hpp"
#include "kind/counting/kernel/table.hpp"

namespace bloomery {

// A kernel's lookups do not write, though one type serves both.
inline kernel::line_array lines_of(const counting_shape& s,
                                   const std::byte* data) noexcept {
  return {const_cast<std::byte*>(data), s.blocks(),
          s.size_in_bytes() <= base::caches().l2};
}

// use(loops) for the width of the cells.
template <class Use>
void with_cell_loops(const counting_shape& s, const std::byte* data, Use use) noexcept {
  cell_probe::with_width(s.cell_bits, [&]<class Words>(Words) noexcept {
    use(kernel::cell_loops<Words>{s, const_cast<std::byte*>(data),
                                  s.size_in_bytes() <= base::caches().l2});
  });
}

}  // namespace bloomery
