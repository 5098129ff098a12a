#pragma once

#include <bloomery/counting_bloom.hpp>
#include <bloomery/detail/kind/counting/sizing.hpp>

#include "recipe.hpp"

namespace bloomery::testing {

// The laws ask for rates from 0.9 to 1e-6: both layouts.  shapes() has all widths.
template <>
struct recipe<counting_bloom> : sized_recipe<counting_bloom> {
  static std::vector<shape<counting_bloom>> shapes() {
    std::vector<shape<counting_bloom>> out;
    const auto add = [&](counting_shape s) {
      out.push_back(
          {std::string(name_of(s.layout)) + " cells=" + std::to_string(s.cells) +
               " k=" + std::to_string(s.hashes) + " w=" + std::to_string(s.cell_bits),
           must(counting_bloom::make(s))});
    };
    for (const unsigned width : {4u, 8u, 32u}) {
      const std::size_t block =
          counting_shape{128, cell_layout::line, width}.block_bytes();
      for (const std::uint64_t blocks : awkward_blocks(block))
        add({128 * blocks, cell_layout::line, width, 8});
      for (const std::uint64_t cells : {1u, 2u, 7u, 15u, 16u, 17u, 64u, 1009u, 9586u})
        add({cells, cell_layout::flat, width, 7});
      add({bits_beyond_l2() / width, cell_layout::flat, width, 10});
    }
    add({4096, cell_layout::flat, 4, 64});
    return out;
  }

  static std::size_t sized(std::uint64_t n, double fpr) {
    return static_cast<std::size_t>(must(size_counting_by_rate(n, fpr)).size_in_bytes());
  }
};

}  // namespace bloomery::testing
