#pragma once

#include <bloomery/partitioned_bloom.hpp>

#include "recipe.hpp"

namespace bloomery::testing {

template <>
struct recipe<partitioned_bloom> : sized_recipe<partitioned_bloom> {
  static std::vector<shape<partitioned_bloom>> shapes() {
    const std::uint64_t beyond_l2 = bits_beyond_l2();
    std::vector<shape<partitioned_bloom>> out;
    for (const partitioned_layout l : {partitioned_layout{1, 1},
                                       {1, 9},
                                       {2, 3},
                                       {7, 7},
                                       {8, 1},
                                       {9, 4},
                                       {13, 7},
                                       {63, 3},
                                       {64, 5},
                                       {65, 31},
                                       {1009, 33},
                                       {4096, 64},
                                       {1370, 7},
                                       {6554, 10},
                                       {beyond_l2, 1},
                                       {beyond_l2 / 2, 2},
                                       {beyond_l2 / 7, 7},
                                       {beyond_l2 / 33, 33}})
      out.push_back(
          {"s=" + std::to_string(l.slice_bits) + " k=" + std::to_string(l.slices),
           must(partitioned_bloom::make(l))});
    return out;
  }

  static std::size_t sized(std::uint64_t n, double fpr) {
    return static_cast<std::size_t>((must(size_partitioned_by_rate(n, fpr)).bits() + 7) /
                                    8);
  }
};

}  // namespace bloomery::testing
