#pragma once

#include <bloomery/fuse.hpp>

#include "built.hpp"

namespace bloomery::testing {

template <>
struct recipe<fuse> : built_recipe<fuse> {
  // Every layout and width, with keys in it; one larger than L2.
  static std::vector<shape<fuse>> shapes() {
    std::vector<shape<fuse>> out;
    const auto add = [&](std::size_t keys, std::uint32_t width, unsigned arity) {
      out.push_back({"n=" + std::to_string(keys) + " r=" + std::to_string(width) + " " +
                         std::to_string(arity) + "-wise",
                     must(fuse::build(testing::keys(5, keys), slot_request{width, arity},
                                      hasher::xxh3()))});
    };
    for (std::uint32_t width = 1; width <= slot_shape::max_width; ++width) {
      add(20 + width, width, 3);
      add(1100 + width, width, width % 2 == 0 ? 3 : 4);
    }
    add(base::caches().l2 + 1000, 8, 3);
    return out;
  }
  static std::size_t sized(std::uint64_t n, double fpr) {
    return static_cast<std::size_t>(
        must(size_fuse(n, must(slot_width_for(fpr)))).bytes(0));
  }
};

}  // namespace bloomery::testing
