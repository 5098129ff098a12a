#include <fmt/format.h>

#include "command/shell_completion.hpp"

namespace bloomery::cli {
namespace {

// The names in the header of the last file on the line that has one.  The delimiter is
// that of the command line, as the tool has it.
constexpr const char* bash_columns = R"(_bloomery_columns() {
  local i file header delimiter= csv= name
  for ((i = 2; i < ${#COMP_WORDS[@]}; ++i)); do
    case ${COMP_WORDS[i]} in
      --csv) csv=1 ;;
      -d|--delimiter) delimiter=${COMP_WORDS[i+1]}; delimiter=${delimiter//[\'\"]/} ;;
    esac
  done
  [ "$delimiter" = '\t' ] && delimiter=
  [ -z "$delimiter" ] && { [ -n "$csv" ] && delimiter=, || delimiter=$'\t'; }
  for ((i = ${#COMP_WORDS[@]} - 1; i > 1; --i)); do
    [ "$i" -eq "$COMP_CWORD" ] && continue
    file=${COMP_WORDS[i]/#\~\//$HOME/}
    [ -f "$file" ] || continue
    header=$(head -c 65536 -- "$file" 2>/dev/null | head -n 1 | tr -d '\000\r')
    header=${header#$'\xef\xbb\xbf'}
    [[ ${header//"$delimiter"/} == *[[:cntrl:]]* ]] && continue
    [[ $header == *"$delimiter"* ]] || continue
    while IFS= read -r -d "$delimiter" name; do
      [ -n "$csv" ] && name=${name#\"} && name=${name%\"}
      [[ -n $name && $name == "$word"* ]] && COMPREPLY+=("$name")
    done <<< "$header$delimiter"
    return
  done
}
)";

// By lines, so that values may have blanks; directories get their slash.
constexpr const char* bash_function = R"(_bloomery() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} i
  local options="--help --version" values= after_dashes=
  COMPREPLY=()
  # --kind=block comes as three words.
  if [ "$word" = = ]; then
    word=
  elif [ "$before" = = ]; then
    before=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{0} -V $options" -- "$word"))
    return
  fi
  for ((i = 2; i < COMP_CWORD; ++i)); do
    [ "${{COMP_WORDS[i]}}" = -- ] && after_dashes=1
  done
  if [ -n "$after_dashes" ]; then
    COMPREPLY=($(compgen -f -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{1}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$word"))
  else
    local IFS=$'\n'
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _bloomery bloomery
)";

std::string bash_action(const option_definition& o) {
  switch (kind_of_value(o)) {
    case completes::values:
      return fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))",
                         in_a_row(o.values));
    case completes::files:
      return "local IFS=$'\\n'; COMPREPLY=($(compgen -f -- \"$word\"))";
    case completes::folders:
      return "local IFS=$'\\n'; COMPREPLY=($(compgen -d -- \"$word\"))";
    case completes::columns:
      return "_bloomery_columns";
    default:
      return ":";
  }
}

// What is offered in place of a word, and after the options that take a value.
std::string bash_case(const command_definition& c) {
  std::string names, values, cases;
  for (const option_definition& o : c.options) {
    for (const std::string& name : o.names) names += (names.empty() ? "" : " ") + name;
    if (o.names.empty() && !o.values.empty()) values = in_a_row(o.values);
    if (!o.names.empty() && !o.value.empty())
      cases += fmt::format("        {}) {}; return ;;\n", fmt::join(o.names, "|"),
                           bash_action(o));
  }
  return fmt::format(
      "    {}) options=\"{}\" values=\"{}\"\n      case $before in\n{}"
      "        '') ;;\n      esac ;;\n",
      c.name, names, values, cases);
}

}  // namespace

std::string for_bash(const std::vector<command_definition>& all) {
  std::vector<std::string> names;
  std::string cases;
  for (const command_definition& c : all) {
    names.push_back(c.name);
    cases += bash_case(c);
  }
  return bash_columns + fmt::format(fmt::runtime(bash_function), in_a_row(names), cases);
}

}  // namespace bloomery::cli
