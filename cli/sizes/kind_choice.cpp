#include "sizes/kind_choice.hpp"

#include <fmt/core.h>

#include "text/notices.hpp"

namespace bloomery::cli {

const kind_info& kind_named(std::string_view name) {
  if (name.empty()) return kinds().front();
  if (const kind_info* found = find_kind(name)) return *found;
  throw failure(
      fmt::format("unknown kind '{}'; this version builds: {}", name, kind_names()));
}

std::string kind_names() {
  std::string text;
  for (const kind_info& k : kinds()) {
    if (!text.empty()) text += ", ";
    text += k.facts.name;
  }
  return text;
}

std::vector<std::string> names_of_kinds(bool (*condition)(const kind_info& kind)) {
  std::vector<std::string> names;
  for (const kind_info& k : kinds())
    if (condition(k)) names.emplace_back(k.facts.name);
  return names;
}

std::string kind_names(bool (*condition)(const kind_info& kind)) {
  std::string text, last;
  for (const kind_info& k : kinds()) {
    if (!condition(k)) continue;
    if (!last.empty()) text += (text.empty() ? "" : ", ") + last;
    last = k.facts.name;
  }
  return text.empty() ? last : text + " and " + last;
}

}  // namespace bloomery::cli
