#pragma once

#include <bloomery/detail/kind/scalable/sizing.hpp>
#include <bloomery/scalable_bloom.hpp>

#include "recipe.hpp"

namespace bloomery::testing {

// Filters of a rate have it in their first level: the keys that a law inserts are those
// that they are made for.
template <>
struct recipe<scalable_bloom> : sized_recipe<scalable_bloom> {
  static scalable_bloom empty(std::uint64_t n, double fpr) {
    return must(
        scalable_bloom::make({.keys = n == 0 ? 1 : n, .fpr = fpr, .dynamic = true}));
  }
  static scalable_bloom of(std::span<const key> keys, double fpr) {
    scalable_bloom f = empty(keys.size(), fpr);
    put_all_into(f, keys);
    return f;
  }

  static std::vector<shape<scalable_bloom>> shapes() {
    std::vector<shape<scalable_bloom>> out;
    const auto add = [&](std::uint64_t lines, double fpr, const growth_plan& plan,
                         block_profile profile) {
      const auto s = must(scalable_of_lines(lines, fpr, plan, profile));
      out.push_back({name_of(s.policy) + (" lines=" + std::to_string(lines)) + " by " +
                         std::to_string(s.growth) + " " + name_of(profile),
                     must(scalable_bloom::make(s))});
    };
    // As many keys as a law inserts fit into the first level, or into few.
    using enum block_profile;
    for (const block_profile p : {by_rate, half_line, line, two_lines}) {
      for (const std::uint64_t lines : {1, 2, 3, 5, 7}) {
        add(lines, 0.9, {.max_growth = 20}, p);
        add(lines, 0.9, {.growth = 4, .dynamic = true}, p);
      }
      for (const std::uint64_t lines : {64, 1000, 1009}) add(lines, 0.1, {}, p);
      add(base::caches().l2 / 64 + 3, 0.01, {.max_growth = 1000, .growth = 16}, p);
    }
    return out;
  }

  static std::size_t sized(std::uint64_t n, double fpr) {
    return must(size_scalable_by_rate(n, fpr, {.dynamic = true})).size_in_bytes(1);
  }
};

}  // namespace bloomery::testing
