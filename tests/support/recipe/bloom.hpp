#pragma once

#include <bloomery/bloom.hpp>
#include <bloomery/detail/kind/bloom/sizing.hpp>

#include "recipe.hpp"

namespace bloomery::testing {

template <>
struct recipe<bloom> : sized_recipe<bloom> {
  static std::vector<shape<bloom>> shapes() {
    const std::uint64_t beyond_l2 = bits_beyond_l2();
    const bloom_layout layouts[] = {
        {1, 1},         {2, 1},         {2, 3},         {7, 7},      {8, 1},
        {9, 4},         {63, 3},        {64, 5},        {65, 31},    {1000, 30},
        {1009, 33},     {4096, 64},     {9586, 7},      {65537, 10}, {beyond_l2, 1},
        {beyond_l2, 2}, {beyond_l2, 7}, {beyond_l2, 33}};
    return shapes_of<bloom>(std::span<const bloom_layout>(layouts));
  }

  static std::size_t sized(std::uint64_t n, double fpr) {
    return static_cast<std::size_t>((must(size_bloom_by_rate(n, fpr)).bits + 7) / 8);
  }
};

}  // namespace bloomery::testing
