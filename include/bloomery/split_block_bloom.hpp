// Apache Parquet's split-block Bloom filter, bit for bit.
//
// XXH64 with seed 0; a key falls into one 32-byte block and sets one bit in each of its
// eight 32-bit words (spec/filters.md, section 3).  Choose it to exchange filters with
// Parquet readers and writers; block_bloom is smaller at the same rate.
//
// Cost: one line per key, without a branch on the answer.
// Thread safety: const calls may run together; any other call must run alone.
// A filter that was moved from may only be destroyed or assigned to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/block_storage.hpp>
#include <bloomery/detail/filter/filter_of.hpp>
#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT split_block_bloom
    : public filter_of<split_block_bloom, block_storage> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::split_block,
      .name = "split-block",
      .summary = "the filter of Apache Parquet",
      .hasher = []() noexcept { return bloomery::hasher::xxh64(); },
      .units = "blocks",
      .any_hasher = false,
      .inlines_vectors = true};

  struct params {
    std::uint64_t keys = 0;  // expected number of distinct keys, at least 1
    double fpr = 0.01;       // target rate with all of them in, 0 < fpr < 1
    key_source source = key_source::bytes;
  };

  // An empty filter of the fewest blocks that keep to the rate.  (Parquet's own writers
  // round up to a power of two; readers take any number.)
  // Errors: invalid_argument, unattainable, too_large, out_of_memory.
  static result<split_block_bloom> make(params p) noexcept;

  // Exactly so many blocks, at most 2^26 - 1: a bitset has a 31-bit length in bytes.
  // Errors: invalid_argument, too_large, out_of_memory.
  static result<split_block_bloom> make(std::uint64_t blocks, std::uint64_t keys = 0,
                                        key_source source = key_source::bytes) noexcept;

  // A filter with all of `ks` in it, the same for any number of threads.
  static result<split_block_bloom> build(std::span<const key> ks, params p,
                                         unsigned threads = 1) noexcept;
  static result<split_block_bloom> build(std::span<const key> ks) noexcept {
    return build(ks, params{});
  }
  using range_builds<split_block_bloom>::build;  // from text, bytes: any range of keys

  // The filter in a bare bitset, as it lies in a Parquet file; bytes() gives it back.
  // Errors: corrupt (no whole number of blocks), too_large, out_of_memory.
  static result<split_block_bloom> from_bitset(
      std::span<const std::byte> bitset, key_source source = key_source::bytes) noexcept;

  // Lookups, inserts and files: filter_of.hpp.  One-key calls are inline where the caller
  // compiles for AVX2, AVX-512 or NEON.

  // --- whole filters: as in block_bloom ---
  result<split_block_bloom> empty_like() const noexcept {
    return make(shape().blocks, capacity(), hasher().source());
  }
  result<void> merge(const split_block_bloom& other) noexcept { return merge_in(other); }
  result<void> fold_and_merge(const split_block_bloom& other) noexcept {
    return merge_through_fold(other);
  }
  result<void> intersect(const split_block_bloom& other) noexcept {
    return intersect_with(other);
  }
  result<void> fold(std::uint64_t divisor) noexcept { return fold_by(divisor); }
  result<std::uint64_t> fold_to_rate(double fpr) noexcept { return fold_while(fpr); }

 private:
  friend filter_of<split_block_bloom, block_storage>;
  friend core_parts;
  friend struct format::filter_access;

  explicit split_block_bloom(block_storage s) noexcept : filter_of(std::move(s)) {}

  // --- the core (filter_of.hpp, block_storage.hpp) ---
  BLOOMERY_INLINE bool find(key k) const noexcept {
    using namespace block_probe;
    return one_key<native, split>::may_contain(data(), shape_.blocks, k.bits());
  }
  BLOOMERY_INLINE void add(key k) noexcept {
    using namespace block_probe;
    one_key<native, split>::insert(data(), shape_.blocks, k.bits());
  }
  BLOOMERY_INLINE bool add_absent(key k) noexcept {
    if (find(k)) return false;
    add(k);
    return true;
  }
  split_block_bloom with_store(pages store) const noexcept;
};

}  // namespace bloomery::inline v1
