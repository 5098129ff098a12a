// Programs that complete command lines, for each shell.
//
// After an option whose values are known they are offered, after one that takes a file
// files, after --field the names in the header of a file that is on the line, and after
// other options nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command/command_tree.hpp"

namespace bloomery::cli {

// What follows an option.
enum class completes : unsigned char { nothing, values, files, folders, columns };
completes kind_of_value(const option_definition& o);

// The positional argument that is a command takes their names.
std::vector<command_definition> with_command_names(std::vector<command_definition> all);

// "a b c"
std::string in_a_row(const std::vector<std::string>& names);
// Puts text in single quotes, as zsh and fish both read them.
std::string in_quotes(std::string_view text);

std::string for_bash(const std::vector<command_definition>& all);
std::string for_zsh(const std::vector<command_definition>& all);
std::string for_fish(const std::vector<command_definition>& all);

}  // namespace bloomery::cli
