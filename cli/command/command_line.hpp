// The command line: commands and their options.
//
// CLI11 is behind this interface, in command_line.cpp alone: it costs every file that
// includes it about ten seconds of compile time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command/command_tree.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace bloomery::cli {

// Exit status as grep's.
enum exit_status : int { yes = 0, no = 1, trouble = 2 };

// What completion offers as the value of an option.
using option_values = std::map<const CLI::Option*, std::vector<std::string>>;

// A handle of one option of a command.
class option {
 public:
  option& required();
  option& excludes(const option& other);
  option& needs(const option& other);
  // One value each time the option is given, instead of all that follow it.
  option& one_value();
  // What completion offers: all values, or the usual ones.
  option& offers(std::vector<std::string> values);
  // Whether it was on the command line.  REQUIRES: the line has been parsed
  bool is_given() const;

 private:
  friend class command;
  option(CLI::Option* o, option_values& offered) : option_(o), offered_(&offered) {}

  CLI::Option* option_;
  option_values* offered_;
};

// A handle of one sub-command.
//
// `names` is "-o,--output", or "FILE" for a positional argument; `value` names the value
// in --help.  What an option writes to must live until the command has run.
class command {
 public:
  using action = std::function<exit_status()>;
  using text_action = std::function<void(const std::string&)>;

  option add(const std::string& names, const char* value, std::string& to,
             const std::string& help);
  option add(const std::string& names, const char* value, std::vector<std::string>& to,
             const std::string& help);
  option add(const std::string& names, const char* value, double& to,
             const std::string& help);
  option add(const std::string& names, const char* value, std::optional<double>& to,
             const std::string& help);
  // Calls take(text) with the value; it throws usage_error if the text is no such value.
  option add(const std::string& names, const char* value, text_action take,
             const std::string& help);
  // A whole number in [min, max].
  option add(const std::string& names, const char* value, unsigned& to, unsigned min,
             unsigned max, const std::string& help);
  // One of `choices`.
  option add(const std::string& names, const char* value, std::string& to,
             const std::vector<std::string>& choices, const std::string& help);
  option add_flag(const std::string& names, bool& to, const std::string& help);
  // Calls set() if it is given.
  option add_switch(const std::string& names, std::function<void()> set,
                    const std::string& help);

  // What --help prints below the options.
  void footer(const std::string& text);

  // `work` runs if this command is chosen.  It may throw usage_error and failure.
  void run(action work);

 private:
  friend class command_line;
  command(CLI::App* app, action& chosen, option_values& offered)
      : app_(app), chosen_(&chosen), offered_(&offered) {}
  option handle(CLI::Option* o) { return {o, *offered_}; }

  CLI::App* app_;
  action* chosen_;
  option_values* offered_;
};

class command_line {
 public:
  command_line(const std::string& name, const std::string& help,
               const std::string& version, const std::string& footer);
  ~command_line();
  command_line(const command_line&) = delete;

  command add(const std::string& name, const std::string& help);

  // Parses the arguments and runs the command they name.  Usage errors are reported on
  // standard error, on one line.  Throws what the command throws.
  exit_status run(int argc, char** argv);

  // All of it as data.
  const std::string& help() const { return help_; }
  // What --help prints for that command; empty: for the tool.  Throws usage_error: there
  // is no such command.
  std::string help_of(const std::string& command) const;
  std::vector<command_definition> commands() const;

 private:
  std::string help_;
  std::unique_ptr<CLI::App> app_;
  command::action chosen_;
  option_values offered_;
};

}  // namespace bloomery::cli
