#pragma once

#include <bloomery/detail/kind/bloom/sizing.hpp>
#include <bloomery/toy_bloom.hpp>

#include "recipe.hpp"

namespace bloomery::testing {

template <>
struct recipe<toy_bloom> : sized_recipe<toy_bloom> {
  static std::vector<shape<toy_bloom>> shapes() {
    std::vector<shape<toy_bloom>> out;
    for (const toy_layout l : {toy_layout{1, 1, 1},
                               {7, 7, 2},
                               {8, 1, 16},
                               {65, 31, 3},
                               {4096, 64, 1},
                               {65537, 10, 5},
                               {bits_beyond_l2(), 7, 2}})
      out.push_back({"m=" + std::to_string(l.bits) + " k=" + std::to_string(l.hashes) +
                         " stride=" + std::to_string(l.stride),
                     must(toy_bloom::make(l))});
    return out;
  }

  static std::size_t sized(std::uint64_t n, double fpr) {
    return static_cast<std::size_t>((must(size_bloom_by_rate(n, fpr)).bits + 7) / 8);
  }
};

}  // namespace bloomery::testing
