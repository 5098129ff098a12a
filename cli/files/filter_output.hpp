// Where `build`, `merge` and `convert` put the filter they made.
#pragma once

#include <string>
#include <vector>

#include <bloomery/any_filter.hpp>
#include <bloomery/container.hpp>
#include <bloomery/foreign_filter.hpp>

#include "files/used_files.hpp"

namespace bloomery::cli {

// /dev/stdout may be a file that the shell appends to: it must not be replaced.
bool is_standard_output(const std::string& out);

// Refuses what would fail after hours of reading keys, a missing directory, and an output
// that is one of the files it is made from.  Throws failure.
void check_output(const std::string& out, const std::vector<used_file>& used);

// Refuses an output that exists and holds text, compressed data or another known kind of
// file: `cat keys | bloomery build -o keys` would lose the keys.  An unknown format may
// be a filter without a container, whose first bytes can be anything: `is_bare` refuses
// text other than JSON only.  Throws failure unless `force`.
void check_replaceable(const std::string& out, bool is_bare, bool force);

// Refuses an output in a directory that is read as a dump: it would become part of it.
// Other filters may be replaced by what is made from them.  Throws failure.
void check_not_in_dump(const std::string& out, const std::string& filter);

// Each replaces the file `out`, or writes to standard output if it is "-", and shows
// progress unless `quiet`.  Throws failure.
void write_container(const any_filter& filter, write_notes notes, const std::string& out,
                     bool quiet);
void write_container(const foreign_filter& filter, write_notes notes,
                     const std::string& out, bool quiet);
// The bytes without a container; only if `out` is still the file `replaces`, if that is
// given.  REQUIRES: its kind has a bare form
void write_bare(const any_filter& filter, const std::string& out,
                const input_file* replaces = nullptr);
void write_bare(const foreign_filter& filter, const std::string& out,
                const input_file* replaces = nullptr);

}  // namespace bloomery::cli
