// The cross-language Bloom filter: the same bytes from C++, Go, Rust and Python.
//
// FNV-1a64 + SplitMix64, two 32-bit halves, double hashing modulo m, bits LSB-first
// (spec/filters.md).  Choose it to exchange filters between languages.  Its limits are
// those of the format: double hashing adds about 1/m to the rate, and 32-bit halves
// cannot spread over more than about 2^32 bits.  Inside m * fpr >= 50 and
// m <= 1.25 * 2^32 it keeps its rate; outside, `make` refuses or reports the real rate.
//
// Cost: up to k cache lines per key; an absent key needs about 2.
// Thread safety: const calls may run together; any other call must run alone.
// A filter that was moved from may only be destroyed or assigned to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/bit_storage.hpp>
#include <bloomery/detail/kind/portable/probe.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/detail/path_ref.hpp>
#include <bloomery/detail/sizing.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class input_file;

class BLOOMERY_EXPORT portable_bloom
    : public filter_of<portable_bloom, bit_storage<portable_probe>> {
 public:
  static constexpr kind_facts kind{.number = container_kind::portable,
                                   .name = "portable",
                                   .summary = "the cross-language Bloom filter",
                                   .hasher = bloomery::hasher::fnv1a_splitmix,
                                   .any_hasher = false};

  struct params {
    std::uint64_t keys = 0;  // expected number of distinct keys, at least 1
    double fpr = 0.01;       // target rate with all of them in, 0 < fpr < 1
    bool force = false;      // build even where the format cannot keep to `fpr`
    key_source source = key_source::bytes;
  };

  // An empty filter sized for `p`.  Refuses with `unattainable` (asked, possible) when
  // the format would give more than 4 times the target rate, unless forced or for fewer
  // than 100 keys; promise_of (sizing.hpp) checks this in advance.
  // Errors: invalid_argument, unattainable, too_large, out_of_memory.
  static result<portable_bloom> make(params p) noexcept;

  // An empty filter of exactly this layout.  `keys` is what it was sized for, 0 if
  // unknown.  Errors: invalid_argument, too_large, out_of_memory.
  static result<portable_bloom> make(bloom_layout layout, std::uint64_t keys = 0,
                                     key_source source = key_source::bytes) noexcept;

  // The filter in `bytes`: any m and k a writer may have chosen.  Nothing is allocated
  // before the length matches.  The bytes do not say what keys are: `source` does.
  // Errors: corrupt, out_of_memory.
  static result<portable_bloom> decode(std::span<const std::byte> bytes,
                                       key_source source = key_source::bytes) noexcept;
  // Errors: out_of_memory, unsupported (keys are not bytes, which only a container can
  // say: encode_container).
  result<pages> encode() const noexcept;

  // decode/encode from and to a file.  `save` is atomic and durable: whatever goes wrong,
  // the file is the old one or the new one, whole.  Errors: as decode, io.
  static result<portable_bloom> load(path_ref path,
                                     key_source source = key_source::bytes) noexcept;
  static result<portable_bloom> load(const input_file& file,
                                     key_source source = key_source::bytes) noexcept;
  // Only if `path` is still the file `replaces`, as in write_notes, if that is given.
  result<void> save(path_ref path, const input_file* replaces = nullptr) const noexcept;

  // Lookups and inserts: filter_of.hpp.

  // An empty filter of the same layout and capacity.  Errors: out_of_memory.
  result<portable_bloom> empty_like() const noexcept {
    return make({bits(), hashes()}, capacity(), hasher().source());
  }

  // Union: afterwards this filter answers "possibly present" wherever either did.
  // Errors: incompatible, unless both have the same bits and hashes.
  result<void> merge(const portable_bloom& other) noexcept { return merge_in(other); }
  // Intersection: afterwards this filter answers "possibly present" where both did, which
  // includes every key of both sets.  Errors: incompatible.
  result<void> intersect(const portable_bloom& other) noexcept {
    return intersect_with(other);
  }

  double estimated_keys() const noexcept;

  // The rate this layout gives once it holds `keys` keys, floor of the format included.
  double expected_fpr(std::uint64_t keys) const noexcept;

  // The rate this filter has, from its bits.  Exact up to 65536 bits (which may take
  // half a second); above, from the fill and the format's known excess; with more hashes
  // than any writer uses (256), from a sample of lookups where that is accurate.
  double realised_fpr() const noexcept;

 private:
  friend filter_of<portable_bloom, bit_storage<portable_probe>>;
  friend core_parts;
  friend struct format::filter_access;

  portable_bloom(bloom_layout layout, std::uint64_t keys, key_source source,
                 pages store) noexcept
      // The positions of a key repeat after at most m steps.
      : filter_of(portable_probe(layout.bits), layout.hashes,
                  static_cast<std::uint32_t>(
                      std::min<std::uint64_t>(layout.hashes, layout.bits)),
                  keys, bloomery::hasher::fnv1a_splitmix().of(source), std::move(store)) {
  }

  portable_bloom with_store(pages store) const noexcept;
};

extern template class bit_storage<portable_probe>;

}  // namespace bloomery::inline v1
