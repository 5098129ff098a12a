// How --help is laid out.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace bloomery::cli {

// As CLI11 does it, but an option shows its value and nothing else: what excludes what
// is told when it happens.
class plain_help : public CLI::Formatter {
 public:
  plain_help() { column_width(28); }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_positional() || option->get_type_size() == 0) return "";
    return " " + option->get_type_name() + (option->get_required() ? " (required)" : "");
  }
};

}  // namespace bloomery::cli
