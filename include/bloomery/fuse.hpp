// The binary fuse filter: built once from all its keys, small, and three cache lines per
// lookup.
//
//   auto f = bloomery::fuse::build(keys, {.fpr = 1.0 / 256});
//
// 9.0 bits per key at 1/256 (8.6 with four slots per key), where block_bloom takes 12.6
// and classic Bloom filters 11.5; the rate is a power of 1/2.  Up to 1024 keys it
// takes 1.04 times the least possible, and a few bytes.  T. M. Graf and D. Lemire,
// "Binary Fuse Filters: Fast and Smaller Than Xor Filters", 2022; here in shards, which
// makes construction fast for large sets, and with a builder that cannot fail
// (spec/filters.md, section 10; docs/decisions/0030-fuse.md).
//
// It cannot be changed: for sets that grow, take block_bloom.  Thread safety: all calls
// may run together.  A filter that was moved from may only be destroyed or assigned to.
#pragma once

#include <cstdint>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/slot_filter.hpp>
#include <bloomery/detail/kind/slot/sizing.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/hasher.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT fuse : public slot_filter<fuse, fuse_rule> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::fuse,
      .name = "fuse",
      .summary = "built once from all keys: 9 bits per key at 0.4 %",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "slots",
      .damage = damage_rule::possibly_present,
      .fast_lookups = true,
      .parameter_bytes = 14};

 private:
  friend struct format::filter_access;
  friend class slot_filter<fuse, fuse_rule>;

  fuse(const slot_shape& shape, std::uint64_t residue, std::uint64_t keys,
       bloomery::hasher h, pages store, damage_set damage) noexcept
      : slot_filter(shape, residue, keys, h, std::move(store), std::move(damage)) {}
};

extern template class slot_storage<fuse_rule>;
extern template class slot_filter<fuse, fuse_rule>;

}  // namespace bloomery::inline v1
