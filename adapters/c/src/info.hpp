// A filter's layout, counts and rates as a struct.
#pragma once

#include <cstdint>
#include <limits>

#include <bloomery/container.hpp>
#include <bloomery/result.hpp>

#include "boundary.hpp"

namespace bloomery::c_abi {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

inline result<void> check_parts(std::uint32_t parts) noexcept {
  if ((parts & ~std::uint32_t{BLOOMERY_INFO_ALL}) != 0)
    return error{errc::unsupported, "a part that this version does not know"};
  return {};
}

// Kinds that are not bits have fewer numbers: what one lacks stays 0.
template <class F>
void add_layout(bloomery_info& to, const F& f) noexcept {
  to.kind = static_cast<std::uint32_t>(F::kind.number);
  if constexpr (requires { f.hashes(); }) to.hashes = f.hashes();
  if constexpr (requires { f.tag_bits(); }) to.hashes = f.tag_bits();
  if constexpr (requires { f.bits(); }) to.bits = f.bits();
  if constexpr (requires { f.identity(); }) to.identity = f.identity();
  if constexpr (requires { f.shape().profile(); })
    to.profile = static_cast<std::uint32_t>(f.shape().profile());
  else if constexpr (requires { f.shape().profile; }) {
    to.profile = static_cast<std::uint32_t>(f.shape().profile);
    to.blocks = f.shape().blocks;
  } else if constexpr (requires { f.shape().generations; }) {
    to.profile = static_cast<std::uint32_t>(f.shape().one.profile);
    to.blocks = f.shape().all().blocks;
  } else if constexpr (requires { f.shape().lines; }) {
    to.profile = static_cast<std::uint32_t>(f.shape().profile(0));
    to.blocks = f.shape().lines;
  }
}

bool has_clear_padding(const auto& f) noexcept {
  if constexpr (requires { f.padding_is_clear(); })
    return f.padding_is_clear();
  else
    return true;
}

// What `parts` ask for beside the layout.
void add_measures(bloomery_info& to, const auto& f, std::uint32_t parts) noexcept {
  to.fill = to.estimated_keys = to.expected_fpr = to.realised_fpr = unknown;
  to.parts = parts;
  if ((parts & BLOOMERY_INFO_COUNTS) != 0) {
    if constexpr (requires { f.ones(); }) to.ones = f.ones();
    if constexpr (requires { f.stuck_cells(); }) to.stuck_cells = f.stuck_cells();
    to.fill = f.fill();
    to.estimated_keys = f.estimated_keys();
    to.padding_is_clear = has_clear_padding(f);
  }
  if ((parts & BLOOMERY_INFO_RATES) != 0) {
    if (f.capacity() != 0) to.expected_fpr = f.expected_fpr(f.capacity());
    to.realised_fpr = f.realised_fpr();
  }
}

bloomery_info info_of(const auto& f, std::uint32_t parts) noexcept {
  bloomery_info to{};
  add_layout(to, f);
  to.size_in_bytes = f.size_in_bytes();
  to.capacity = f.capacity();
  to.hash_id = static_cast<std::uint32_t>(f.hasher().id());
  to.seed = f.hasher().seed();
  to.hash_check = f.hasher().check();
  to.source = static_cast<std::uint32_t>(f.hasher().source());
  add_measures(to, f, parts);
  return to;
}

// A container's header, and the damage that was found.
bloomery_container container_of(const read_report& r) noexcept;

}  // namespace bloomery::c_abi
