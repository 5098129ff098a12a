// bloomery info -- what a filter is, and its current state.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string_view>

#include <bloomery/kinds.hpp>

#include "command/commands.hpp"
#include "command/cpu_report.hpp"
#include "command/shared_options.hpp"
#include "files/filter_report.hpp"
#include "files/likely_format.hpp"
#include "files/query_filter.hpp"
#include "files/source.hpp"
#include "files/used_files.hpp"
#include "text/json.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/output.hpp"

namespace bloomery::cli {
namespace {

struct info_options {
  std::vector<std::string> filters;
  read_request from;
  bool cpu = false;
  bool as_json = false;
};

constexpr std::size_t max_parts = 20;  // in words; --json has all

std::string null_in_words(const json& all, const std::string& name) {
  if (name == "intact") return "unknown: this format has no checksum";
  if (name == "key_source") return "bytes (not recorded)";
  const bool computed = !all.at("fill").is_null();
  if (name == "keys_estimate" && computed) return "unknown: every bit is set";
  const bool is_state = name == "keys_estimate" || name == "fill" ||
                        name == "design_fpr" || name == "realised_fpr";
  return is_state && !computed ? "unknown" : "not recorded";
}

// Formats a value by the unit of its field.
std::string in_words(const json& value, std::string_view unit) {
  if (value.is_null()) return "unknown";
  if (value.is<std::string>()) return value.get<std::string>();
  if (value.is<bool>()) return value.get<bool>() ? "yes" : "no";
  if (unit == "rate") return rate(value.get<double>());
  if (unit == "share") return fmt::format("{:.2f} %", 100 * value.get<double>());
  if (unit == "keys" && value.is<double>())
    return grouped(static_cast<std::uint64_t>(std::llround(value.get<double>())));
  if (!value.is<std::uint64_t>() || unit == "number") return value.dump();
  const auto n = value.get<std::uint64_t>();
  return unit == "bytes" ? fmt::format("{} ({})", grouped(n), size(n)) : grouped(n);
}

// What is no field of a kind: notes of a container, other systems' filters.
std::string_view unit_of(std::string_view name) {
  if (name.ends_with("_fpr")) return "rate";
  if (name == "fill") return "share";
  if (name == "keys_estimate") return "keys";
  if (name == "bytes" || name == "part_bytes") return "bytes";
  return name == "seed" ? "number" : "";
}

const kind_field* field_of(const json& report, std::string_view name) {
  const kind_info* const k = find_kind(report.at("kind").get<std::string>());
  return k == nullptr ? nullptr : find_field(*k, name);
}

// A table: one line per row, its columns by name.
std::string table_in_words(const kind_field& table, const json::items& rows) {
  std::string text = fmt::format("{:<14} {}\n", table.name, grouped(rows.size()));
  for (std::size_t i = 0; i < std::min(rows.size(), max_parts); ++i) {
    text += fmt::format("{:>14}", i);
    for (const kind_field& c : table.columns)
      text += fmt::format("{} {} {}", &c == table.columns.data() ? "" : ",", c.name,
                          in_words(rows[i].at(c.name), c.unit));
    text += '\n';
  }
  return text;
}

// None where it is not computed for one part alone.
std::string rate_of_part(const json& part) {
  const auto& [name, value] = part.get<json::members>().back();
  return name == "realised_fpr" ? fmt::format(", rate {}", rate(value.get<double>()))
                                : "";
}

std::string parts_in_words(const json::items& parts) {
  std::string text = fmt::format("{:<14} {}\n", "parts", grouped(parts.size()));
  for (std::size_t i = 0; i < std::min(parts.size(), max_parts); ++i)
    text +=
        fmt::format("{:>14} {}: {} bits, {} hashes, at byte {}{}\n", i,
                    parts[i].at("name").get<std::string>(),
                    grouped(parts[i].at("bits").get<std::uint64_t>()),
                    parts[i].at("hashes").get<std::uint64_t>(),
                    parts[i].at("offset").get<std::uint64_t>(), rate_of_part(parts[i]));
  return text;
}

json report_filter(source& from) {
  const query_filter f = open_filter(from);
  const auto report = f.container ? std::optional(check_container(from)) : std::nullopt;
  const json j = filter_report(f, report);
  check_unchanged(from, &f);
  if (report && report->damaged_chunks != 0)
    warn(fmt::format("{}: {}", from.path(), damage_in_words(*report)));
  else if (const auto damage = f.damage())
    warn(fmt::format("{}: {}", from.path(), *damage));
  return j;
}

json report_without_secret(const source& from) {
  const read_report report = check_container(from);
  check_unchanged(from, nullptr);
  if (report.damaged_chunks != 0)
    warn(fmt::format("{}: {}", from.path(), damaged_chunks_in_words(report)));
  note(
      fmt::format("{}: its hash is keyed: fill, rate and number of keys need its secret: "
                  "--secret-file F",
                  from.path()));
  return header_report(report);
}

std::string words_of(const json& j) {
  std::string text;
  for (const auto& [name, value] : j.get<json::members>()) {
    const kind_field* const field = field_of(j, name);
    if (field != nullptr && field->is_table() && !value.is_null())
      text += table_in_words(*field, value.get<json::items>());
    else if (name == "parts")
      text += parts_in_words(value.get<json::items>());
    else
      text += fmt::format(
          "{:<14} {}\n", name,
          value.is_null()
              ? null_in_words(j, name)
              : in_words(value, field != nullptr ? field->unit : unit_of(name)));
  }
  return text;
}

// What the fields of each kind mean, once where kinds share them.
std::string fields_in_words() {
  std::string text;
  std::set<std::string> said;
  for (const kind_info& k : kinds()) {
    std::string own;
    for (const kind_field& f : k.fields)
      if (said.insert(std::string(f.name) + f.help).second)
        own += fmt::format("    {:<18} {}\n", f.name, f.help);
    if (!own.empty()) text += fmt::format("  {}:\n{}", k.facts.name, own);
  }
  return text;
}

// Several reports say whose they are: a line each in JSON, a first line in words.
void print(output& out, const info_options& o, const std::string& path, const json& j,
           const std::string& words) {
  const bool is_one = o.filters.size() == 1;
  if (is_one) return out.write(o.as_json ? j.dump() + "\n" : words);
  if (!o.as_json) {
    if (path != o.filters.front()) out.write('\n');
    return out.write(fmt::format("{:<14} {}\n{}", "filter", one_line(path), words));
  }
  json named;
  named["filter"] = path;
  for (const auto& [name, value] : j.get<json::members>()) named[name] = value;
  out.write(named.dump_line() + "\n");
}

void report_one(output& out, const info_options& o, const std::string& path) {
  report_if_truncated(path);
  filter_file file(path);
  try {
    source from = find_source(file, o.from, need::to_check);
    const json j =
        from.lacks_secret() ? report_without_secret(from) : report_filter(from);
    print(out, o, path, j, o.as_json ? "" : words_of(j));
  } catch (const unrecognised&) {
    const json j = unknown_report(file);
    file.check_unchanged();
    print(out, o, path, j, o.as_json ? "" : unknown_in_words(j, file.argument()));
    out.flush();
    if (j.at("candidates").get<json::items>().empty()) throw;
    throw unrecognised(fmt::format(
        "{}: its format cannot be determined: name it with --dialect", file.path()));
  }
}

exit_status info(const info_options& o) {
  if (o.cpu) {
    report_cpu(o.as_json);
    return yes;
  }
  std::vector<used_file> used;
  for (const std::string& path : o.filters) used.push_back({path, "the filter"});
  check_standard_input(o.filters, {});
  check_not_used("", used);
  output out;
  exit_status worst = yes;
  for (const std::string& path : o.filters) {
    try {
      report_one(out, o, path);
    } catch (const failure& f) {
      if (o.filters.size() == 1) throw;
      // The report on unknown bytes is written already.
      if (o.as_json && dynamic_cast<const unrecognised*>(&f) == nullptr)
        out.write(error_report(path, f.what()).dump_line() + "\n");
      out.flush();
      note(f.what());
      worst = trouble;
    }
  }
  out.flush();
  return worst;
}

}  // namespace

void add_info(command_line& tool) {
  const auto o = std::make_shared<info_options>();
  command c = tool.add("info", "Show the parameters and the state of a filter");
  const option filter =
      c.add("FILTER", "FILTER", o->filters, "filters to examine; -: standard input");
  add_read_options(c, o->from);
  c.add_flag("--cpu", o->cpu, "show instead which kernels this machine runs")
      .excludes(filter);
  c.add_flag("--json", o->as_json, "for programs; null: not recorded or not knowable");
  c.footer(
      "Fields, and below each kind those it adds:\n" + fields_in_words() +
      "\nkeys_estimate, fill and realised_fpr are computed from the bits; keys were "
      "counted "
      "and\nasked_fpr is the target rate it was built with.  intact: every checksum "
      "matches.\n\n"
      "For a file whose format cannot be determined: the formats whose header fits, "
      "with\n"
      "the evidence, and exit status 2; to read such a file, name its --dialect.\n\n"
      "Several filters: --json prints one object per line, with the filter's name; one\n"
      "that cannot be read does not stop the others.  Exit status: 0, or 2 if any "
      "failed.\n\n"
      "Examples:\n"
      "  bloomery info users.bloom\n"
      "  bloomery info users.bloom --json | jq .realised_fpr\n"
      "  bloomery info --json *.bloom | jq -r '[.filter, .realised_fpr] | @tsv'\n"
      "  bloomery info --dialect portable shared.bloom\n"
      "  BLOOMERY_ISA=avx2 bloomery info --cpu");
  c.run([o, filter] {
    if (!o->cpu && !filter.is_given()) throw usage_error("FILTER, or --cpu, is required");
    o->from.is_shared = o->filters.size() > 1;
    return info(*o);
  });
}

}  // namespace bloomery::cli
