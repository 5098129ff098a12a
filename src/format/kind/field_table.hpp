// All fields of a kind: those that every filter has, and those of its row.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/description.hpp>
#include <bloomery/detail/key_source.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/filter.hpp>

#include "format/kind/fields.hpp"
#include "format/kind/row.hpp"

namespace bloomery::format {

template <class F>
struct census_of {
  using type = decltype(kind_row<F>::census(std::declval<const F&>()));
  static type take(const F& f) noexcept { return kind_row<F>::census(f); }
};

template <class F>
using field_type = typed_field<F, typename census_of<F>::type>;

// Before the row's own layout.
template <class F>
constexpr auto first_fields() noexcept {
  using field = fields_of<F, typename census_of<F>::type>;
  return std::array{field::layout("hash", "", "hash of its keys",
                                  [](const F& f) { return name_of(f.hasher().id()); }),
                    field::layout("seed", "number", "seed of the hash",
                                  [](const F& f) { return f.hasher().seed(); }),
                    field::layout("key_source", "", "what its keys are made from",
                                  [](const F& f) {
                                    const key_source s = f.hasher().source();
                                    return s != key_source::bytes
                                               ? field_value::of(name_of(s))
                                               : field_value::unknown();
                                  }),
                    field::layout("bits", "bits", "bits of its array",
                                  [](const F& f) { return f.bits(); })};
}

// Between the row's layout and its state.
template <class F>
constexpr auto middle_fields() noexcept {
  using field = fields_of<F, typename census_of<F>::type>;
  return std::array{
      field::layout("bytes", "bytes", "size in memory",
                    [](const F& f) { return std::uint64_t{f.size_in_bytes()}; }),
      field::layout("capacity", "keys", "keys it was sized for",
                    [](const F& f) { return field_value::recorded(f.capacity()); }),
      field::counted("ones", "bits", "bits that are set",
                     [](const F& f) { return f.ones(); }),
      field::counted("keys_estimate", "keys", "keys in it, from its bits",
                     [](const F& f) { return f.estimated_keys(); }),
      field::counted("fill", "share", "share of its bits, cells or slots in use",
                     [](const F& f) { return f.fill(); }),
      field::rate("design_fpr", "rate", "rate it was sized for: what it has when full",
                  [](const F& f) {
                    const double fpr = design_fpr(f);
                    return std::isnan(fpr) ? field_value::unknown()
                                           : field_value::of(fpr);
                  }),
      field::rate("realised_fpr", "rate", "rate it has now, from its bits",
                  [](const F& f) { return f.realised_fpr(); })};
}

// The row's layout comes before what is computed, its state after.
template <class F>
constexpr auto all_fields_of() noexcept {
  constexpr auto first = first_fields<F>();
  constexpr auto middle = middle_fields<F>();
  const auto& own = kind_row<F>::fields;
  std::array<field_type<F>, first.size() + middle.size() + own.size()> all{};
  std::size_t n = 0;
  for (const auto& f : first) all[n++] = f;
  for (const auto& f : own)
    if (f.facts.group == field_group::layout) all[n++] = f;
  for (const auto& f : middle) all[n++] = f;
  for (const auto& f : own)
    if (f.facts.group != field_group::layout) all[n++] = f;
  return all;
}
template <class F>
inline constexpr auto typed_fields = all_fields_of<F>();

template <class F>
consteval std::size_t all_columns() noexcept {
  std::size_t n = 0;
  for (const auto& f : typed_fields<F>) n += f.column_count;
  return n;
}
template <class F>
consteval auto columns_of_kind() noexcept {
  std::array<kind_field, all_columns<F>()> all{};
  std::size_t n = 0;
  for (const auto& f : typed_fields<F>)
    for (std::size_t i = 0; i < f.column_count; ++i) all[n++] = f.columns[i].facts;
  return all;
}
// The columns of all tables of a kind, one table after the other.
template <class F>
inline constexpr auto described_columns = columns_of_kind<F>();

template <class F>
consteval auto describe_fields() noexcept {
  std::array<kind_field, typed_fields<F>.size()> all{};
  std::size_t n = 0, column = 0;
  for (const auto& f : typed_fields<F>) {
    all[n] = f.facts;
    if (f.column_count != 0)
      all[n].columns = std::span(described_columns<F>).subspan(column, f.column_count);
    column += f.column_count;
    ++n;
  }
  return all;
}
template <class F>
inline constexpr auto described_fields = describe_fields<F>();

// kind_info::read_fields.
template <class F>
void read_fields(const void* p, field_groups groups, const kind_field* only,
                 field_use use, void* context) noexcept {
  const F& f = *static_cast<const F*>(p);
  typename census_of<F>::type census{};
  if (only != nullptr) groups = static_cast<unsigned>(only->group);
  if (has(groups, field_group::counts) || has(groups, field_group::rates))
    census = census_of<F>::take(f);
  for (std::size_t i = 0; i < typed_fields<F>.size(); ++i) {
    const auto& field = typed_fields<F>[i];
    const kind_field& facts = described_fields<F>[i];
    if (only != nullptr ? only != &facts : !has(groups, facts.group)) continue;
    if (!facts.is_table()) {
      use(context, {&facts}, field.value(f, census, 0));
      continue;
    }
    for (std::size_t row = 0; row < field.rows(f); ++row)
      for (std::size_t c = 0; c < field.column_count; ++c)
        use(context, {&facts, &facts.columns[c], row},
            field.columns[c].value(f, census, row));
  }
}

}  // namespace bloomery::format
