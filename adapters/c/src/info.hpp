// A filter's layout, counts and rates as a struct.
#pragma once

#include <cstdint>
#include <limits>

#include <bloomery/container.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/result.hpp>

#include "boundary.hpp"

namespace bloomery::c_abi {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

inline result<void> check_parts(std::uint32_t parts) noexcept {
  if ((parts & ~std::uint32_t{BLOOMERY_INFO_ALL}) != 0)
    return error{errc::unsupported, "a part that this version does not know"};
  return {};
}

// What a header says of the layout, and the fields of one kind that the struct has.
inline void add_layout(bloomery_info& to, const container_facts& f) noexcept {
  to.kind = static_cast<std::uint32_t>(f.kind);
  to.profile = static_cast<std::uint32_t>(f.profile);
  to.hashes = f.hashes;
  to.blocks = find_kind(f.kind)->units_in == nullptr ? f.units : 0;
  to.capacity = f.capacity;
  to.hash_id = static_cast<std::uint32_t>(f.hash);
  to.seed = f.seed;
  to.hash_check = f.hash_check;
  to.source = static_cast<std::uint32_t>(f.source);
}

template <class F>
std::uint64_t field_or_zero(const F& f, const char* name) noexcept {
  const auto v = read_field(f, name);
  return v ? v->count : 0;
}

template <class F>
bool has_clear_padding([[maybe_unused]] const F& f) noexcept {
  if constexpr (padded<F>)
    return f.padding_is_clear();
  else
    return true;
}

// What `parts` ask for beside the layout.
void add_measures(bloomery_info& to, const auto& f, std::uint32_t parts) noexcept {
  to.fill = to.estimated_keys = to.expected_fpr = to.realised_fpr = unknown;
  to.parts = parts;
  if ((parts & BLOOMERY_INFO_COUNTS) != 0) {
    to.ones = f.ones();
    to.stuck_cells = field_or_zero(f, "stuck_cells");
    to.fill = f.fill();
    to.estimated_keys = f.estimated_keys();
    to.padding_is_clear = has_clear_padding(f);
  }
  if ((parts & BLOOMERY_INFO_RATES) != 0) {
    to.expected_fpr = design_fpr(f);
    to.realised_fpr = f.realised_fpr();
  }
}

template <class F>
bloomery_info info_of(const F& f, std::uint32_t parts) noexcept {
  bloomery_info to{};
  add_layout(to, find_kind(F::kind.number)->files.describe(&f));
  to.bits = f.bits();
  to.identity = field_or_zero(f, "identity");
  to.size_in_bytes = f.size_in_bytes();
  add_measures(to, f, parts);
  return to;
}

// A container's header, and the damage that was found.
bloomery_container container_of(const read_report& r) noexcept;

}  // namespace bloomery::c_abi
