// bloomery kinds -- the kinds of filters: what each is, takes and reports.
#include <fmt/core.h>

#include <cmath>
#include <memory>
#include <string>

#include <bloomery/kinds.hpp>

#include "command/commands.hpp"
#include "sizes/option_text.hpp"
#include "text/json.hpp"
#include "text/output.hpp"

namespace bloomery::cli {
namespace {

json in_json(const kind_option& o) {
  json j;
  j["name"] = o.name;
  j["type"] = name_of(o.type);
  j["help"] = o.help;
  if (!o.choices.empty()) {
    json all = json::array();
    for (const option_choice& c : o.choices)
      all.push_back(o.type == option_type::name ? json(c.name) : json(c.value));
    j["choices"] = std::move(all);
  } else if (o.type != option_type::flag) {
    j["min"] = o.min;
    if (std::isfinite(o.max) && o.max < 0x1p53) j["max"] = o.max;
  }
  if (o.type == option_type::count) j["default"] = o.preset;
  if (o.preset_help != nullptr) j["default"] = o.preset_help;
  return j;
}

json in_json(const kind_field& f) {
  json j;
  j["name"] = f.name;
  j["unit"] = f.unit;
  j["group"] = name_of(f.group);
  j["help"] = f.help;
  for (const kind_field& c : f.columns) j["columns"].push_back(in_json(c));
  return j;
}

json in_json(const kind_info& k) {
  json j;
  j["name"] = k.facts.name;
  j["kind"] = static_cast<unsigned>(k.facts.number);
  j["summary"] = k.facts.summary;
  j["hash"] = name_of(k.facts.hasher().id());
  j["any_hash"] = k.facts.any_hasher;
  j["forgets"] = k.facts.forgets;
  j["grows"] = k.facts.grows;
  j["can"] = json::array();
  for (std::size_t i = 0; i < capabilities_known; ++i)
    if (const auto c = static_cast<capability>(i); k.can.has(c))
      j["can"].push_back(name_of(c));
  j["options"] = json::array();
  for (const kind_option& o : k.options) j["options"].push_back(in_json(o));
  j["fields"] = json::array();
  for (const kind_field& f : k.fields) j["fields"].push_back(in_json(f));
  return j;
}

std::string kinds_in_words() {
  std::string text;
  for (const kind_info& k : kinds()) {
    text += fmt::format("{:<12} {}\n", k.facts.name, k.facts.summary);
    std::string options;
    for (const kind_option& o : k.options) options += " " + option_name(o);
    if (!options.empty()) text += fmt::format("{:<12} options:{}\n", "", options);
  }
  return text;
}

exit_status list_kinds(bool as_json) {
  json all = json::array();
  for (const kind_info& k : kinds()) all.push_back(in_json(k));
  output out;
  out.write(as_json ? all.dump() + "\n" : kinds_in_words());
  out.flush();
  return yes;
}

}  // namespace

void add_kinds(command_line& tool) {
  const auto as_json = std::make_shared<bool>(false);
  command c = tool.add("kinds", "List the kinds of filters, and the options of each");
  c.add_flag("--json", *as_json, "for programs: with options, fields and calls");
  c.footer(
      "The first is the default.  bloomery build --help describes the options, bloomery "
      "info --help\nthe fields.\n\n"
      "Examples:\n"
      "  bloomery kinds\n"
      "  bloomery kinds --json | jq -r '.[] | select(.can | index(\"erase\")) | .name'");
  c.run([as_json] { return list_kinds(*as_json); });
}

}  // namespace bloomery::cli
