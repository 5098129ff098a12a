#include "sizes/option_text.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "text/notices.hpp"

namespace bloomery::cli {

std::string option_name(const kind_option& o) {
  std::string name = o.tool_name != nullptr ? o.tool_name : o.name;
  std::ranges::replace(name, '_', '-');
  return "--" + name;
}

std::string setting_text(const option_setting& s) {
  const kind_option& o = *s.option;
  if (o.type == option_type::flag) return option_name(o);
  if (o.type == option_type::real)
    return fmt::format("{} {:g}{}", option_name(o), s.real(), o.unit);
  for (const kind_info& k : kinds())
    for (const kind_option& other : k.options)
      for (const option_choice& c : other.choices)
        if (std::string_view(other.name) == o.name && c.value == s.value)
          return fmt::format("{} {}", option_name(o), c.name);
  return fmt::format("{} {}", option_name(o), s.value);
}

std::string settings_text(const option_settings& options) {
  std::string text;
  for (const option_setting& s : options)
    text += (text.empty() ? "" : " ") + setting_text(s);
  return text;
}

void check_kind_options(const kind_info& what, const option_settings& options) {
  for (const option_setting& s : options) {
    option_settings one;
    one.set(*s.option, s.value);
    if (const auto ok = check_options(what, one); !ok)
      throw failure(fmt::format("--kind {} {}: {}", what.facts.name, setting_text(s),
                                ok.error().what));
  }
}

}  // namespace bloomery::cli
