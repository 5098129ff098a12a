// The kinds of filter, as tests see them: the library's list, and their names.
#pragma once

#include <string>

#include <bloomery/concurrent.hpp>
#include <bloomery/kinds.hpp>

namespace bloomery::testing {

using bloomery::filter_types;
using bloomery::detail::type_list;

// As in file headers and options, with _ for -.
template <class F>
std::string kind_name() {
  std::string name = F::kind.name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

}  // namespace bloomery::testing
