// What the tool writes on standard error, and the exception that ends a command.
#pragma once

#include <stdexcept>
#include <string>

namespace bloomery::cli {

// Thrown anywhere below a command; main prints it on one line and exits with status 2.
// Say what is wrong, where, and what to do about it.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A command line that makes no sense.  Its line ends in a pointer to --help.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Text on standard error.  Errors of writing it are ignored.
void say(const std::string& text);
// The text with control characters escaped: a name may hold a newline, or what a terminal
// obeys.
std::string one_line(const std::string& text);
// "bloomery: warning: ..." on standard error, on one line.
void warn(const std::string& message);
// "bloomery: ..." on standard error: information that is not an error.
void note(const std::string& message);

}  // namespace bloomery::cli
