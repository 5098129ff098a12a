// Which kind of filter --kind means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <bloomery/kinds.hpp>

namespace bloomery::cli {

// The kind of that name; of an empty one, the default.  Throws failure, listing the
// names.
const kind_info& kind_named(std::string_view name);

// "block, split-block, bloom, portable"; with a condition, "block and bloom".
std::string kind_names();
std::string kind_names(bool (*condition)(const kind_info& kind));
// The names alone.
std::vector<std::string> names_of_kinds(bool (*condition)(const kind_info& kind));

}  // namespace bloomery::cli
