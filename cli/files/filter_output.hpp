// Where `build`, `merge` and `convert` put the filter they made.
#pragma once

#include <string>
#include <vector>

#include <bloomery/any_filter.hpp>
#include <bloomery/container.hpp>
#include <bloomery/foreign_filter.hpp>

namespace bloomery::cli {

// Refuses what would fail after hours of reading keys: a missing directory, or an output
// that is one of the key files.  Throws failure.
void check_output(const std::string& out, const std::vector<std::string>& key_files);

// Each replaces the file `out`, or writes to standard output if it is "-", and shows
// progress unless `quiet`.  Throws failure.
void write_container(const any_filter& filter, write_notes notes, const std::string& out,
                     bool quiet);
void write_container(const foreign_filter& filter, write_notes notes,
                     const std::string& out, bool quiet);
// The bytes without a container.  REQUIRES: a portable filter
void write_bare(const any_filter& filter, const std::string& out);
void write_bare(const foreign_filter& filter, const std::string& out);

}  // namespace bloomery::cli
