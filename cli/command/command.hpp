// What every command shares: how it is added, how it ends, how it complains.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace CLI {
class App;  // <CLI/CLI.hpp> takes seconds to compile: only where it is used
}

namespace bloomery::cli {

// As grep ends.
enum exit_status : int { yes = 0, no = 1, trouble = 2 };

// Thrown anywhere below a command; main prints it on one line and ends with 2.
// Say what is wrong, where, and what to do about it.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Text on standard error, as far as it can be written.
void say(const std::string& text);
// "bloomery: warning: ..." on standard error.
void warn(const std::string& message);
// "bloomery: ..." on standard error, for what a user may like to know.
void note(const std::string& message);

using action = std::function<exit_status()>;

// Each adds one sub-command, and sets `run` to its work if it is the one chosen.
void add_build(CLI::App& app, action& run);
void add_query(CLI::App& app, action& run);
void add_info(CLI::App& app, action& run);
void add_verify(CLI::App& app, action& run);
void add_merge(CLI::App& app, action& run);
void add_convert(CLI::App& app, action& run);
void add_formats(CLI::App& app, action& run);
void add_bench(CLI::App& app, action& run);
void add_completion(CLI::App& app, action& run);
void add_man(CLI::App& app, action& run);

}  // namespace bloomery::cli
