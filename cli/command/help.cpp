// bloomery help, bloomery version: what --help and --version print, as commands.
#include <memory>
#include <string>

#include <bloomery/version.hpp>

#include "command/commands.hpp"
#include "text/output.hpp"

namespace bloomery::cli {
namespace {

exit_status print(const std::string& text) {
  output out;
  out.write(text);
  out.flush();
  return yes;
}

}  // namespace

void add_help(command_line& tool) {
  const auto name = std::make_shared<std::string>();
  command c = tool.add("help", "Explain a command, or list them all");
  c.add("COMMAND", "COMMAND", *name, "the command to explain; none: list all");
  c.footer("Examples:\n  bloomery help\n  bloomery help query");
  c.run([name, &tool] { return print(tool.help_of(*name)); });
}

void add_version(command_line& tool) {
  command c = tool.add("version", "Print the version of the tool");
  c.footer("Examples:\n  bloomery version");
  c.run([] { return print(BLOOMERY_VERSION_STRING "\n"); });
}

}  // namespace bloomery::cli
