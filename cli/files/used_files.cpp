#include "files/used_files.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

bool status_of(const std::string& path, struct stat& status) {
  return path == "-" ? ::fstat(STDIN_FILENO, &status) == 0
                     : ::stat(path.c_str(), &status) == 0;
}

void check_names(const std::vector<used_file>& used) {
  for (const used_file& file : used)
    if (file.path.empty() && file.as != as_secret)
      throw failure("'': cannot open: the name is empty");
}

// Made in advance: a handler of signals may write, and do little else.
std::string truncation_message;

extern "C" void on_truncation(int) {
  [[maybe_unused]] const auto n =
      ::write(STDERR_FILENO, truncation_message.data(), truncation_message.size());
  ::_exit(2);
}

}  // namespace

std::vector<used_file> used_files(const std::vector<std::string>& key_files,
                                  const std::string& secret_file) {
  std::vector<used_file> all;
  for (const std::string& path : key_files) all.push_back({path, as_keys});
  if (key_files.empty()) all.push_back({"-", as_keys});
  if (!secret_file.empty()) all.push_back({secret_file, as_secret});
  return all;
}

void check_not_used(const std::string& out, const std::vector<used_file>& used,
                    std::string_view advice) {
  check_names(used);
  struct stat to, from;
  if (out.empty() ? ::fstat(STDOUT_FILENO, &to) != 0 : ::stat(out.c_str(), &to) != 0)
    return;
  if (!S_ISREG(to.st_mode)) return;
  for (const used_file& file : used) {
    if (!status_of(file.path, from) || from.st_dev != to.st_dev ||
        from.st_ino != to.st_ino)
      continue;
    const std::string name = file.path == "-" ? "standard input" : file.path;
    if (out.empty())
      throw failure(fmt::format(
          "standard output is the same file as {}, {}; write to another", name, file.as));
    throw failure(fmt::format("{}: would replace {}{}; {}", out, file.as,
                              name == out ? "" : " (" + name + ")", advice));
  }
}

void check_standard_input(const std::vector<std::string>& filters,
                          const std::vector<std::string>& key_files) {
  const auto as_filter = std::ranges::count(filters, "-");
  const auto as_key_file = std::ranges::count(key_files, "-");
  if (as_filter > 1)
    throw usage_error("standard input can be read once: '-' is given for two filters");
  if (as_filter != 0 && as_key_file != 0)
    throw usage_error(
        "standard input cannot be both the filter and the keys: name a file for one");
}

void report_if_truncated(const std::string& filter) {
  truncation_message = fmt::format(
      "bloomery: {}: was changed while it was read: it was truncated; query again, and "
      "replace filters by mv, not in place as cp does\n",
      filter);
  std::signal(SIGBUS, on_truncation);
}

}  // namespace bloomery::cli
