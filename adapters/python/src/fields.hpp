// Options and fields of kinds (bloomery/detail/description.hpp) as Python objects.
//
// Every field has an attribute by its name: what the layout says is a property, what
// reads every bit is a call, without the GIL.  Tables are in info() alone.
#pragma once

#include <type_traits>
#include <vector>

#include <bloomery/kinds.hpp>

#include "python.hpp"
#include "turns.hpp"
#include "unchanged.hpp"

namespace bloomery::py {

// A filter of any kind.
struct described_filter {
  const kind_info* kind;
  const void* filter;  // of the kind's type
};

template <listed_filter F>
described_filter described(const F& f) noexcept {
  return {find_kind(F::kind.number), &f};
}

// Values of fields, read without the GIL.
class field_values {
 public:
  field_values(const described_filter& f, field_groups groups,
               const kind_field* only = nullptr) noexcept;

  // {"kind": ..., field: value, table: [{column: value}]}.  Raises OutOfMemoryError.
  nb::dict as_dict() const;
  // The value of the first field.
  nb::object first() const;

 private:
  void check() const;

  struct reading {
    field_place at;
    field_value value;
  };
  const kind_info* kind_;
  std::vector<reading> all_;
  bool is_full_ = false;  // no memory: an exception cannot pass through the library
};

// The field of that name.  Raises AttributeError (a property) or UnsupportedError (a
// call), naming the kinds that have it.
const kind_field& field_named(const kind_info& kind, const char* name, bool is_property);

// The fields that are attributes, as the first kind with each has it: no tables, and no
// name that Filter has for something else.
// REQUIRES: choose_fields(Filter) ran, when Filter had all its other calls
const std::vector<const kind_field*>& attribute_fields();
void choose_fields(nb::handle filter_type);

nb::list option_table(const kind_info& kind);
nb::list field_table(const kind_info& kind);

// Object: has `access`, and fields(checked), the filter; `checked`: its bits are read.
template <class Object>
nb::object read_field_of(const Object& f, const char* name, bool is_property) {
  const kind_info& kind = *f.fields(false).kind;
  const kind_field& field = field_named(kind, name, is_property);
  if (field.group == field_group::layout) {
    f.access.before_read();
    return field_values(f.fields(false), all_fields, &field).first();
  }
  const read_turn turn(f.access);
  const auto read =
      without_gil([&] { return field_values(f.fields(true), all_fields, &field); });
  check_unchanged(f);
  return read.first();
}

template <class Object>
void bind_fields(nb::class_<Object>& c) {
  c.def("info", [](const Object& f) {
    const read_turn turn(f.access);
    const auto read =
        without_gil([&] { return field_values(f.fields(true), all_fields); });
    check_unchanged(f);
    return read.as_dict();
  });
  for (const kind_field* const field : attribute_fields()) {
    const char* const name = field->name;
    if (field->group == field_group::layout)
      c.def_prop_ro(
          name, [name](const Object& f) { return read_field_of(f, name, true); },
          field->help);
    else
      c.def(
          name, [name](const Object& f) { return read_field_of(f, name, false); },
          field->help);
  }
}

}  // namespace bloomery::py
