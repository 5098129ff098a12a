#pragma once

#include <bloomery/detail/kind/portable/format.hpp>
#include <bloomery/detail/sizing.hpp>
#include <bloomery/portable_bloom.hpp>

#include "recipe.hpp"

namespace bloomery::testing {

template <>
struct recipe<portable_bloom> : sized_recipe<portable_bloom> {
  static constexpr bool checksummed = false;
  static std::size_t encoded_size(std::size_t bytes) {
    return portable_header_size + bytes;
  }

  static std::vector<shape<portable_bloom>> shapes() {
    const std::uint64_t beyond_l2 = bits_beyond_l2();
    const bloom_layout layouts[] = {
        {1, 1},         {1, 9},         {2, 1},         {2, 3},          {3, 2},
        {7, 7},         {8, 1},         {9, 4},         {63, 3},         {64, 5},
        {65, 31},       {257, 2},       {1000, 30},     {1009, 33},      {4096, 64},
        {9586, 7},      {65536, 4},     {65537, 10},    {5, 4294967295}, {beyond_l2, 1},
        {beyond_l2, 2}, {beyond_l2, 7}, {beyond_l2, 33}};
    return shapes_of<portable_bloom>(std::span<const bloom_layout>(layouts));
  }

  static std::size_t sized(std::uint64_t n, double fpr) {
    return static_cast<std::size_t>((must(size_by_rate(n, fpr)).bits + 7) / 8);
  }
};

}  // namespace bloomery::testing
