#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/window/sizing.hpp>
#include <bloomery/window_bloom.hpp>

#include "recipe.hpp"

namespace bloomery::testing {

template <>
struct recipe<window_bloom> : sized_recipe<window_bloom> {
  static std::vector<shape<window_bloom>> shapes() {
    std::vector<shape<window_bloom>> out;
    const auto add = [&](window_shape s) {
      out.push_back({std::string(name_of(s.one.profile)) +
                         " G=" + std::to_string(s.generations) +
                         " B=" + std::to_string(s.one.blocks) +
                         " N=" + std::to_string(s.generation_keys),
                     must(window_bloom::make(s))});
    };
    for (const block_profile p :
         {block_profile::half_line, block_profile::line, block_profile::two_lines}) {
      // Keys of a generation, in turn: each number meets every number of blocks.
      constexpr std::array<std::uint64_t, 5> keys{7, 0, 1, 100, 1000};
      std::size_t turn = 0;
      for (const unsigned generations : {2u, 3u, 5u, 2u, 3u})
        for (const std::uint64_t blocks : {1u, 2u, 3u, 1009u})
          add({{blocks, p}, generations, keys[turn++ % keys.size()]});
      add({{1, p}, window_shape::max_generations, 3});
      add({{base::caches().l2 / 64 + 3, p}, 4, 77});
    }
    return out;
  }
  static std::size_t sized(std::uint64_t n, double fpr) {
    return static_cast<std::size_t>(must(size_window_by_rate(n, fpr)).size_in_bytes());
  }
};

}  // namespace bloomery::testing
