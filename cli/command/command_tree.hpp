// The commands and options of the tool as data: completion and the manual page are made
// from it.
#pragma once

#include <string>
#include <vector>

namespace bloomery::cli {

struct option_definition {
  std::vector<std::string> names;  // "-o", "--output"; empty: positional
  std::string value;               // "OUT"; empty: a flag
  std::string help;
  std::vector<std::string> values;  // all it takes, if they are few; empty: others too
};

struct command_definition {
  std::string name;
  std::string help;
  std::string footer;
  std::vector<option_definition> options;
};

}  // namespace bloomery::cli
