#pragma once

#include <bloomery/detail/kind/stable/sizing.hpp>
#include <bloomery/stable_bloom.hpp>

#include "recipe.hpp"
#include "stable_oracle.hpp"

namespace bloomery::testing {

// For the laws that need their keys found, `of` forgets none but by a rare chance, which
// is the same in every run: the keys and the seed are.
template <>
struct recipe<stable_bloom> {
  static constexpr bool checksummed = true;
  static constexpr double forgotten = 1e-7;
  static std::size_t encoded_size(std::size_t bytes) {
    return sized_recipe<stable_bloom>::encoded_size(bytes);
  }
  static stable_bloom empty(std::uint64_t n, double fpr) {
    return must(
        stable_bloom::make({.keys = n == 0 ? 1 : n, .fpr = fpr, .forgotten = forgotten}));
  }
  static stable_bloom of(std::span<const key> keys, double fpr) {
    auto f = empty(keys.size(), fpr);
    put_all_into(f, keys);
    return f;
  }
  static std::vector<shape<stable_bloom>> shapes() {
    std::vector<shape<stable_bloom>> out;
    auto all = stable_shapes();
    constexpr std::uint64_t one = std::uint64_t{1} << 32;
    for (const unsigned width : {1u, 2u, 4u})
      all.push_back(
          {bits_beyond_l2() / width, width, (1u << width) - 1, 5, 40 * one + 1});
    for (const stable_shape& s : all)
      out.push_back({"cells=" + std::to_string(s.cells) + " d=" +
                         std::to_string(s.cell_bits) + " k=" + std::to_string(s.hashes),
                     must(stable_bloom::make(s))});
    return out;
  }
  static std::size_t sized(std::uint64_t n, double fpr) {
    return static_cast<std::size_t>(
        must(size_stable_by_rate(n, fpr, forgotten)).size_in_bytes());
  }
};

}  // namespace bloomery::testing
