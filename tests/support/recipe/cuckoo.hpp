#pragma once

#include <bloomery/cuckoo.hpp>

#include "recipe.hpp"

namespace bloomery::testing {

template <>
struct recipe<cuckoo> : sized_recipe<cuckoo> {
  static std::vector<shape<cuckoo>> shapes() {
    std::vector<shape<cuckoo>> out;
    const auto add = [&](std::uint64_t buckets, std::uint32_t tag_bits) {
      out.push_back({"B=" + std::to_string(buckets) + " f=" + std::to_string(tag_bits),
                     must(cuckoo::make(cuckoo_layout{buckets, tag_bits}))});
    };
    // Every width, in buckets that begin anywhere in a byte, and fewer than a word.
    for (std::uint32_t f = cuckoo_probe::min_tag_bits; f <= cuckoo_probe::max_tag_bits;
         ++f)
      add(f % 3 == 0 ? 2 : f % 3 == 1 ? 6 : 14, f);
    for (const std::uint32_t f : {8u, 12u, 13u, 16u, 17u, 32u}) {
      add(4, f);
      add(1002, f);
    }
    const std::uint64_t beyond_l2 = 2 * (base::caches().l2 / 12 + 99);
    add(beyond_l2, 12);
    add(beyond_l2 / 2 * 2, 31);
    return out;
  }

  static std::size_t sized(std::uint64_t n, double fpr) {
    return static_cast<std::size_t>(must(size_cuckoo_by_rate(n, fpr)).bits() / 8);
  }
};

}  // namespace bloomery::testing
