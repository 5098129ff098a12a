// Keeps the argument parser from reading a meaning into values.
//
// CLI11 takes a value in brackets for a list: "[a,b]" would become two keys, "[]" none.
// Such arguments are marked before parsing, and the mark is taken off each value after.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bloomery::cli {

// The arguments after the program's name, last first, as CLI::App::parse wants them.
std::vector<std::string> literal_arguments(int argc, char** argv);

// Takes the marks off the values of every option of `command`.
void take_literally(CLI::App& command);

}  // namespace bloomery::cli
