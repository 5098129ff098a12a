// bloomery info -- what a filter is and what it has become.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "cpu_report.hpp"
#include "dialects.hpp"
#include "messages.hpp"
#include "output.hpp"

namespace bloomery::cli {
namespace {

using json = nlohmann::ordered_json;

struct info_options {
  std::string filter;
  std::string dialect;
  bool cpu = false;
  bool as_json = false;
};

json finite(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }

// null: the format does not record it.
json facts(const opened& f) {
  const any_filter& filter = f.filter;
  json j;
  j["kind"] = filter.kind();
  filter.visit([&](const auto& any) {
    if constexpr (requires { any.profile(); }) j["profile"] = name_of(any.profile());
  });
  j["dialect"] = f.how->name;
  j["hash"] = name_of(filter.hasher().id());
  j["seed"] = filter.hasher().seed();
  filter.visit([&](const auto& bloom) {
    j["bits"] = bloom.bits();
    j["hashes"] = bloom.hashes();
  });
  j["bytes"] = filter.size_in_bytes();
  const std::uint64_t capacity = filter.capacity();
  j["capacity"] = capacity != 0 ? json(capacity) : json(nullptr);
  j["keys_estimate"] = finite(filter.estimated_keys());
  j["fill"] = filter.fill();
  j["design_fpr"] = capacity != 0 ? json(filter.expected_fpr(capacity)) : json(nullptr);
  j["realised_fpr"] = filter.realised_fpr();
  // Without a checksum a file can be proved damaged, never intact.
  j["intact"] = f.damage ? json(false) : json(nullptr);
  return j;
}

std::string in_words(const json& value, const std::string& name, const dialect& how) {
  if (value.is_null())
    return name == "intact" ? fmt::format("unknown: this format has {}", how.unchecked)
           : name == "keys_estimate" ? "unknown: every bit is set"
                                     : "not recorded in this format";
  if (name == "design_fpr" || name == "realised_fpr") return rate(value.get<double>());
  if (name == "fill") return fmt::format("{:.2f} %", 100 * value.get<double>());
  if (name == "keys_estimate")
    return grouped(static_cast<std::uint64_t>(std::llround(value.get<double>())));
  if (name == "bytes")
    return fmt::format("{} ({})", grouped(value.get<std::uint64_t>()),
                       size(value.get<std::uint64_t>()));
  if (name == "bits" || name == "capacity") return grouped(value.get<std::uint64_t>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

exit_status info(const info_options& o) {
  if (o.cpu) {
    report_cpu(o.as_json);
    return yes;
  }
  const opened f = open_filter(o.filter, o.dialect);
  if (f.damage) warn(fmt::format("{}: {}", o.filter, *f.damage));
  const json j = facts(f);
  output out;
  if (o.as_json)
    out.write(j.dump(2) + "\n");
  else
    for (const auto& [name, value] : j.items())
      out.write(fmt::format("{:<14} {}\n", name, in_words(value, name, *f.how)));
  out.flush();
  return yes;
}

}  // namespace

void add_info(CLI::App& app, action& run) {
  const auto o = std::make_shared<info_options>();
  CLI::App& c =
      *app.add_subcommand("info", "Tell what a filter is and what it has become");
  auto* filter =
      c.add_option("FILTER", o->filter, "the filter to examine")->type_name("FILTER");
  c.add_option("--dialect", o->dialect, dialect_help)->type_name("D");
  c.add_flag("--cpu", o->cpu, "tell instead which kernels this machine runs")
      ->excludes(filter);
  c.add_flag("--json", o->as_json, "for programs; null: not recorded or not knowable");
  c.footer(
      "keys_estimate, fill and realised_fpr are computed from the bits.\n\n"
      "Examples:\n"
      "  bloomery info users.bloom\n"
      "  bloomery info users.bloom --json | jq .realised_fpr\n"
      "  bloomery info --dialect portable shared.bloom\n"
      "  BLOOMERY_ISA=avx2 bloomery info --cpu");
  c.callback([o, filter, &run] {
    if (!o->cpu && filter->count() == 0) throw CLI::RequiredError("FILTER, or --cpu,");
    run = [o] { return info(*o); };
  });
}

}  // namespace bloomery::cli
