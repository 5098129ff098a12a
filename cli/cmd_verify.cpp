// bloomery verify -- is a filter whole, and does it know its keys?
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "ask_all.hpp"
#include "command.hpp"
#include "messages.hpp"
#include "opened.hpp"
#include "output.hpp"
#include "source.hpp"

namespace bloomery::cli {
namespace {

using json = nlohmann::ordered_json;

struct verify_options {
  std::string filter;
  std::vector<std::string> key_files;
  read_request from;
  record_format format;
  bool as_json = false;
};

// What is known of a file before it is asked anything.
struct verdict {
  std::string dialect;
  std::optional<read_report> report;  // of containers
  std::optional<std::string> damage;
  std::optional<opened> filter;  // none: damaged where it cannot even be asked
};

verdict examine(const verify_options& o) {
  verdict v;
  const source from = find_source(o.filter, o.from);
  v.dialect = from.how->facts.name;
  if (from.container) v.report = check_container(o.filter);
  const bool damaged = v.report && v.report->damaged_chunks != 0;
  if (damaged) v.damage = damage_in_words(*v.report);
  try {
    v.filter.emplace(open_filter(o.filter, o.from));
  } catch (const failure&) {
    if (!damaged) throw;
    return v;
  }
  v.dialect = v.filter->dialect_name();
  if (!damaged) v.damage = v.filter->damage();
  return v;
}

json in_json(const verify_options& o, const verdict& v, const findings& found,
             bool good) {
  json j;
  j["filter"] = o.filter;
  j["dialect"] = v.dialect;
  j["checksum"] = v.report ? json(v.report->damaged_chunks == 0) : json(nullptr);
  if (v.report) {
    j["chunks"] = v.report->facts.chunks();
    j["damaged_chunks"] = v.report->damaged_chunks;
    j["sentinels"] = v.report->facts.sentinels;
  }
  j["damage"] = v.damage ? json(*v.damage) : json(nullptr);
  j["keys_checked"] = found.checked;
  j["keys_missing"] = found.missing;
  j["examples"] = found.examples;
  j["verdict"] = good;
  return j;
}

std::string counted(std::uint64_t n, std::string_view what) {
  return fmt::format("{} {}{}", grouped(n), what, n == 1 ? "" : "s");
}

// A filter of our own is asked for its sentinels when it is opened; another system's
// hashes keys otherwise, and only notes them.
bool checks_sentinels(const verdict& v) {
  return v.report->facts.kind != container_kind::foreign;
}

std::string in_words(const verify_options& o, const verdict& v, const findings& found) {
  const bool with_keys = !o.key_files.empty();
  std::string text =
      v.damage ? fmt::format("{}: damaged: {}\n", o.filter, *v.damage)
      : v.report
          ? fmt::format("{}: intact: {}, {} {}\n", o.filter,
                        counted(v.report->facts.chunks(), "chunk"),
                        counted(v.report->facts.sentinels, "sentinel"),
                        checks_sentinels(v) ? "found" : "noted")
          : fmt::format(
                "{}: header and length agree (the {} dialect has no "
                "checksum{})\n",
                o.filter, v.dialect, with_keys ? "" : "; check its keys with --keys");
  for (const std::string& example : found.examples)
    text += fmt::format("missing: {}\n", example);
  if (with_keys && v.filter)
    text += fmt::format("{}: {} of {} keys found, {} missing\n", o.filter,
                        grouped(found.checked - found.missing), grouped(found.checked),
                        grouped(found.missing));
  return text;
}

exit_status verify(const verify_options& o) {
  const verdict v = examine(o);
  const bool ask = !o.key_files.empty() && v.filter;
  const findings found =
      ask ? ask_for_all(o.key_files, with_encoding(o.format, v.filter->encoding),
                        [&](key_batch some, std::span<bool> out) {
                          v.filter->may_contain(some, out);
                        })
          : findings{};
  const bool good = !v.damage && found.missing == 0;
  output out;
  out.write(o.as_json ? in_json(o, v, found, good)
                                .dump(2, ' ', false, json::error_handler_t::replace) +
                            "\n"
                      : in_words(o, v, found));
  out.flush();
  return good ? yes : no;
}

}  // namespace

void add_verify(CLI::App& app, action& run) {
  const auto o = std::make_shared<verify_options>();
  CLI::App& c =
      *app.add_subcommand("verify", "Check a filter, and that it knows its keys");
  c.add_option("FILTER", o->filter, "the filter to check")
      ->required()
      ->type_name("FILTER");
  c.add_option("--keys", o->key_files, "keys that must all be found; -: standard input")
      ->type_name("KEYFILE");
  add_read_options(c, o->from);
  add_record_options(c, o->format);
  c.add_flag("--json", o->as_json, "for programs");
  c.footer(
      "Checks every checksum of a container and that its sentinels are found; other "
      "dialects\nhave no checksum, only --keys can tell.\n"
      "Ends with 0 if intact, 1 if damaged or a key is missing, 2 if unreadable.\n\n"
      "Examples:\n"
      "  bloomery verify users.bloom --keys users.txt\n"
      "  bloomery verify --dialect portable shared.bloom --keys users.txt --json");
  c.callback([o, &run] { run = [o] { return verify(*o); }; });
}

}  // namespace bloomery::cli
