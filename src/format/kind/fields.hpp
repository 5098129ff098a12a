// How a row writes its table of fields: name, unit, help, and a function of the filter.
//
//   using field = fields_of<cuckoo>;
//   static constexpr std::array fields{
//       field::layout("tag_bits", "bits", "bits of a tag",
//                     [](const cuckoo& f) { return f.tag_bits(); })};
//
// A value that takes a pass over the filter is computed once for all fields that need it:
// the row's census(f), of the type State, which is the second argument.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <bloomery/detail/description.hpp>

namespace bloomery::format {

struct no_census {};

constexpr field_value value_of(field_value v) noexcept { return v; }
constexpr field_value value_of(const char* text) noexcept {
  return field_value::of(text);
}
constexpr field_value value_of(double x) noexcept { return field_value::of(x); }
template <std::unsigned_integral T>
constexpr field_value value_of(T n) noexcept {
  return field_value::of(std::uint64_t{n});
}

template <class F, class State>
struct typed_field {
  kind_field facts;
  // The value of a field; of a column, its value in that row.
  field_value (*value)(const F&, const State&, std::size_t row) noexcept = nullptr;
  // The rows and columns of a table.
  std::size_t (*rows)(const F&) noexcept = nullptr;
  const typed_field* columns = nullptr;
  std::size_t column_count = 0;
};

template <class F, class State = no_census>
struct fields_of {
  using type = typed_field<F, State>;

  // Get: a lambda of (filter), (filter, census) or (filter, census, row).
  template <class Get>
  static constexpr type one(const char* name, const char* unit, const char* help,
                            field_group group, Get) noexcept {
    return {{name, unit, help, group},
            [](const F& f, const State& s, std::size_t row) noexcept -> field_value {
              if constexpr (std::invocable<Get, const F&, const State&, std::size_t>)
                return value_of(Get{}(f, s, row));
              else if constexpr (std::invocable<Get, const F&, const State&>)
                return (void)row, value_of(Get{}(f, s));
              else
                return (void)s, (void)row, value_of(Get{}(f));
            }};
  }
  template <class Get>
  static constexpr type layout(const char* name, const char* unit, const char* help,
                               Get get) noexcept {
    return one(name, unit, help, field_group::layout, get);
  }
  template <class Get>
  static constexpr type counted(const char* name, const char* unit, const char* help,
                                Get get) noexcept {
    return one(name, unit, help, field_group::counts, get);
  }
  template <class Get>
  static constexpr type rate(const char* name, const char* unit, const char* help,
                             Get get) noexcept {
    return one(name, unit, help, field_group::rates, get);
  }
  // Rows: a lambda of (filter), their number.  `columns` are static.
  template <class Rows>
  static constexpr type table(const char* name, const char* help, field_group group,
                              std::span<const type> columns, Rows) noexcept {
    return {{name, "", help, group},
            nullptr,
            [](const F& f) noexcept -> std::size_t { return Rows{}(f); },
            columns.data(),
            columns.size()};
  }
};

}  // namespace bloomery::format
