#include "files/filter_output.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <type_traits>

#include <bloomery/any_filter.hpp>

#include "files/known_files.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/output.hpp"
#include "text/progress.hpp"

namespace bloomery::cli {
namespace {

namespace fs = std::filesystem;

template <class Encode, class Save>
void write_to(const std::string& out, Encode encode, Save save) {
  if (is_standard_output(out)) {
    const result<pages> bytes = encode();
    if (!bytes) throw failure(describe(out, bytes.error()));
    output to;
    to.write({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    to.flush();
  } else if (const result<void> saved = save(out.c_str()); !saved) {
    throw failure(describe(out, saved.error()));
  }
}

}  // namespace

bool is_standard_output(const std::string& out) {
  constexpr std::array names{"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1",
                             "/proc/thread-self/fd/1"};
  return std::ranges::find(names, out) != names.end();
}

void check_output(const std::string& out, const std::vector<used_file>& used) {
  if (out.empty()) throw failure("-o: the name of the output is empty");
  if (is_standard_output(out)) return check_not_used("", used);
  fs::path folder = fs::path(out).parent_path();
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder))
    throw failure(fmt::format("{}: there is no directory {}; create it first", out,
                              folder.string()));
  if (fs::is_directory(out))
    throw failure(fmt::format("{}: is a directory; name a file with -o", out));
  check_not_used(out, used);
}

void check_replaceable(const std::string& out, bool is_bare, bool force) {
  std::error_code ignored;
  if (force || is_standard_output(out) || !fs::is_regular_file(out, ignored)) return;
  std::array<char, 4096> head;
  std::ifstream in(out, std::ios::binary);
  in.read(head.data(), head.size());
  const std::string_view start(head.data(), static_cast<std::size_t>(in.gcount()));
  const std::string_view what = known_as(start);
  // Some formats without a container are JSON.
  if (what.empty() || (is_bare && (what != "text" || start.starts_with('{')))) return;
  throw failure(fmt::format(
      "{}: exists and is no filter: it is {}, which would be lost; name another output "
      "with -o, or replace it with --force",
      out, what));
}

void check_not_in_dump(const std::string& out, const std::string& filter) {
  std::error_code ignored;
  if (is_standard_output(out) || !fs::is_directory(filter, ignored)) return;
  fs::path folder = fs::path(out).parent_path();
  if (fs::equivalent(folder.empty() ? "." : folder, filter, ignored))
    throw failure(fmt::format(
        "{}: would become part of the dump {}; name an output outside it with -o", out,
        filter));
}

void write_container(const any_filter& filter, write_notes notes, const std::string& out,
                     bool quiet) {
  progress bar("writing", quiet);
  notes.progress = calls_of(bar);
  if (!filter.facts().keeps_sentinels) {
    notes.keys = 0;
    notes.sentinels = {};
  }
  write_to(
      out, [&] { return encode_any(filter, notes); },
      [&](const char* path) { return save_any(filter, path, notes); });
}

void write_container(const foreign_filter& filter, write_notes notes,
                     const std::string& out, bool quiet) {
  progress bar("writing", quiet);
  notes.progress = calls_of(bar);
  write_to(
      out, [&] { return encode_wrapped(filter, notes); },
      [&](const char* path) { return save_wrapped(filter, path, notes); });
}

void write_bare(const any_filter& filter, const std::string& out,
                const input_file* replaces) {
  const bare_form& form = *find_kind(filter.facts().number)->bare;
  write_to(
      out, [&] { return encode_bare(filter, form.name); },
      [&](const char* path) { return save_bare(filter, form.name, path, replaces); });
}

void write_bare(const foreign_filter& filter, const std::string& out,
                const input_file* replaces) {
  write_to(
      out, [&] { return filter.encode(); },
      [&](const char* path) { return filter.save(path, replaces); });
}

}  // namespace bloomery::cli
