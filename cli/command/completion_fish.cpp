#include <fmt/format.h>

#include "command/shell_completion.hpp"

namespace bloomery::cli {
namespace {

// As _bloomery_columns of bash.
constexpr const char* fish_columns = R"(function __bloomery_columns
  set -l words (commandline -opc)
  set -l delimiter \t
  contains -- --csv $words; and set delimiter ,
  for i in (seq (count $words))
    if contains -- $words[$i] -d --delimiter; and test (count $words) -gt $i
      test $words[(math $i + 1)] = '\t'; or set delimiter $words[(math $i + 1)]
    end
  end
  for file in $words[-1..1]
    test -f $file; or continue
    set -l header (head -c 65536 -- $file 2>/dev/null | head -n 1 | tr -d '\000\r')
    string match -q -- "*$delimiter*" $header; or continue
    string split -- $delimiter $header | string trim -c '"'
    return
  end
end
)";

std::string fish_action(const option_definition& o) {
  if (o.value.empty()) return "";
  switch (kind_of_value(o)) {
    case completes::values:
      return " -x -a " + in_quotes(in_a_row(o.values));
    case completes::files:
      return " -r -F";
    case completes::folders:
      return " -x -a '(__fish_complete_directories)'";
    case completes::columns:
      return " -x -a '(__bloomery_columns)'";
    default:
      return " -x";
  }
}

std::string fish_lines(const command_definition& c) {
  std::string text =
      fmt::format("complete -c bloomery -n __fish_use_subcommand -a {} -d {}\n", c.name,
                  in_quotes(c.help));
  for (const option_definition& o : c.options) {
    std::string line =
        fmt::format("complete -c bloomery -n '__fish_seen_subcommand_from {}'", c.name);
    for (const std::string& name : o.names)
      line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!o.names.empty())
      text += fmt::format("{}{} -d {}\n", line, fish_action(o), in_quotes(o.help));
    else if (!o.values.empty())
      text += fmt::format("{} -f -a {}\n", line, in_quotes(in_a_row(o.values)));
  }
  return text;
}

}  // namespace

std::string for_fish(const std::vector<command_definition>& all) {
  std::string text = fish_columns;
  for (const command_definition& c : all) text += fish_lines(c);
  return text;
}

}  // namespace bloomery::cli
