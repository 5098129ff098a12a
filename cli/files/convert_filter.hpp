// The same bits in another form, where there is one.
#pragma once

#include <string_view>

#include "files/loaded_filter.hpp"

namespace bloomery::cli {

// What a filter is to become.
struct target {
  const dialect* to;         // native: a container
  std::string_view kind;     // of the filter in a container; empty: as it is
  std::string_view variant;  // of another system's bytes; empty: as it is
};

// Converts `f` to `t`: the same dialect in or out of a container, or a dialect with the
// same bits.  Throws failure, with the reason, where a key would have other bits.
void convert_filter(loaded_filter& f, const target& t);

}  // namespace bloomery::cli
