// Where `build` and `merge` put the filter they made.
#pragma once

#include <string>
#include <vector>

#include "dialects.hpp"

namespace bloomery::cli {

// Finds out what would go wrong before hours of reading rather than after: no directory,
// or a file that is read for its keys.  Throws failure.
void check_output(const std::string& out, const std::vector<std::string>& key_files);

// Replaces the file `out`, or writes to standard output if it is "-".  Throws failure.
void write_filter(const any_filter& filter, const dialect& how, const std::string& out);

}  // namespace bloomery::cli
