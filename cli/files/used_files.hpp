// Files that a command reads, so that its output is none of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bloomery::cli {

struct used_file {
  std::string path;     // "-": standard input
  std::string_view as;  // "the keys it is made from"
};

constexpr std::string_view as_keys = "the keys it is made from";
constexpr std::string_view as_secret = "the secret of its hash";

// Key files, of which none means standard input, and a secret, if there is one.
std::vector<used_file> used_files(const std::vector<std::string>& key_files,
                                  const std::string& secret_file);

// Refuses an output that is one of these files, by whatever name: what would be replaced
// could not be made again.  Compares device and inode.  `out` empty: standard output.
// Only regular files can be lost.  Throws failure, also if a file has an empty name.
void check_not_used(const std::string& out, const std::vector<used_file>& used,
                    std::string_view advice = "name another output with -o");

// Standard input can be read once.  Throws usage_error if "-" is given twice.
void check_standard_input(const std::vector<std::string>& filters,
                          const std::vector<std::string>& key_files);

// Names the filter that is mapped in the message of a SIGBUS: a file that is cut short
// takes its pages along.
void report_if_truncated(const std::string& filter);

}  // namespace bloomery::cli
