// What the recipes of kinds that are only built have in common.
#pragma once

#include "recipe.hpp"
#include "test_key.hpp"

namespace bloomery::testing {

template <class F>
struct built_recipe {
  static constexpr bool checksummed = true;
  static std::size_t encoded_size(std::size_t bytes) {
    return sized_recipe<F>::encoded_size(bytes);
  }
  // The filter of no keys: nothing is sized for keys that are not there.
  static F empty(std::uint64_t, double fpr) { return must(F::build({}, {.fpr = fpr})); }
  static F of(std::span<const key> ks, double fpr) {
    return must(F::build(ks, {.fpr = fpr}));
  }
};

}  // namespace bloomery::testing
