#include "files/rebuild_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include <bloomery/kinds.hpp>

#include "sizes/option_text.hpp"

namespace bloomery::cli {
namespace {

// Options whose value a field of the same name shows, where it is not the default.
std::string options_of(const any_filter& f) {
  const kind_info& kind = *find_kind(f.facts().number);
  std::string text;
  auto add = [&](const field_place& at, const field_value& v) {
    for (const kind_option& o : kind.options) {
      if (at.column != nullptr || std::string_view(o.name) != at.field->name) continue;
      for (const option_choice& c : o.choices)
        if (v.what == field_value::type::text
                ? v.text == c.name
                : v.what == field_value::type::count && v.count == c.value &&
                      c.value != o.preset)
          text += fmt::format(" {} {}", option_name(o), c.name);
    }
  };
  f.visit([&](const auto& own) {
    for_each_field(own, static_cast<unsigned>(field_group::layout), add);
  });
  return text;
}

std::string hash_options(const any_filter& f, bool is_fixed) {
  const hasher h = f.hasher();
  const bool is_keyed = h.id() == hash_id::siphash13;
  std::string text;
  if (is_keyed)
    text = fmt::format(" --hash {} --secret-file F", name_of(h.id()));
  else if (!is_fixed && h.id() != hash_id::xxh3)
    text = fmt::format(" --hash {}", name_of(h.id()));
  if (!is_fixed && !is_keyed && h.seed() != 0)
    text += fmt::format(" --seed {}", h.seed());
  return text;
}

std::string rate_option(const any_filter& f, double asked) {
  const double fpr = asked > 0 ? asked : f.design_fpr();
  return fpr > 0 && fpr < 1 ? fmt::format(" --fpr {:.3g}", fpr) : std::string();
}

std::string command_for(const loaded_filter& like, const any_filter& f,
                        std::uint64_t capacity, double fpr) {
  const double asked = fpr > 0 ? fpr : like.container ? like.container->asked_fpr : 0;
  const bool is_bare = !like.container;
  const key_source source = f.hasher().source();
  return fmt::format(
      "bloomery build KEYS {}{}{}{} {} {}{} -o OUT",
      is_bare ? fmt::format("--dialect {}", like.how->facts.name)
              : fmt::format("--kind {}", f.kind()),
      options_of(f), hash_options(f, !f.facts().any_hasher),
      source == key_source::bytes ? std::string()
                                  : fmt::format(" --key-type {}", name_of(source)),
      f.facts().forgets ? "--gap" : "--capacity", capacity, rate_option(f, asked));
}

std::string command_for(const foreign_filter& f, std::uint64_t capacity) {
  const dialect& how = dialect_named(f.dialect());
  const auto variants = variants_of(how.facts);
  const auto mine = std::ranges::find(variants, f.variant(), &variant_facts::name);
  if (!how.facts.writes || (mine != variants.end() && !mine->writes)) return "";
  return fmt::format(
      "bloomery build KEYS --dialect {}{} --capacity {} -o OUT", f.dialect(),
      variants.size() > 1 ? fmt::format(" --variant {}", f.variant()) : std::string(),
      capacity);
}

}  // namespace

std::string rebuild_command(const loaded_filter& like, std::uint64_t capacity,
                            double fpr) {
  capacity = std::max<std::uint64_t>(capacity, 1);
  if (const auto* native = std::get_if<any_filter>(&like.filter))
    return command_for(like, *native, capacity, fpr);
  return command_for(std::get<foreign_filter>(like.filter), capacity);
}

}  // namespace bloomery::cli
