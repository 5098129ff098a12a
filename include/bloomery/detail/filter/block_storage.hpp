// What block_bloom and split_block_bloom have in common: an array of blocks, and every
// call that handles many keys or many blocks at once.
//
// Batches are where prefetching and the choice of kernel live; they set and test exactly
// the bits of the one-key calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/block_shape.hpp>
#include <bloomery/export.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::format {
struct filter_access;
}

namespace bloomery::inline v1 {

template <class F>
struct concurrent_access;  // concurrent.hpp
class counting_bloom;

class BLOOMERY_EXPORT block_storage {
 public:
  block_storage(block_storage&&) noexcept = default;

  // --- many keys: memory latency overlaps ---
  void insert(std::span<const key> ks) noexcept;
  void insert(std::span<const std::string_view> ks) noexcept;

  // By several threads, which own a range of blocks each: no atomics, and the same bits
  // for any number of them.  A large filter takes half as much memory again while it runs
  // (more with dozens of threads), if there is any.  REQUIRES: threads >= 1
  void insert(std::span<const key> ks, unsigned threads) noexcept;

  // Inserts key by key, in order; absent[i]: ks[i] was definitely not present when its
  // turn came.  Of equal keys in one batch only the first can be absent.
  // REQUIRES: absent.size() == ks.size()
  void insert_if_absent(std::span<const key> ks, std::span<bool> absent) noexcept;

  // REQUIRES: out.size() == ks.size().  In every build a call that breaks this, or what
  // is required below, ends the program with a sentence.
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept;
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept;

  // The answer for key i is bit i % 64 of word i / 64; the bits after the last are 0.
  // REQUIRES: 64 * out.size() >= ks.size()
  void may_contain(std::span<const key> ks, std::span<std::uint64_t> out) const noexcept;
  void may_contain(std::span<const std::string_view> ks,
                   std::span<std::uint64_t> out) const noexcept;

  void clear() noexcept;

  // Keys for this filter and for every other with an equal hasher.
  key hash(std::string_view bytes) const noexcept { return hasher_.hash(bytes); }
  key hash_u64(std::uint64_t x) const noexcept { return hasher_.hash_u64(x); }
  key from_hash(std::uint64_t h) const noexcept { return hasher_.from_hash(h); }
  bloomery::hasher hasher() const noexcept { return hasher_; }

  // --- what it is ---
  block_shape shape() const noexcept { return shape_; }
  std::uint64_t bits() const noexcept { return shape_.bits(); }
  unsigned hashes() const noexcept { return shape_.hashes(); }  // bits a key sets
  std::uint64_t capacity() const noexcept { return keys_; }     // 0: not recorded
  std::size_t size_in_bytes() const noexcept { return store_.size(); }
  std::span<const std::byte> bytes() const noexcept { return store_.bytes(); }

  // --- current state: each reads every bit ---
  std::uint64_t ones() const noexcept;
  double fill() const noexcept;
  double estimated_keys() const noexcept;

  // The rate this shape gives once it holds `keys` keys.
  double expected_fpr(std::uint64_t keys) const noexcept;

  // The rate this filter has for keys it does not hold, from its bits.  Those that share
  // block and 32 low bits with a stored key are part of it: nearly all, below 1e-8.
  double realised_fpr() const noexcept;

 protected:
  // A filter of one kind must not be given the storage of another.
  block_storage& operator=(block_storage&&) noexcept = default;

  // `shape` with nothing in it.  Errors: invalid_argument (no blocks), too_large,
  // out_of_memory.
  static result<block_storage> make(block_shape shape, std::uint64_t keys,
                                    bloomery::hasher h) noexcept;

  // `copy`, which is empty and of the same layout, with the bits of `f`.
  template <class F>
  static result<F> filled_from(const F& f, result<F> copy) noexcept {
    if (copy) copy->copy_bits(f);
    return copy;
  }
  void copy_bits(const block_storage& other) noexcept;

  // Errors: incompatible, naming what differs: profile or hasher, and blocks.
  result<void> check_same_keys(const block_storage& other) const noexcept;
  // How many of its blocks become one of this filter's.  Errors: incompatible.
  result<std::uint64_t> folds_of(const block_storage& other) const noexcept;
  result<void> merge_in(const block_storage& other) noexcept;
  result<void> intersect_with(const block_storage& other) noexcept;
  result<void> merge_through_fold(const block_storage& other) noexcept;
  result<void> fold_by(std::uint64_t divisor) noexcept;
  result<std::uint64_t> fold_while(double fpr) noexcept;

  bool same_bits(const block_storage& other) const noexcept {
    return shape_ == other.shape_ && hasher_ == other.hasher_ &&
           std::ranges::equal(bytes(), other.bytes());
  }
  std::byte* data() noexcept { return store_.data(); }
  const std::byte* data() const noexcept { return store_.data(); }
  std::span<std::byte> writable() noexcept { return store_.bytes(); }

  block_shape shape_;

 private:
  friend class counting_bloom;  // which becomes one
  friend struct format::filter_access;
  template <class F>
  friend struct concurrent_access;

  block_storage(block_shape shape, std::uint64_t keys, bloomery::hasher h,
                pages store) noexcept
      : shape_(shape), store_(std::move(store)), keys_(keys), hasher_(h) {}

  pages store_;
  std::uint64_t keys_;
  bloomery::hasher hasher_;
};

}  // namespace bloomery::inline v1
