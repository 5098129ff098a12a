// The rows of a comparison as Markdown.
#pragma once

#include <span>
#include <string>

#include "comparison/row.hpp"
#include "comparison/set.hpp"
#include "comparison/strings.hpp"

namespace bloomery::bench {

std::string comparison_table(std::span<const row> rows);

std::string strings_table(std::span<const string_row> rows);
std::string sets_table(std::span<const set_row> rows);

// Who is who: one line each.
std::string comparison_legend(std::span<const row> rows);

}  // namespace bloomery::bench
