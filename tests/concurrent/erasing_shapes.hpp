// Filters that erase keys and that threads can share, for typed tests.
#pragma once

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/concurrent.hpp>

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

// Up to 95 % full; of the last, offsets are saturated.
template <>
struct erasing_shapes<concurrent<quotient>> {
  static std::vector<quotient> all(std::uint64_t keys) {
    std::vector<quotient> out;
    for (const std::uint32_t r : {2u, 5u, 8u, 17u, 32u}) out.push_back(made(keys, r, 95));
    out.push_back(made(keys, 12, 300));
    return out;
  }

 private:
  static quotient made(std::uint64_t keys, std::uint32_t r, std::uint64_t percent) {
    // Two copies of half the keys at a time, and groups of three where remainders are
    // few.
    const std::uint64_t quotients = keys * 100 / percent;
    return must(quotient::make(
        quotient_layout{quotients, r, std::max(keys, quotients) * 6 / 5 / 64 + 8}, keys));
  }
};

using erasing_filters = ::testing::Types<concurrent<cuckoo>, concurrent<counting_bloom>,
                                         concurrent<quotient>>;

}  // namespace bloomery::testing
