#include "command/shell_completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace bloomery::cli {

completes kind_of_value(const option_definition& o) {
  constexpr std::array<std::string_view, 6> files{"FILE", "KEYFILE", "FILTER",
                                                  "OUT",  "STATE",   "F"};
  if (!o.values.empty()) return completes::values;
  if (std::ranges::find(o.names, "--field") != o.names.end()) return completes::columns;
  if (std::ranges::find(files, o.value) != files.end()) return completes::files;
  return o.value == "DIR" ? completes::folders : completes::nothing;
}

std::vector<command_definition> with_command_names(std::vector<command_definition> all) {
  std::vector<std::string> names;
  for (const command_definition& c : all) names.push_back(c.name);
  for (command_definition& c : all)
    for (option_definition& o : c.options)
      if (o.value == "COMMAND") o.values = names;
  return all;
}

std::string in_a_row(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, " "));
}

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += "'\\'";
    out += c;
  }
  return out += '\'';
}

}  // namespace bloomery::cli
