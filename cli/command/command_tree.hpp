// The commands and options of the tool as data, read back from their one definition:
// completion and the manual page are made from it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bloomery::cli {

struct option_definition {
  std::vector<std::string> names;  // "-o", "--output"; empty: positional
  std::string value;               // "OUT"; empty: a flag
  std::string help;
};

struct command_definition {
  std::string name;
  std::string help;
  std::string footer;
  std::vector<option_definition> options;
};

std::vector<command_definition> definitions_of(const CLI::App& app);

}  // namespace bloomery::cli
