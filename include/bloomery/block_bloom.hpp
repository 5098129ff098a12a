// The flagship: a Bloom filter that touches one cache line per key.
//
// A key falls into one 64-byte line and sets one bit in each of its 8 lanes, all tested
// by one vector instruction (spec/filters.md, section 2).  10.1 bits per key at 1 %;
// other profiles keep the memory low at other rates.  Any number of lines, so the size
// fits the rate exactly.
//
// Cost: one line per key (two below 0.05 %), without a branch on the answer.
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
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT block_bloom : public filter_of<block_bloom, block_storage> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::block,
      .name = "block",
      .summary = "one cache line per key: the fastest",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "blocks",
      .inlines_vectors = true};

  struct params {
    std::uint64_t keys = 0;  // expected number of distinct keys, at least 1
    double fpr = 0.01;       // target rate with all of them in, 0 < fpr < 1
    block_profile profile = block_profile::by_rate;
    bloomery::hasher hasher = bloomery::hasher::xxh3();
    bool foldable = false;  // up to 1 % larger, so that fold has many divisors to use
  };

  // An empty filter sized for `p`.  Errors: invalid_argument, unattainable, too_large,
  // out_of_memory.
  static result<block_bloom> make(params p) noexcept;

  // An empty filter of exactly this shape.  `keys` is what it was sized for, 0 if
  // unknown.  Errors: invalid_argument, too_large, out_of_memory.
  static result<block_bloom> make(block_shape shape, std::uint64_t keys = 0,
                                  bloomery::hasher h = bloomery::hasher::xxh3()) noexcept;

  // A filter with all of `ks` in it, the same for any number of threads.  Sized for
  // p.keys, or for ks.size() if that is 0.  Errors: as make.
  static result<block_bloom> build(std::span<const key> ks, params p,
                                   unsigned threads = 1) noexcept;
  static result<block_bloom> build(std::span<const key> ks) noexcept {
    return build(ks, params{});
  }
  using range_builds<block_bloom>::build;  // from text, bytes: any range of keys

  // Lookups, inserts and files: filter_of.hpp.  One-key calls are inline where the caller
  // compiles for AVX2, AVX-512 or NEON.  insert(keys, threads) of a large filter takes
  // half as much memory again while it runs (more with dozens of threads), if there is
  // any.

  // --- whole filters ---
  // An empty filter of the same shape, capacity and hasher.  Errors: out_of_memory.
  result<block_bloom> empty_like() const noexcept {
    return make(shape(), capacity(), hasher());
  }

  // Union: afterwards this filter answers "possibly present" wherever either did.  The
  // size of the other one may be a multiple of this one's: it is folded on the fly.
  // Errors: incompatible.
  result<void> merge(const block_bloom& other) noexcept { return merge_in(other); }

  // The same for any two sizes: this filter is folded to their greatest common divisor
  // first, which raises its rate; see realised_fpr.  Errors: incompatible, out_of_memory.
  result<void> fold_and_merge(const block_bloom& other) noexcept {
    return merge_through_fold(other);
  }

  // Intersection: afterwards this filter answers "possibly present" where both did, which
  // includes every key of both sets.  Same size only.  Errors: incompatible.
  result<void> intersect(const block_bloom& other) noexcept {
    return intersect_with(other);
  }

  // Shrinks to one block for every `divisor` adjacent ones: bit for bit the filter of the
  // same keys at that size.  Errors: invalid_argument (no divisor of the number of
  // blocks), out_of_memory.
  result<void> fold(std::uint64_t divisor) noexcept { return fold_by(divisor); }

  // Folds as far as the keys in it allow at this rate, for filters made before the number
  // of keys was known.  Returns the divisor used, 1 if none.  realised_fpr() of the
  // result is at most `fpr`, unless nothing was folded.  Reads every bit several times.
  // Errors: invalid_argument (a rate outside (0, 1)), out_of_memory.
  result<std::uint64_t> fold_to_rate(double fpr) noexcept { return fold_while(fpr); }

  block_profile profile() const noexcept { return shape_.profile; }

 private:
  friend filter_of<block_bloom, block_storage>;
  friend core_parts;
  friend struct format::filter_access;

  explicit block_bloom(block_storage s) noexcept : filter_of(std::move(s)) {}

  // --- the core (filter_of.hpp, block_storage.hpp) ---
  BLOOMERY_INLINE bool find(key k) const noexcept {
    return block_probe::native::present(look(k));
  }
  BLOOMERY_INLINE void add(key k) noexcept;
  // An integer; key_of(x) where it takes the long way.
  template <class KeyOf>
  BLOOMERY_INLINE bool find_integer(std::uint64_t x, KeyOf key_of) const noexcept;
  template <class KeyOf>
  BLOOMERY_INLINE void add_integer(std::uint64_t x, KeyOf key_of) noexcept;
  BLOOMERY_INLINE bool add_absent(key k) noexcept {
    if (find(k)) return false;
    add(k);
    return true;
  }
  block_bloom with_store(pages store) const noexcept;

  using finding = block_probe::native::finding;
  BLOOMERY_INLINE finding look(key k) const noexcept;
  BLOOMERY_INLINE finding look_in_line(key k) const noexcept {
    using namespace block_probe;
    return one_key<native, line>::look(data(), shape_.blocks, k.bits());
  }
  BLOOMERY_INLINE void add_to_line(key k) noexcept {
    using namespace block_probe;
    one_key<native, line>::insert(data(), shape_.blocks, k.bits());
  }
};

inline void block_bloom::add(key k) noexcept {
  using namespace block_probe;
  const std::uint64_t h = k.bits();
  if (shape_.profile == block_profile::line) [[likely]]
    add_to_line(k);
  else if (shape_.profile == block_profile::two_lines)
    one_key<native, two_lines>::insert(data(), shape_.blocks, h);
  else if (shape_.profile == block_profile::lanes16)
    one_key<native, lanes16>::insert(data(), shape_.blocks, h);
  else
    one_key<native, half_line>::insert(data(), shape_.blocks, h);
}

inline block_bloom::finding block_bloom::look(key k) const noexcept {
  using namespace block_probe;
  const std::uint64_t h = k.bits();
  if (shape_.profile == block_profile::line) [[likely]]
    return look_in_line(k);
  if (shape_.profile == block_profile::two_lines)
    return one_key<native, two_lines>::look(data(), shape_.blocks, h);
  if (shape_.profile == block_profile::lanes16)
    return one_key<native, lanes16>::look(data(), shape_.blocks, h);
  return one_key<native, half_line>::look(data(), shape_.blocks, h);
}

template <class KeyOf>
inline bool block_bloom::find_integer(std::uint64_t x, KeyOf key_of) const noexcept {
  // Read in every case, so that a loop keeps it in a register.
  const std::uint64_t mask = hasher_.integer_mask();
  finding found;
  if (straight_) [[likely]]
    found = look_in_line(key::from_bits(hash::fmix64(x ^ mask)));
  else
    found = look(key_of(x));
  return block_probe::native::present(found);
}

template <class KeyOf>
inline void block_bloom::add_integer(std::uint64_t x, KeyOf key_of) noexcept {
  const std::uint64_t mask = hasher_.integer_mask();
  if (straight_) [[likely]]
    add_to_line(key::from_bits(hash::fmix64(x ^ mask)));
  else
    add(key_of(x));
}

}  // namespace bloomery::inline v1
