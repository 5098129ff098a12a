#include "fields.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "raise.hpp"

namespace bloomery::py {
namespace {

std::vector<const kind_field*> chosen;

nb::object object_of(const field_value& v) {
  switch (v.what) {
    case field_value::type::count:
      return nb::int_(v.count);
    case field_value::type::real:
      return std::isfinite(v.real) ? nb::object(nb::float_(v.real)) : nb::none();
    case field_value::type::text:
      return nb::str(v.text);
    default:
      return nb::none();
  }
}

// --- options ---
nb::object choice_of(const kind_option& o, const option_choice& c) {
  return o.type == option_type::count ? nb::object(nb::int_(c.value)) : nb::str(c.name);
}

// What an option is if it is not given; None: it follows from the rest.
nb::object default_of(const kind_option& o) {
  if (o.type == option_type::flag) return nb::bool_(o.preset != 0);
  if (o.type == option_type::count) return nb::int_(o.preset);
  for (const option_choice& c : o.choices)
    if (c.value == o.preset) return choice_of(o, c);
  return nb::none();
}

// An end of the range; None: there is none.
nb::object limit_of(const kind_option& o, double x) {
  if (!o.choices.empty() || o.type == option_type::flag || !std::isfinite(x))
    return nb::none();
  if (o.type == option_type::real) return nb::float_(x);
  return nb::steal(PyLong_FromDouble(x));
}

nb::dict option_row(const kind_option& o) {
  nb::list choices;
  for (const option_choice& c : o.choices) choices.append(choice_of(o, c));
  nb::dict row;
  row["name"] = o.name;
  row["type"] = name_of(o.type);
  row["help"] = o.help;
  row["choices"] = choices;
  row["min"] = limit_of(o, o.min);
  row["max"] = limit_of(o, o.max);
  row["default"] = default_of(o);
  row["default_help"] = o.preset_help != nullptr ? nb::object(nb::str(o.preset_help))
                                                 : nb::object(nb::none());
  return row;
}

// --- fields ---
nb::dict field_row(const kind_field& f) {
  nb::list columns;
  for (const kind_field& c : f.columns) columns.append(field_row(c));
  nb::dict row;
  row["name"] = f.name;
  row["unit"] = f.unit;
  row["help"] = f.help;
  row["group"] = name_of(f.group);
  row["columns"] = columns;
  return row;
}

std::string kinds_with_field(std::string_view name) {
  std::string text;
  for (const kind_info& k : kinds())
    if (find_field(k, name) != nullptr)
      text += std::string(text.empty() ? "" : ", ") + k.facts.name;
  return text;
}

}  // namespace

field_values::field_values(const described_filter& f, field_groups groups,
                           const kind_field* only) noexcept
    : kind_(f.kind) {
  f.kind->read_fields(
      f.filter, groups, only,
      [](void* to, const field_place& at, const field_value& v) {
        auto& values = *static_cast<field_values*>(to);
        try {
          if (!values.is_full_) values.all_.push_back({at, v});
        } catch (...) {
          values.is_full_ = true;
        }
      },
      this);
}

void field_values::check() const {
  if (is_full_) raise(error{errc::out_of_memory, "no memory for the fields"});
}

nb::dict field_values::as_dict() const {
  check();
  nb::dict out;
  out["kind"] = kind_->facts.name;
  for (const reading& r : all_) {
    if (r.at.column == nullptr) {
      out[r.at.field->name] = object_of(r.value);
      continue;
    }
    if (!out.contains(r.at.field->name)) out[r.at.field->name] = nb::list();
    nb::list rows = nb::cast<nb::list>(out[r.at.field->name]);
    while (nb::len(rows) <= r.at.row) rows.append(nb::dict());
    nb::cast<nb::dict>(rows[r.at.row])[r.at.column->name] = object_of(r.value);
  }
  return out;
}

nb::object field_values::first() const {
  check();
  return all_.empty() ? nb::none() : object_of(all_.front().value);
}

const kind_field& field_named(const kind_info& kind, const char* name, bool is_property) {
  const kind_field* const found = find_field(kind, name);
  if (found != nullptr && !found->is_table()) return *found;
  const std::string text = "a filter of the kind " + std::string(kind.facts.name) +
                           " has no " + name +
                           "; these kinds have it: " + kinds_with_field(name);
  if (!is_property) raise(error{errc::unsupported, text.c_str()});
  PyErr_SetString(PyExc_AttributeError, text.c_str());
  throw nb::python_error();
}

void choose_fields(nb::handle filter_type) {
  chosen.clear();
  for (const kind_info& k : kinds())
    for (const kind_field& f : k.fields)
      if (!f.is_table() && !nb::hasattr(filter_type, f.name) &&
          std::ranges::none_of(chosen, [&](const kind_field* other) {
            return std::string_view(other->name) == f.name;
          }))
        chosen.push_back(&f);
}

const std::vector<const kind_field*>& attribute_fields() { return chosen; }

nb::list option_table(const kind_info& kind) {
  nb::list all;
  for (const kind_option& o : kind.options) all.append(option_row(o));
  return all;
}

nb::list field_table(const kind_info& kind) {
  nb::list all;
  for (const kind_field& f : kind.fields) all.append(field_row(f));
  return all;
}

}  // namespace bloomery::py
