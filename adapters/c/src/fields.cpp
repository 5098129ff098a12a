// Options and fields of kinds, by name.
#include <bloomery/kinds.hpp>

#include <cstddef>

#include "handles.hpp"
#include "info.hpp"
#include "kinds.hpp"
#include "structs.hpp"

namespace bloomery::c_abi {
namespace {

std::uint32_t part_of(field_group g) noexcept {
  return g == field_group::layout   ? BLOOMERY_INFO_LAYOUT
         : g == field_group::counts ? BLOOMERY_INFO_COUNTS
                                    : BLOOMERY_INFO_RATES;
}
field_groups groups_of(std::uint32_t parts) noexcept {
  return static_cast<unsigned>(field_group::layout) |
         ((parts & BLOOMERY_INFO_COUNTS) != 0 ? static_cast<unsigned>(field_group::counts)
                                              : 0) |
         ((parts & BLOOMERY_INFO_RATES) != 0 ? static_cast<unsigned>(field_group::rates)
                                             : 0);
}

bloomery_field described(const field_place& at) noexcept {
  const kind_field& facts = at.column != nullptr ? *at.column : *at.field;
  bloomery_field to{};
  to.struct_size = sizeof to;
  to.name = at.field->name;
  to.column = at.column != nullptr ? at.column->name : nullptr;
  to.row = at.row;
  to.unit = facts.unit;
  to.help = facts.help;
  to.part = part_of(at.field->group);
  to.real = unknown;
  return to;
}

bloomery_field field_of(const field_place& at, const field_value& v) noexcept {
  bloomery_field to = described(at);
  if (v.what == field_value::type::count) {
    to.type = BLOOMERY_FIELD_COUNT;
    to.count = v.count;
  } else if (v.what == field_value::type::real && v.real == v.real) {
    to.type = BLOOMERY_FIELD_REAL;
    to.real = v.real;
  } else if (v.what == field_value::type::text) {
    to.type = BLOOMERY_FIELD_TEXT;
    to.text = v.text;
  }
  return to;
}

template <class F>
result<bloomery_field> field_named(const F& f, const char* name) noexcept {
  const auto value = read_field(f, name);
  if (!value) return value.error();
  return field_of({find_field(*find_kind(F::kind.number), name)}, *value);
}

using field_call = void (*)(void*, const bloomery_field*);

template <class F>
result<void> call_each(const F& f, field_groups groups, field_call each,
                       void* context) noexcept {
  for_each_field(f, groups, [&](const field_place& at, const field_value& v) noexcept {
    const bloomery_field field = field_of(at, v);
    each(context, &field);
  });
  return {};
}

// Only its layout is known before every chunk is checked.
template <class F>
const F& filter_for(const filter_view<F>& v, bool layout_only) noexcept {
  return layout_only ? v.unverified() : v.filter();
}

}  // namespace
}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;
using bloomery::kind_info;
using bloomery::result;

bloomery_status bloomery_kind_option(std::uint32_t kind, std::size_t i,
                                     bloomery_option* option) {
  return fill_struct(option, nullptr, [&]() -> result<bloomery_option> {
    const kind_info* const k = kind_numbered(kind);
    if (k == nullptr || i >= k->options.size())
      return bloomery::error{bloomery::errc::invalid_argument, "no such option"};
    const bloomery::kind_option& o = k->options[i];
    bloomery_option to{};
    to.type = static_cast<std::uint32_t>(o.type);
    to.name = o.name;
    to.help = o.help;
    to.min = o.min;
    to.max = o.max;
    to.choices = o.choices.size();
    to.preset = o.preset;
    return to;
  });
}

const char* bloomery_kind_option_choice(std::uint32_t kind, std::size_t i,
                                        std::size_t choice) {
  const kind_info* const k = kind_numbered(kind);
  if (k == nullptr || i >= k->options.size()) return nullptr;
  const auto& choices = k->options[i].choices;
  return choice < choices.size() ? choices[choice].name : nullptr;
}

bloomery_status bloomery_kind_field(std::uint32_t kind, std::size_t i,
                                    bloomery_field* field) {
  return fill_struct(field, nullptr, [&]() -> result<bloomery_field> {
    const kind_info* const k = kind_numbered(kind);
    if (k != nullptr)
      for (const bloomery::kind_field& f : k->fields) {
        if (!f.is_table() && i-- == 0) return described({&f});
        for (const bloomery::kind_field& c : f.columns)
          if (i-- == 0) return described({&f, &c});
      }
    return bloomery::error{bloomery::errc::invalid_argument, "no such field"};
  });
}

bloomery_status bloomery_filter_field(const bloomery_filter* filter, const char* name,
                                      bloomery_field* field, bloomery_error* error) {
  return fill_struct(field, error, [&]() -> result<bloomery_field> {
    if (filter == nullptr || name == nullptr) return null_argument();
    return visit(*filter, [&](const auto& f) noexcept { return field_named(f, name); });
  });
}

bloomery_status bloomery_filter_fields(const bloomery_filter* filter, std::uint32_t parts,
                                       void (*each)(void*, const bloomery_field*),
                                       void* context) {
  return guarded(nullptr, [&]() -> result<void> {
    if (filter == nullptr || each == nullptr) return null_argument();
    if (auto ok = check_parts(parts); !ok) return ok;
    return visit(*filter, [&](const auto& f) noexcept {
      return call_each(f, groups_of(parts), each, context);
    });
  });
}

bloomery_status bloomery_view_field(const bloomery_view* view, const char* name,
                                    bloomery_field* field, bloomery_error* error) {
  return fill_struct(field, error, [&]() -> result<bloomery_field> {
    if (view == nullptr || name == nullptr) return null_argument();
    return visit(*view, [&]<class F>(const bloomery::filter_view<F>& v) noexcept {
      const auto* const f = find_field(*bloomery::find_kind(F::kind.number), name);
      const bool of_layout = f == nullptr || f->group == bloomery::field_group::layout;
      return field_named(filter_for(v, of_layout), name);
    });
  });
}

bloomery_status bloomery_view_fields(const bloomery_view* view, std::uint32_t parts,
                                     void (*each)(void*, const bloomery_field*),
                                     void* context) {
  return guarded(nullptr, [&]() -> result<void> {
    if (view == nullptr || each == nullptr) return null_argument();
    if (auto ok = check_parts(parts); !ok) return ok;
    return visit(*view, [&](const auto& v) noexcept {
      return call_each(filter_for(v, parts == BLOOMERY_INFO_LAYOUT), groups_of(parts),
                       each, context);
    });
  });
}
