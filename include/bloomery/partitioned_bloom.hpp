// A Bloom filter of k slices: every key has one bit in each.
//
// The slices are independent, so the rate has an exact closed form, and the fill of each
// can be watched: one that differs from the others shows a hash that is not uniform, or
// damage.  No two bits of a key coincide.  Slightly more bits than the classic filter at
// the same rate; the difference is lost in rounding above a few thousand bits
// (spec/filters.md, section 6).
//
// Cost: up to k cache lines per key; an absent key needs about 2.
// Thread safety: const calls may run together; any other call must run alone.
// A filter that was moved from may only be destroyed or assigned to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/bit_storage.hpp>
#include <bloomery/detail/kind/partitioned/probe.hpp>
#include <bloomery/detail/kind/partitioned/sizing.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT partitioned_bloom
    : public filter_of<partitioned_bloom, bit_storage<partitioned_probe>> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::partitioned,
      .name = "partitioned",
      .summary = "a slice for every probe: an exact rate, the fill of each slice",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "slice"};

  struct params {
    std::uint64_t keys = 0;  // expected number of distinct keys, at least 1
    double fpr = 0.01;       // target rate with all of them in, 0 < fpr < 1
    bloomery::hasher hasher = bloomery::hasher::xxh3();
  };

  // An empty filter sized for `p`.  Errors: invalid_argument, unattainable, too_large,
  // out_of_memory.
  static result<partitioned_bloom> make(params p) noexcept;

  // An empty filter of exactly this layout.  `keys` is what it was sized for, 0 if
  // unknown.  Errors: invalid_argument, too_large, out_of_memory.
  static result<partitioned_bloom> make(
      partitioned_layout layout, std::uint64_t keys = 0,
      bloomery::hasher h = bloomery::hasher::xxh3()) noexcept;

  // A filter with all of `ks` in it, sized for p.keys, or for ks.size() if that is 0.
  static result<partitioned_bloom> build(std::span<const key> ks, params p) noexcept;
  static result<partitioned_bloom> build(std::span<const key> ks) noexcept {
    return build(ks, params{});
  }
  using range_builds<partitioned_bloom>::build;  // from text, bytes: any range of keys

  // Lookups, inserts and files: filter_of.hpp.

  // An empty filter of the same layout, capacity and hasher.  Errors: out_of_memory.
  result<partitioned_bloom> empty_like() const noexcept {
    return make(layout(), capacity(), hasher());
  }

  // Union: afterwards this filter answers "possibly present" wherever either did.
  // Errors: incompatible, unless both have the same slices and hasher.
  result<void> merge(const partitioned_bloom& other) noexcept { return merge_in(other); }
  // Intersection: afterwards this filter answers "possibly present" where both did, which
  // includes every key of both sets.  Errors: incompatible.
  result<void> intersect(const partitioned_bloom& other) noexcept {
    return intersect_with(other);
  }

  partitioned_layout layout() const noexcept { return {slice_bits(), hashes()}; }
  std::uint64_t slice_bits() const noexcept { return probe_.range(); }
  std::uint32_t slices() const noexcept { return hashes(); }

  // --- current state: each reads every bit, or those of a slice ---
  // REQUIRES: slice < slices()
  std::uint64_t slice_ones(std::uint32_t slice) const noexcept;
  double slice_fill(std::uint32_t slice) const noexcept {
    return static_cast<double>(slice_ones(slice)) / static_cast<double>(slice_bits());
  }
  double estimated_keys() const noexcept;

  // The rate this layout gives once it holds `keys` keys: exact.
  double expected_fpr(std::uint64_t keys) const noexcept;
  // The rate this filter has for keys it does not hold: the product of the fills of its
  // slices.  Keys that are equal in 63 of their 64 bits (one in 2^63 for each key in it)
  // come on top.
  double realised_fpr() const noexcept;

 private:
  friend filter_of<partitioned_bloom, bit_storage<partitioned_probe>>;
  friend core_parts;
  friend struct format::filter_access;

  partitioned_bloom(partitioned_layout layout, std::uint64_t keys, bloomery::hasher h,
                    pages store) noexcept
      : filter_of(partitioned_probe(layout.slice_bits, layout.slices), layout.slices,
                  layout.slices, keys, h, std::move(store)) {}

  partitioned_bloom with_store(pages store) const noexcept;
};

extern template class bit_storage<partitioned_probe>;

}  // namespace bloomery::inline v1
