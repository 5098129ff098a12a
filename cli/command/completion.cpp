// bloomery completion -- shell completion, made from the definitions of the commands.
#include <memory>

#include "command/commands.hpp"
#include "command/shell_completion.hpp"
#include "text/output.hpp"

namespace bloomery::cli {
namespace {

exit_status completion(const command_line& tool, const std::string& shell) {
  const std::vector<command_definition> all = with_command_names(tool.commands());
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
      "Commands, options, files, and the values of options are completed: kinds, "
      "dialects, hashes, key\ntypes, and for --field the names in the header of a file "
      "that is on the command line.\n\n"
      "Examples:\n"
      "  bloomery completion bash > ~/.local/share/bash-completion/completions/bloomery");
  c.run([shell, &tool] { return completion(tool, *shell); });
}

}  // namespace bloomery::cli
