// The classic Bloom filter, for very low rates or where memory matters most.
//
// k bits anywhere in m, from one 64-bit key that is re-mixed for each (bloom_probe.hpp):
// 64-bit clean to 2^48 bits, and no double hashing, so the rate falls as far as the
// mathematics says.  1.44 log2(1/p) bits per key; below 1e-5 smaller than block_bloom.
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
#include <bloomery/detail/kind/bloom/probe.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/detail/sizing.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT bloom : public filter_of<bloom, bit_storage<bloom_probe>> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::bloom,
      .name = "bloom",
      .summary = "the classic filter: the smallest, not the fastest",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); }};

  struct params {
    std::uint64_t keys = 0;  // expected number of distinct keys, at least 1
    double fpr = 0.01;       // target rate with all of them in, 0 < fpr < 1
    bloomery::hasher hasher = bloomery::hasher::xxh3();
  };

  // An empty filter sized for `p`.  Errors: invalid_argument, unattainable, too_large,
  // out_of_memory.
  static result<bloom> make(params p) noexcept;

  // An empty filter of exactly this layout.  `keys` is what it was sized for, 0 if
  // unknown.  Errors: invalid_argument, too_large, out_of_memory.
  static result<bloom> make(bloom_layout layout, std::uint64_t keys = 0,
                            bloomery::hasher h = bloomery::hasher::xxh3()) noexcept;

  // A filter with all of `ks` in it, sized for p.keys, or for ks.size() if that is 0.
  static result<bloom> build(std::span<const key> ks, params p) noexcept;
  static result<bloom> build(std::span<const key> ks) noexcept {
    return build(ks, params{});
  }
  using range_builds<bloom>::build;  // from text, bytes: any range of keys

  // Lookups, inserts and files: filter_of.hpp.

  // An empty filter of the same layout, capacity and hasher.  Errors: out_of_memory.
  result<bloom> empty_like() const noexcept {
    return make({bits(), hashes()}, capacity(), hasher());
  }

  // Union: afterwards this filter answers "possibly present" wherever either did.
  // Errors: incompatible, unless both have the same bits, hashes and hasher.
  result<void> merge(const bloom& other) noexcept { return merge_in(other); }
  // Intersection: afterwards this filter answers "possibly present" where both did, which
  // includes every key of both sets.  Errors: incompatible.
  result<void> intersect(const bloom& other) noexcept { return intersect_with(other); }

  double estimated_keys() const noexcept;

  // The rate this layout gives once it holds `keys` keys.
  double expected_fpr(std::uint64_t keys) const noexcept;
  // The rate this filter has for keys it does not hold, from its bits; keys that are
  // equal in 63 of their 64 bits (one in 2^63 for each key in it) come on top.
  double realised_fpr() const noexcept;

 private:
  friend filter_of<bloom, bit_storage<bloom_probe>>;
  friend core_parts;
  friend struct format::filter_access;

  bloom(bloom_layout layout, std::uint64_t keys, bloomery::hasher h, pages store) noexcept
      : filter_of(bloom_probe(layout.bits), layout.hashes, layout.hashes, keys, h,
                  std::move(store)) {}

  bloom with_store(pages store) const noexcept;
};

extern template class bit_storage<bloom_probe>;

}  // namespace bloomery::inline v1
