#pragma once

#include <bloomery/block_bloom.hpp>
#include <bloomery/detail/kind/block/sizing.hpp>

#include "recipe.hpp"

namespace bloomery::testing {

// The laws ask for rates from 0.9 to 0.001, and shapes() for all profiles.
template <>
struct recipe<block_bloom> : sized_recipe<block_bloom> {
  static std::vector<shape<block_bloom>> shapes() {
    std::vector<shape<block_bloom>> out;
    for (const block_profile p : {block_profile::half_line, block_profile::line,
                                  block_profile::two_lines, block_profile::lanes16})
      for (const std::uint64_t blocks : awkward_blocks(block_shape{1, p}.block_bytes()))
        out.push_back({name_of(p) + (" blocks=" + std::to_string(blocks)),
                       must(block_bloom::make(block_shape{blocks, p}))});
    return out;
  }

  static std::size_t sized(std::uint64_t n, double fpr) {
    return must(size_blocks_by_rate(n, fpr)).size_in_bytes();
  }
};

}  // namespace bloomery::testing
