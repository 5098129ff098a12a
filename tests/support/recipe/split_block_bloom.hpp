#pragma once

#include <bloomery/detail/kind/block/sizing.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "recipe.hpp"

namespace bloomery::testing {

template <>
struct recipe<split_block_bloom> : sized_recipe<split_block_bloom> {
  static std::vector<shape<split_block_bloom>> shapes() {
    std::vector<shape<split_block_bloom>> out;
    for (const std::uint64_t blocks : awkward_blocks(32))
      out.push_back(
          {"blocks=" + std::to_string(blocks), must(split_block_bloom::make(blocks))});
    return out;
  }

  static std::size_t sized(std::uint64_t n, double fpr) {
    return must(size_blocks_by_rate(n, fpr, block_profile::split)).size_in_bytes();
  }
};

}  // namespace bloomery::testing
