// bloomery formats -- what is read and written.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command/commands.hpp"
#include "files/dialects.hpp"
#include "text/json.hpp"
#include "text/output.hpp"

namespace bloomery::cli {
namespace {

json in_json(const dialect& d) {
  json j;
  j["name"] = d.facts.name;
  j["summary"] = d.facts.summary;
  j["reads"] = true;
  j["writes"] = d.facts.writes;
  j["builds"] = d.facts.builds;
  j["hash"] = d.facts.hash;
  j["variants"] = json::array();
  for (const variant_facts& v : variants_of(d.facts))
    j["variants"].push_back(json::object({{"name", v.name}, {"writes", v.writes}}));
  j["needs"] = needs_of(d.facts);
  j["integer_keys"] = d.facts.integers != number_keys::plain;
  j["text_keys"] = d.facts.texts;
  return j;
}

// "header, bitset, file (read)"
std::string variants_in_words(const dialect& d) {
  std::string text;
  for (const variant_facts& v : variants_of(d.facts))
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", v.name,
                        v.writes || !d.facts.writes ? "" : " (read)");
  return text;
}

std::string in_words() {
  std::string text;
  for (const dialect& d : dialects()) {
    text += fmt::format("{:<16} {:<10}  {}\n", d.facts.name,
                        d.facts.writes   ? "read write"
                        : d.facts.builds ? "read build"
                                         : "read",
                        d.facts.summary);
    const auto line = [&](std::string_view name, const std::string& value) {
      if (!value.empty()) text += fmt::format("{:<29}{}: {}\n", "", name, value);
    };
    line("hash", std::string(d.facts.hash));
    line("variants", variants_in_words(d));
    line("needs", fmt::format("{}", fmt::join(needs_of(d.facts), " ")));
  }
  return text;
}

exit_status formats(bool as_json) {
  json all = json::array();
  for (const dialect& d : dialects()) all.push_back(in_json(d));
  output out;
  out.write(as_json ? all.dump() + "\n" : in_words());
  out.flush();
  return yes;
}

}  // namespace

void add_formats(command_line& tool) {
  const auto as_json = std::make_shared<bool>(false);
  command c = tool.add("formats", "List the formats that are read and written");
  c.add_flag("--json", *as_json, "for programs");
  c.footer(
      "needs: options that a reader must give, because the format does not record "
      "them.\n\n"
      "Examples:\n"
      "  bloomery formats\n"
      "  bloomery formats --json | jq -r '.[] | select(.writes) | .name'");
  c.run([as_json] { return formats(*as_json); });
}

}  // namespace bloomery::cli
