#pragma once

#include <bloomery/xor_filter.hpp>

#include "built.hpp"

namespace bloomery::testing {

template <>
struct recipe<xor_filter> : built_recipe<xor_filter> {
  static std::vector<shape<xor_filter>> shapes() {
    std::vector<shape<xor_filter>> out;
    for (std::uint32_t width = 1; width <= slot_shape::max_width; ++width)
      for (const std::size_t keys : {20u, 1100u})
        out.push_back({"n=" + std::to_string(keys) + " r=" + std::to_string(width),
                       must(xor_filter::build(testing::keys(5, keys), slot_request{width},
                                              hasher::xxh3()))});
    return out;
  }
  static std::size_t sized(std::uint64_t n, double fpr) {
    return static_cast<std::size_t>(
        must(size_xor(n, must(slot_width_for(fpr)))).bytes(0));
  }
};

}  // namespace bloomery::testing
