// The options of kinds, as the library's tables have them (description.hpp).
#pragma once

#include <bloomery/kinds.hpp>

#include "command/command_line.hpp"

namespace bloomery::cli {

// Adds --NAME for every option of a kind that `condition` selects, once for all kinds
// that have it.  `r` must live until the command has run.
void add_kind_options(command& c, size_request& r,
                      bool (*condition)(const kind_info& kind));

}  // namespace bloomery::cli
