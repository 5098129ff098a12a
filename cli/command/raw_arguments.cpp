#include "command/raw_arguments.hpp"

#include <string_view>

namespace bloomery::cli {
namespace {

constexpr char mark = '\x01';

// A value that starts with the mark itself is marked too, so that one can be removed.
bool wants_mark(std::string_view value) {
  return !value.empty() && (value.front() == '[' || value.front() == mark);
}

std::string marked(std::string argument) {
  if (wants_mark(argument)) return mark + argument;
  const std::size_t equals = argument.find('=');
  if (argument.starts_with("--") && equals != std::string::npos &&
      wants_mark(std::string_view(argument).substr(equals + 1)))
    argument.insert(equals + 1, 1, mark);
  return argument;
}

}  // namespace

std::vector<std::string> raw_arguments(int argc, char** argv) {
  std::vector<std::string> all;
  for (int i = argc - 1; i > 0; --i) all.push_back(marked(argv[i]));
  return all;
}

std::string raw_value(std::string value) {
  if (!value.empty() && value.front() == mark) value.erase(0, 1);
  return value;
}

}  // namespace bloomery::cli
