#include "command/kind_options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "sizes/kind_choice.hpp"
#include "sizes/option_text.hpp"
#include "text/notices.hpp"
#include "text/numbers.hpp"

namespace bloomery::cli {
namespace {

// "3 (default), 4", with the default marked or added.
std::string values_in_words(const kind_option& o) {
  std::string text;
  for (const option_choice& c : o.choices)
    text += fmt::format(
        "{}{}{}", text.empty() ? "" : ", ", c.name,
        o.type == option_type::count && c.value == o.preset ? " (default)" : "");
  if (o.choices.empty() && o.type == option_type::count && o.max < 0x1p53)
    text = fmt::format("{:.0f} to {:.0f}", o.min, o.max);
  if (o.preset_help != nullptr)
    text += fmt::format("{}default: {}", text.empty() ? "" : "; ", o.preset_help);
  else if (o.choices.empty() && o.type == option_type::count)
    text += fmt::format("{}default: {}", text.empty() ? "" : "; ", o.preset);
  return text;
}

std::string help_of(const kind_option& o) {
  std::string kinds;
  for (const kind_info& k : bloomery::kinds())
    if (std::ranges::any_of(k.options, [&](const kind_option& other) {
          return std::string_view(other.name) == o.name;
        }))
      kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", k.facts.name);
  const std::string values = values_in_words(o);
  return fmt::format("{}: {}{}", kinds, o.help,
                     values.empty() ? "" : fmt::format(" ({})", values));
}

std::vector<std::string> names_of(std::span<const option_choice> choices) {
  std::vector<std::string> names;
  for (const option_choice& c : choices) names.emplace_back(c.name);
  return names;
}

double real_number(const std::string& text, const kind_option& o) {
  std::string number = text;
  if (const std::string_view unit = o.unit; !unit.empty() && number.ends_with(unit))
    number.resize(number.size() - unit.size());
  double x = 0;
  const char* const end = number.data() + number.size();
  const auto [at, wrong] = std::from_chars(number.data(), end, x);
  if (wrong != std::errc{} || at != end || !(x >= o.min && x <= o.max) || x > 1e15)
    throw usage_error(fmt::format("'{}': {} is a number of at least {:g}, as in 100{}",
                                  text, o.help, o.min, o.unit));
  return x;
}

void take(size_request& r, const kind_option& o, const std::string& text) {
  const auto done =
      o.type == option_type::real    ? set_option(r, o.name, real_number(text, o))
      : o.type == option_type::count ? set_option(r, o.name, whole_number(text, 0))
                                     : set_option(r, o.name, text);
  if (!done)
    throw usage_error(fmt::format("there is no '{}': {}", text, done.error().what));
}

const char* value_name(const kind_option& o) {
  return o.type == option_type::name ? "NAME" : o.type == option_type::real ? "X" : "N";
}

}  // namespace

void add_kind_options(command& c, size_request& r,
                      bool (*condition)(const kind_info& kind)) {
  std::set<std::string_view> added;
  for (const kind_info& k : kinds()) {
    if (!condition(k)) continue;
    for (const kind_option& o : k.options) {
      if (!added.insert(o.name).second) continue;
      if (o.type == option_type::flag)
        c.add_switch(
            option_name(o), [&r, &o] { (void)set_option(r, o.name, true); }, help_of(o));
      else
        c.add(
             option_name(o), value_name(o),
             [&r, &o](const std::string& text) { take(r, o, text); }, help_of(o))
            .offers(names_of(o.choices));
    }
  }
}

}  // namespace bloomery::cli
