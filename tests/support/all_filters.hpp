// Every kind of filter with its recipe, and their names, for typed tests.  What every
// filter promises is in tests/law, which is compiled per kind and not per test.
#pragma once

#include <concepts>
#include <string>

#include <gtest/gtest.h>

#include <bloomery/concurrent.hpp>

#include "all_recipes.hpp"  // every header in recipe/: CMakeLists.txt writes it
#include "encoded.hpp"
#include "filter_types.hpp"

namespace bloomery::testing {

using stored_filters = filter_types::apply<::testing::Types>;

// Names the typed tests: Container/block instead of /0.
struct filter_names {
  template <class F>
  static std::string GetName(int) {
    if constexpr (shared_form<F>)
      return (std::same_as<typename F::policy, locked> ? "locked_" : "wait_free_") +
             kind_name<typename F::plain>();
    else
      return kind_name<F>();
  }
};

}  // namespace bloomery::testing
