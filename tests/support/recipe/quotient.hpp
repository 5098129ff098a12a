#pragma once

#include <bloomery/quotient.hpp>

#include "recipe.hpp"

namespace bloomery::testing {

template <>
struct recipe<quotient> : sized_recipe<quotient> {
  static std::vector<shape<quotient>> shapes() {
    std::vector<shape<quotient>> out;
    const auto add = [&](std::uint64_t quotients, std::uint32_t r) {
      out.push_back({"S=" + std::to_string(quotients) + " r=" + std::to_string(r),
                     must(quotient::make(quotient_layout_of(quotients, r)))});
    };
    // Every width, few quotients and many, and around whole blocks.
    for (std::uint32_t r = quotient_layout::min_remainder_bits;
         r <= quotient_layout::max_remainder_bits; ++r)
      add(r % 4 == 0 ? 1 : r % 4 == 1 ? 63 : r % 4 == 2 ? 64 : 129, r);
    for (const std::uint32_t r : {2u, 6u, 7u, 8u, 16u, 32u}) add(1009, r);
    add(base::caches().l2, 7);
    return out;
  }

  static std::size_t sized(std::uint64_t n, double fpr) {
    return static_cast<std::size_t>(must(size_quotient_by_rate(n, fpr)).size_in_bytes());
  }
};

}  // namespace bloomery::testing
