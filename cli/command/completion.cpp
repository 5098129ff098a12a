// bloomery completion -- shell completion, made from the definitions of the commands.
#include <fmt/core.h>

#include <memory>

#include "command/commands.hpp"
#include "text/output.hpp"

namespace bloomery::cli {
namespace {

using commands = std::vector<command_definition>;

std::string names_of(const commands& all) {
  std::string names;
  for (const command_definition& c : all) names += (names.empty() ? "" : " ") + c.name;
  return names;
}

std::string options_of(const command_definition& c) {
  std::string names;
  for (const option_definition& o : c.options)
    for (const std::string& name : o.names) names += (names.empty() ? "" : " ") + name;
  return names;
}

// Options after a dash, otherwise commands, otherwise files.
std::string for_bash(const commands& all) {
  std::string cases;
  for (const command_definition& c : all)
    cases += fmt::format("    {}) options=\"{}\" ;;\n", c.name, options_of(c));
  return fmt::format(
      "_bloomery() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} options=\"--help --version\"\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"{} $options\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "  if [[ $word == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _bloomery bloomery\n",
      names_of(all), cases);
}

// Puts text in single quotes, as zsh and fish both read them.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += "'\\'";
    out += c;
  }
  return out += '\'';
}

std::string for_zsh(const commands& all) {
  std::string list, cases;
  for (const command_definition& c : all) {
    list += fmt::format("    {}\n", in_quotes(c.name + ":" + c.help));
    std::string options;
    for (const option_definition& o : c.options)
      for (const std::string& name : o.names) {
        std::string help;
        for (const char ch : o.help)  // brackets and colons have a meaning there
          if (ch != '[' && ch != ']' && ch != ':') help += ch;
        const std::string value =
            o.value.empty() ? "" : fmt::format(":{}:_files", o.value);
        options += ' ';
        options += in_quotes(fmt::format("{}[{}]{}", name, help, value));
      }
    cases += fmt::format("    {}) _arguments{} '*:file:_files' ;;\n", c.name, options);
  }
  return fmt::format(
      "#compdef bloomery\n"
      "_bloomery() {{\n"
      "  local -a commands\n  commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
      "# Loaded from $fpath the file is the function; sourced, it must be registered.\n"
      "if [ \"$funcstack[1]\" = _bloomery ]; then\n  _bloomery \"$@\"\nelse\n"
      "  compdef _bloomery bloomery\nfi\n",
      list, cases);
}

std::string for_fish(const commands& all) {
  std::string text;
  for (const command_definition& c : all) {
    text += fmt::format("complete -c bloomery -n __fish_use_subcommand -a {} -d {}\n",
                        c.name, in_quotes(c.help));
    for (const option_definition& o : c.options) {
      std::string line =
          fmt::format("complete -c bloomery -n '__fish_seen_subcommand_from {}'", c.name);
      for (const std::string& name : o.names)
        line +=
            name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (o.names.empty()) continue;
      text += fmt::format("{}{} -d {}\n", line, o.value.empty() ? "" : " -r",
                          in_quotes(o.help));
    }
  }
  return text;
}

exit_status completion(const command_line& tool, const std::string& shell) {
  const commands all = tool.commands();
  output out;
  out.write(shell == "bash"  ? for_bash(all)
            : shell == "zsh" ? for_zsh(all)
                             : for_fish(all));
  out.flush();
  return yes;
}

}  // namespace

void add_completion(command_line& tool) {
  const auto shell = std::make_shared<std::string>();
  command c = tool.add("completion", "Print shell completion");
  c.add("SHELL", "SHELL", *shell, {"bash", "zsh", "fish"}, "bash, zsh or fish")
      .required();
  c.footer(
      "Examples:\n"
      "  bloomery completion bash > ~/.local/share/bash-completion/completions/bloomery");
  c.run([shell, &tool] { return completion(tool, *shell); });
}

}  // namespace bloomery::cli
