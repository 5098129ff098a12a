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
#include <string_view>
#include <utility>

#include <bloomery/block_shape.hpp>
#include <bloomery/detail/filter/block_storage.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/export.hpp>
#include <bloomery/key.hpp>
#include <bloomery/kind.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/path_ref.hpp>
#include <bloomery/result.hpp>

namespace bloomery::format {
struct filter_access;
}

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT split_block_bloom : public block_storage,
                                          public key_lookups<split_block_bloom>,
                                          public key_inserts<split_block_bloom> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::split_block,
      .name = "split-block",
      .summary = "the filter of Apache Parquet",
      .hasher = []() noexcept { return bloomery::hasher::xxh64(); },
      .units = "blocks",
      .takes_hasher = false};

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

  // The filter in a bare bitset, as it lies in a Parquet file; bytes() gives it back.
  // Errors: corrupt (no whole number of blocks), too_large, out_of_memory.
  static result<split_block_bloom> from_bitset(
      std::span<const std::byte> bitset, key_source source = key_source::bytes) noexcept;

  // The container, as in block_bloom.
  static result<split_block_bloom> decode(std::span<const std::byte> bytes) noexcept;
  result<pages> encode() const noexcept;
  static result<split_block_bloom> load(path_ref path) noexcept;
  result<void> save(path_ref path) const noexcept;

  // --- one key: inline where the caller compiles for AVX2, AVX-512 or NEON ---
  using block_storage::insert;
  using block_storage::insert_if_absent;
  using block_storage::may_contain;
  BLOOMERY_INLINE void insert(key k) noexcept {
    using namespace block_probe;
    one_key<native, split>::insert(data(), shape_.blocks, k.bits());
  }
  BLOOMERY_INLINE bool may_contain(key k) const noexcept {
    using namespace block_probe;
    return one_key<native, split>::may_contain(data(), shape_.blocks, k.bits());
  }
  BLOOMERY_INLINE void insert(std::string_view bytes) noexcept { insert(hash(bytes)); }
  BLOOMERY_INLINE bool may_contain(std::string_view bytes) const noexcept {
    return may_contain(hash(bytes));
  }
  // Inserts.  Returns true if the key was definitely not present before.
  BLOOMERY_INLINE bool insert_if_absent(key k) noexcept {
    if (may_contain(k)) return false;
    insert(k);
    return true;
  }
  BLOOMERY_INLINE bool insert_if_absent(std::string_view bytes) noexcept {
    return insert_if_absent(hash(bytes));
  }
  // Integers, bytes, and ranges of keys: key_types.hpp.
  using key_inserts<split_block_bloom>::insert;
  using key_inserts<split_block_bloom>::insert_if_absent;
  using key_lookups<split_block_bloom>::may_contain;
  using block_storage::hash;
  using key_lookups<split_block_bloom>::hash;

  // --- whole filters: as in block_bloom ---
  result<split_block_bloom> empty_like() const noexcept {
    return make(shape().blocks, capacity(), hasher().source());
  }
  // A deep copy.  Filters are move-only, so that no copy is implicit.
  // Errors: out_of_memory.
  result<split_block_bloom> clone() const noexcept {
    return filled_from(*this, empty_like());
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

  friend bool operator==(const split_block_bloom& a,
                         const split_block_bloom& b) noexcept {
    return a.same_bits(b);
  }

 private:
  friend struct format::filter_access;

  explicit split_block_bloom(block_storage s) noexcept : block_storage(std::move(s)) {}
};

}  // namespace bloomery::inline v1
