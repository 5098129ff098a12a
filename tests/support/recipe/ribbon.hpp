#pragma once

#include <bloomery/ribbon.hpp>

#include "built.hpp"
#include "ribbon_oracle.hpp"

namespace bloomery::testing {

template <>
struct recipe<ribbon> : built_recipe<ribbon> {
  static std::vector<shape<ribbon>> shapes() {
    std::vector<shape<ribbon>> out;
    const auto add = [&](const char* name, std::size_t keys_in, ribbon_columns c,
                         unsigned width, ribbon_limits limits = {}) {
      out.push_back({std::string(name) + " w=" + std::to_string(width) +
                         " r=" + std::to_string(c.columns),
                     ribbon_of(keys(3, keys_in), c, width, limits)});
    };
    for (const unsigned width : {64u, 128u}) {
      const std::uint32_t slots = width == 64 ? 128 : 512;
      add("none", 0, {8, 0}, width);
      add("one", 1, {32, 0}, width);
      add("last layer", 700, {7, 1u << 30}, width);
      add("one layer", 3000, {9, 3u << 30}, width);
      add("four layers", 6 * slots, {5, 1u << 31}, width, {.max_buckets = 1});
      add("hashes", 6 * slots, {3, 0}, width, {.last_keys = 1, .max_buckets = 1});
      add("beyond the cache", base::caches().l2, {12, 0}, width);
    }
    return out;
  }

  // What is expected of so many keys; how many a layer passes on depends on them.
  static constexpr double size_scatter = 0.005;
  static std::size_t sized(std::uint64_t n, double fpr) {
    return static_cast<std::size_t>(
        ribbon_layout(must(plan_ribbon(n, 64, must(ribbon_columns_by_rate(n, fpr)))))
            .size_in_bytes);
  }
};

}  // namespace bloomery::testing
