// A filter's layout, counts and rates as a struct.
#pragma once

#include <cstdint>
#include <limits>

#include <bloomery/container.hpp>
#include <bloomery/detail/filter/block_storage.hpp>
#include <bloomery/result.hpp>

#include "boundary.hpp"

namespace bloomery::c_abi {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

inline result<void> check_parts(std::uint32_t parts) noexcept {
  if ((parts & ~std::uint32_t{BLOOMERY_INFO_ALL}) != 0)
    return error{errc::unsupported, "a part that this version does not know"};
  return {};
}

constexpr std::uint32_t kind_of(const portable_bloom&) noexcept {
  return BLOOMERY_KIND_PORTABLE;
}
constexpr std::uint32_t kind_of(const block_bloom&) noexcept {
  return BLOOMERY_KIND_BLOCK;
}
constexpr std::uint32_t kind_of(const split_block_bloom&) noexcept {
  return BLOOMERY_KIND_SPLIT_BLOCK;
}
constexpr std::uint32_t kind_of(const bloom&) noexcept { return BLOOMERY_KIND_BLOOM; }

void set_shape(bloomery_info& to, const auto& f) noexcept {
  if constexpr (requires { f.shape(); }) {
    to.profile = static_cast<std::uint32_t>(f.shape().profile);
    to.blocks = f.shape().blocks;
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
    to.ones = f.ones();
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
  to.kind = kind_of(f);
  to.hashes = f.hashes();
  to.bits = f.bits();
  to.size_in_bytes = f.size_in_bytes();
  to.capacity = f.capacity();
  to.hash_id = static_cast<std::uint32_t>(f.hasher().id());
  to.seed = f.hasher().seed();
  to.hash_check = f.hasher().check();
  set_shape(to, f);
  add_measures(to, f, parts);
  return to;
}

// A container's header, and the damage that was found.
bloomery_container container_of(const read_report& r) noexcept;

}  // namespace bloomery::c_abi
