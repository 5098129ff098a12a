// Batches over counting filters of any shape: those for which there is no kernel.  They
// do exactly what the one-key calls do, which are the definition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/kind/counting/probe.hpp>
#include <bloomery/key.hpp>

#include "kernel/bit_loops.hpp"
#include "kernel/fetch_ahead.hpp"

namespace bloomery::kernel {

template <class Words>
struct cell_loops {
  counting_shape shape;
  std::byte* data;
  bool in_cache;  // the cells fit the L2 cache: prefetching would only cost

  // Lines of a key: 2 of a block with 8-bit cells, one for each lane with 32-bit cells.
  BLOOMERY_INLINE void fetch(key k) const noexcept {
    if (shape.is_line()) {
      const std::uint64_t h = k.bits();
      std::byte* const block =
          data + block_probe::high_product(h, shape.blocks()) * shape.block_bytes();
      constexpr std::size_t line_cells = 512 / Words::width;
      constexpr unsigned lanes_a_line = line_cells < 16 ? 1 : line_cells / 16;
      for (unsigned j = 0; j < 8; j += lanes_a_line)
        __builtin_prefetch(block + cell_probe::cell_of_lane(h, j) * Words::width / 8);
    } else {
      auto w = cell_probe::flat_probe<Words>(shape.cells).start(k);
      for (std::uint32_t n = shape.hashes; n != 0; --n, w.advance(shape.cells))
        __builtin_prefetch(data + (w.at >> 3));
    }
  }

  struct fetch_keys {
    const cell_loops& loops;
    std::span<const key> ks;
    BLOOMERY_INLINE void operator()(std::size_t first, std::size_t count) const noexcept {
      for (const key k : ks.subspan(first, count)) loops.fetch(k);
    }
  };
  // use(i) for all keys in order, with their lines on the way.
  template <class Use>
  BLOOMERY_INLINE void for_each(std::span<const key> ks, Use use) const noexcept {
    const auto use_some = [&](std::size_t first, std::size_t count) noexcept {
      for (std::size_t i = first; i < first + count; ++i) use(i);
    };
    if (in_cache) return use_some(0, ks.size());
    fetch_ahead<bit_inserts>(ks.size(), fetch_keys{*this, ks}, use_some);
  }

  void insert(std::span<const key> ks) const noexcept {
    for_each(ks, [&](std::size_t i) noexcept {
      cell_probe::insert(Words{}, data, cell_probe::cells_of(ks[i], shape));
    });
  }
  void erase(std::span<const key> ks, bool* out) const noexcept {
    for_each(ks, [&](std::size_t i) noexcept {
      out[i] = cell_probe::erase(Words{}, data, cell_probe::cells_of(ks[i], shape));
    });
  }
  // Scattered cells in rounds, as scattered bits are tested.
  void query(std::span<const key> ks, bool* out) const noexcept {
    if (!shape.is_line())
      return kernel::query(
          bit_layout<cell_probe::flat_probe<Words>>{
              cell_probe::flat_probe<Words>(shape.cells), shape.hashes, in_cache},
          data, ks, out);
    for_each(ks, [&](std::size_t i) noexcept {
      out[i] =
          cell_probe::may_contain(Words{}, data, cell_probe::line_cells(ks[i], shape));
    });
  }
};

}  // namespace bloomery::kernel
