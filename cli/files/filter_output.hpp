// Where `build`, `merge` and `convert` put the filter they made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <bloomery/any_filter.hpp>
#include <bloomery/foreign_filter.hpp>
#include <bloomery/key.hpp>

namespace bloomery::cli {

// What a container records beside the filter.
struct notes {
  double asked_fpr = 0;
  std::uint64_t keys = 0;      // distinct, counted
  std::vector<key> sentinels;  // sorted
};

// Finds out what would go wrong before hours of reading rather than after: no directory,
// or a file that is read for its keys.  Throws failure.
void check_output(const std::string& out, const std::vector<std::string>& key_files);

// Each replaces the file `out`, or writes to standard output if it is "-", and shows
// progress unless `quiet`.  Throws failure.
void write_container(const any_filter& filter, const notes& n, const std::string& out,
                     bool quiet);
void write_container(const foreign_filter& filter, const notes& n, const std::string& out,
                     bool quiet);
// The owner's own bytes.  REQUIRES: the filter is a portable one
void write_bare(const any_filter& filter, const std::string& out);
void write_bare(const foreign_filter& filter, const std::string& out);

}  // namespace bloomery::cli
