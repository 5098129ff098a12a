// The xor filter: built once from all its keys, the ancestor of the fuse filter.
//
// 9.84 bits per key at 1/256, three cache lines per lookup.  fuse is smaller and is built
// faster; this one is for comparison, and for users who rely on its simplicity. T. M.
// Graf and D. Lemire, "Xor Filters: Faster and Smaller Than Bloom and Cuckoo Filters",
// 2020 (spec/filters.md, section 11).  In everything else it is as fuse.
#pragma once

#include <cstdint>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/slot_filter.hpp>
#include <bloomery/detail/kind/slot/sizing.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/hasher.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT xor_filter : public slot_filter<xor_filter, xor_rule> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::xor_filter,
      .name = "xor",
      .summary = "built once from all keys: the ancestor of fuse",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "slots",
      .damage = damage_rule::possibly_present,
      .parameter_bytes = 14};

 private:
  friend struct format::filter_access;
  friend class slot_filter<xor_filter, xor_rule>;

  xor_filter(const slot_shape& shape, std::uint64_t residue, std::uint64_t keys,
             bloomery::hasher h, pages store, damage_set damage) noexcept
      : slot_filter(shape, residue, keys, h, std::move(store), std::move(damage)) {}
};

extern template class slot_storage<xor_rule>;
extern template class slot_filter<xor_filter, xor_rule>;

}  // namespace bloomery::inline v1
