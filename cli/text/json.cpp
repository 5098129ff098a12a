#include "text/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace bloomery::cli {

struct json::printer {
  using printable = nlohmann::ordered_json;

  static printable of(const json& j) { return std::visit(printer(), j.value_); }

  template <class Scalar>
  printable operator()(const Scalar& value) const {
    return value;
  }
  printable operator()(const items& all) const {
    auto array = printable::array();
    for (const json& item : all) array.push_back(of(item));
    return array;
  }
  printable operator()(const members& all) const {
    auto object = printable::object();
    for (const auto& [name, value] : all) object[name] = of(value);
    return object;
  }
};

json::json(const std::vector<std::string>& texts)
    : value_(items(texts.begin(), texts.end())) {}

json json::object(std::initializer_list<member> all) {
  json j;
  j.value_ = members(all);
  return j;
}

json& json::operator[](std::string_view name) {
  if (is_null()) value_ = members();
  auto& all = std::get<members>(value_);
  const auto found = std::ranges::find(all, name, &member::first);
  return found != all.end() ? found->second : all.emplace_back(name, json()).second;
}

void json::push_back(json item) {
  if (is_null()) value_ = items();
  std::get<items>(value_).push_back(std::move(item));
}

const json& json::at(std::string_view name) const {
  return std::ranges::find(get<members>(), name, &member::first)->second;
}

std::string json::dump() const {
  return printer::of(*this).dump(2, ' ', false,
                                 printer::printable::error_handler_t::replace);
}

std::string json::dump_line() const {
  return printer::of(*this).dump(-1, ' ', false,
                                 printer::printable::error_handler_t::replace);
}

json error_report(std::string_view filter, std::string_view what) {
  return json::object({{"filter", filter}, {"error", what}});
}

std::optional<std::string> json_string(std::string_view text) {
  const bool is_plain = std::ranges::all_of(
      text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (is_plain) return '"' + std::string(text) + '"';
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::type_error&) {
    return std::nullopt;
  }
}

}  // namespace bloomery::cli
