// The rows of a comparison as JSON, for tools/charts.py.
#pragma once

#include <span>
#include <string>

#include "comparison/row.hpp"
#include "comparison/set.hpp"
#include "comparison/strings.hpp"

namespace bloomery::bench {

// `machine` as describe_machine says it.
std::string comparison_json(std::span<const row> rows,
                            std::span<const string_row> strings,
                            std::span<const set_row> sets, const std::string& machine);

}  // namespace bloomery::bench
