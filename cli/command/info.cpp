// bloomery info -- what a filter is, and its current state.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "command/commands.hpp"
#include "command/cpu_report.hpp"
#include "command/shared_options.hpp"
#include "files/filter_report.hpp"
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
  std::string filter;
  read_request from;
  bool cpu = false;
  bool as_json = false;
};

constexpr std::size_t max_parts = 20;  // in words; --json has all

std::string null_in_words(const json& all, const std::string& name) {
  if (name == "intact") return "unknown: this format has no checksum";
  if (name == "key_source") return "bytes (not recorded)";
  const bool asked = !all.at("fill").is_null();
  if (name == "keys_estimate" && asked) return "unknown: every bit is set";
  const bool computed = name == "keys_estimate" || name == "fill" ||
                        name == "design_fpr" || name == "realised_fpr";
  return computed && !asked ? "unknown" : "not recorded";
}

std::string in_words(const json& value, const std::string& name) {
  if (name.ends_with("_fpr")) return rate(value.get<double>());
  if (name == "fill") return fmt::format("{:.2f} %", 100 * value.get<double>());
  if (name == "keys_estimate")
    return grouped(static_cast<std::uint64_t>(std::llround(value.get<double>())));
  if (name == "bytes" || name == "part_bytes")
    return fmt::format("{} ({})", grouped(value.get<std::uint64_t>()),
                       size(value.get<std::uint64_t>()));
  if (name == "intact") return value.get<bool>() ? "yes" : "no";
  if (name == "seed" || !value.is<std::uint64_t>())
    return value.is<std::string>() ? value.get<std::string>() : value.dump();
  return grouped(value.get<std::uint64_t>());
}

std::string parts_in_words(const json::items& parts) {
  std::string text = fmt::format("{:<14} {}\n", "parts", grouped(parts.size()));
  for (std::size_t i = 0; i < std::min(parts.size(), max_parts); ++i)
    text += fmt::format("{:>14} {}: {} bits, {} hashes, at byte {}\n", i,
                        parts[i].at("name").get<std::string>(),
                        grouped(parts[i].at("bits").get<std::uint64_t>()),
                        parts[i].at("hashes").get<std::uint64_t>(),
                        parts[i].at("offset").get<std::uint64_t>());
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
  note(fmt::format(
      "{}: its hash is keyed: what is computed from the bits takes its secret: "
      "--secret-file F",
      from.path()));
  return header_report(report);
}

exit_status info(const info_options& o) {
  if (o.cpu) {
    report_cpu(o.as_json);
    return yes;
  }
  check_not_used("", {{o.filter, "the filter"}});
  name_if_cut(o.filter);
  source from = find_source(o.filter, o.from, need::to_check);
  const json j = from.lacks_secret() ? report_without_secret(from) : report_filter(from);
  output out;
  if (o.as_json)
    out.write(j.dump() + "\n");
  else
    for (const auto& [name, value] : j.get<json::members>())
      out.write(name == "parts" ? parts_in_words(value.get<json::items>())
                                : fmt::format("{:<14} {}\n", name,
                                              value.is_null() ? null_in_words(j, name)
                                                              : in_words(value, name)));
  out.flush();
  return yes;
}

}  // namespace

void add_info(command_line& tool) {
  const auto o = std::make_shared<info_options>();
  command c = tool.add("info", "Tell what a filter is and what it has become");
  const option filter = c.add("FILTER", "FILTER", o->filter, "the filter to examine");
  add_read_options(c, o->from);
  c.add_flag("--cpu", o->cpu, "tell instead which kernels this machine runs")
      .excludes(filter);
  c.add_flag("--json", o->as_json, "for programs; null: not recorded or not knowable");
  c.footer(
      "keys_estimate, fill and realised_fpr are computed from the bits; keys were "
      "counted "
      "and\nasked_fpr was asked for when it was built.  intact: every checksum "
      "agrees.\n\n"
      "Examples:\n"
      "  bloomery info users.bloom\n"
      "  bloomery info users.bloom --json | jq .realised_fpr\n"
      "  bloomery info --dialect portable shared.bloom\n"
      "  BLOOMERY_ISA=avx2 bloomery info --cpu");
  c.run([o, filter] {
    if (!o->cpu && !filter.is_given()) throw usage_error("FILTER, or --cpu, is required");
    return info(*o);
  });
}

}  // namespace bloomery::cli
