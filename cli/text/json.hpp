// A JSON value to be printed: what commands answer to --json.
//
// nlohmann-json is behind it, in json.cpp alone: it costs every file that includes it
// several seconds of compile time.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace bloomery::cli {

class json {
 public:
  using member = std::pair<std::string, json>;
  using items = std::vector<json>;
  using members = std::vector<member>;  // in the order they were added

  json(std::nullptr_t = nullptr) {}
  json(bool b) : value_(b) {}
  json(double x) : value_(x) {}
  template <std::integral T>
  json(T n) {
    if constexpr (std::is_signed_v<T>)
      value_ = std::int64_t{n};
    else
      value_ = std::uint64_t{n};
  }
  json(const char* text) : value_(std::string(text)) {}
  json(std::string_view text) : value_(std::string(text)) {}
  json(std::string text) : value_(std::move(text)) {}
  json(const std::vector<std::string>& texts);

  static json array() {
    json j;
    j.value_ = items();
    return j;
  }
  static json object(std::initializer_list<member> all);

  // The member of that name, added as null if there is none.
  // REQUIRES: an object, or null, which becomes one
  json& operator[](std::string_view name);
  // REQUIRES: an array, or null, which becomes one
  void push_back(json item);
  // The i-th item, added as null if there are only i.
  // REQUIRES: an array of at least i items
  json& row(std::size_t i) {
    items& all = std::get<items>(value_);
    if (i == all.size()) all.emplace_back();
    return all[i];
  }

  bool is_null() const { return is<std::nullptr_t>(); }
  // T: bool, std::int64_t, std::uint64_t, double, std::string, items or members.
  template <class T>
  bool is() const {
    return std::holds_alternative<T>(value_);
  }
  // REQUIRES: is<T>()
  template <class T>
  const T& get() const {
    return std::get<T>(value_);
  }
  // REQUIRES: an object with a member of that name
  const json& at(std::string_view name) const;

  // Indented by 2.  Bytes that are not UTF-8 become U+FFFD.
  std::string dump() const;
  // The same on one line, without blanks.
  std::string dump_line() const;

 private:
  struct printer;

  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string,
               items, members>
      value_;
};

// {"filter": ..., "error": ...}: of several filters one that could not be read.
json error_report(std::string_view filter, std::string_view what);

// The text in quotes, escaped; nothing if it is not UTF-8.
std::optional<std::string> json_string(std::string_view text);

}  // namespace bloomery::cli
