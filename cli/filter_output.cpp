#include "filter_output.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "command.hpp"
#include "messages.hpp"
#include "output.hpp"

namespace bloomery::cli {
namespace {

namespace fs = std::filesystem;

// /dev/stdout may be a file that the shell appends to: it must not be replaced.
bool is_standard_output(const std::string& out) {
  return out == "-" || out == "/dev/stdout";
}

}  // namespace

void check_output(const std::string& out, const std::vector<std::string>& key_files) {
  if (out.empty()) throw failure("-o: the name of the output is empty");
  if (is_standard_output(out)) return;
  fs::path folder = fs::path(out).parent_path();
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder))
    throw failure(fmt::format("{}: there is no directory {}; create it first", out,
                              folder.string()));
  if (fs::is_directory(out))
    throw failure(fmt::format("{}: is a directory; name a file with -o", out));
  for (const std::string& file : key_files) {
    std::error_code ignored;
    if (fs::is_regular_file(out, ignored) && fs::equivalent(out, file, ignored))
      throw failure(
          fmt::format("{}: would replace the keys it is made from; name another "
                      "output with -o",
                      out));
  }
}

void write_filter(const any_filter& filter, const dialect& how, const std::string& out) {
  if (is_standard_output(out)) {
    const auto bytes = how.encode(filter);
    if (!bytes) throw failure(describe(out, bytes.error()));
    output to;
    to.write({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    to.flush();
  } else if (const auto saved = how.save(filter, out.c_str()); !saved) {
    throw failure(describe(out, saved.error()));
  }
}

}  // namespace bloomery::cli
