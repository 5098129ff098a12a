// For several threads: the plain filter's recipe.
#pragma once

#include <utility>

#include <bloomery/concurrent.hpp>

#include "recipe.hpp"

namespace bloomery::testing {

template <class F, class Policy>
struct recipe<concurrent<F, Policy>> {
  using filter = concurrent<F, Policy>;
  static filter empty(std::uint64_t n, double fpr) {
    return must(filter::adopt(recipe<F>::empty(n, fpr)));
  }
  static filter of(std::span<const key> keys, double fpr) {
    filter f = empty(keys.size(), fpr);
    f.insert(keys);
    return f;
  }
  static std::vector<shape<filter>> shapes() {
    std::vector<shape<filter>> out;
    for (auto& [name, f] : recipe<F>::shapes())
      out.push_back({name, must(filter::adopt(std::move(f)))});
    return out;
  }
  static std::size_t sized(std::uint64_t n, double fpr) {
    return recipe<F>::sized(n, fpr);
  }
};

}  // namespace bloomery::testing
