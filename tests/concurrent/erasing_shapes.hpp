// Filters that erase keys and that threads can share, for typed tests.
#pragma once

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/concurrent_counting.hpp>
#include <bloomery/concurrent_cuckoo.hpp>

#include "must.hpp"

namespace bloomery::testing {

// One of each width, for that many keys.
template <class F>
struct erasing_shapes;
template <>
struct erasing_shapes<concurrent<cuckoo>> {
  static std::vector<cuckoo> all(std::uint64_t keys) {
    std::vector<cuckoo> out;
    for (const std::uint32_t f : {6u, 8u, 11u, 12u, 15u, 16u, 17u, 25u, 31u, 32u})
      out.push_back(
          must(cuckoo::make(cuckoo_layout{(keys * 10 / 9 / 4 + 2) / 2 * 2, f}, keys)));
    return out;
  }
};

template <>
struct erasing_shapes<concurrent<counting_bloom>> {
  static std::vector<counting_bloom> all(std::uint64_t keys) {
    std::vector<counting_bloom> out;
    for (const unsigned bits : {4u, 8u, 32u})
      for (const cell_layout l : {cell_layout::line, cell_layout::flat})
        out.push_back(must(counting_bloom::make(
            {.keys = keys, .fpr = 0.01, .cell_bits = bits, .layout = l})));
    return out;
  }
};

using erasing_filters = ::testing::Types<concurrent<cuckoo>, concurrent<counting_bloom>>;

}  // namespace bloomery::testing
