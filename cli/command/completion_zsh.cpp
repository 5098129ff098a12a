#include <fmt/format.h>

#include "command/shell_completion.hpp"

namespace bloomery::cli {
namespace {

// As _bloomery_columns of bash.
constexpr const char* zsh_columns = R"(_bloomery_columns() {
  local delimiter=$'\t' file header
  local -a names
  (( ${words[(I)--csv]} )) && delimiter=,
  local i=${words[(I)(-d|--delimiter)]}
  (( i )) && [[ ${words[i+1]} != '\t' ]] && delimiter=${(Q)words[i+1]}
  for file in ${(Oa)words}; do
    file=${~${(Q)file}} 2>/dev/null
    [[ -f $file ]] || continue
    header=$(head -c 65536 -- $file 2>/dev/null | head -n 1 | tr -d '\000\r')
    [[ ${header//$delimiter/} == *[[:cntrl:]]* || $header != *$delimiter* ]] && continue
    names=(${(ps:$delimiter:)header})
    names=(${${names#\"}%\"})
    compadd -a names
    return
  done
}
)";

std::string zsh_action(const option_definition& o) {
  switch (kind_of_value(o)) {
    case completes::values:
      return fmt::format("({})", in_a_row(o.values));
    case completes::files:
      return "_files";
    case completes::folders:
      return "_files -/";
    case completes::columns:
      return "_bloomery_columns";
    default:
      return " ";
  }
}

// Brackets and colons have a meaning there.
std::string zsh_help(const option_definition& o) {
  std::string help;
  for (const char ch : o.help)
    if (ch != '[' && ch != ']' && ch != ':') help += ch;
  return help;
}

std::string zsh_case(const command_definition& c) {
  std::string options, rest = "*:file:_files";
  for (const option_definition& o : c.options) {
    for (const std::string& name : o.names)
      options +=
          " " +
          in_quotes(fmt::format(
              "{}[{}]{}", name, zsh_help(o),
              o.value.empty() ? "" : fmt::format(":{}:{}", o.value, zsh_action(o))));
    if (o.names.empty() && !o.values.empty())
      rest = fmt::format("1:{}:{}", o.value, zsh_action(o));
  }
  return fmt::format("    {}) _arguments{} {} ;;\n", c.name, options, in_quotes(rest));
}

}  // namespace

std::string for_zsh(const std::vector<command_definition>& all) {
  std::string list, cases;
  for (const command_definition& c : all) {
    list += fmt::format("    {}\n", in_quotes(c.name + ":" + c.help));
    cases += zsh_case(c);
  }
  return "#compdef bloomery\n" + std::string(zsh_columns) +
         fmt::format(
             "_bloomery() {{\n"
             "  local -a commands\n  commands=(\n{}  )\n"
             "  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n"
             "  fi\n"
             "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n"
             "  case $command in\n{}  esac\n"
             "}}\n"
             "# Loaded from $fpath the file is the function; sourced, it must be "
             "registered.\n"
             "if [ \"$funcstack[1]\" = _bloomery ]; then\n  _bloomery \"$@\"\nelse\n"
             "  compdef _bloomery bloomery\nfi\n",
             list, cases);
}

}  // namespace bloomery::cli
