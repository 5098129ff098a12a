// Keeps the option parser from interpreting values.
//
// CLI11 reads a value in brackets as a list: "[a,b]" would become two keys, "[]" none.
// Such arguments are marked before parsing, and the mark is removed from each value
// after.
#pragma once

#include <string>
#include <vector>

namespace bloomery::cli {

// The arguments after the program's name, marked, last first: the order that
// CLI::App::parse takes.
std::vector<std::string> raw_arguments(int argc, char** argv);

// The value without its mark, if it has one.
std::string raw_value(std::string value);

}  // namespace bloomery::cli
