#include "command/command_tree.hpp"

#include <CLI/CLI.hpp>

namespace bloomery::cli {
namespace {

option_definition definition_of(const CLI::Option& o) {
  option_definition d;
  for (const std::string& name : o.get_snames()) d.names.push_back("-" + name);
  for (const std::string& name : o.get_lnames()) d.names.push_back("--" + name);
  if (o.get_type_size() != 0) d.value = o.get_type_name();
  d.help = o.get_description();
  return d;
}

}  // namespace

std::vector<command_definition> definitions_of(const CLI::App& app) {
  std::vector<command_definition> all;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    command_definition c{sub->get_name(), sub->get_description(), sub->get_footer(), {}};
    for (const CLI::Option* o : sub->get_options())
      c.options.push_back(definition_of(*o));
    all.push_back(std::move(c));
  }
  return all;
}

}  // namespace bloomery::cli
