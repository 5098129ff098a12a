// What block_bloom and split_block_bloom have in common: an array of blocks, and every
// call that handles many keys or many blocks at once.
//
// Batches are where prefetching and the choice of kernel live; they set and test exactly
// the bits of the one-key calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kernels.hpp>
#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/probe/line_fetch.hpp>
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

  void clear() noexcept;

  // --- what it is ---
  block_shape shape() const noexcept { return shape_; }
  // The widest instructions that batches use on this CPU (kernels.hpp).
  static const char* kernel_name() noexcept { return bloomery::kernel_name(); }
  std::uint64_t bits() const noexcept { return shape_.bits(); }
  unsigned hashes() const noexcept { return shape_.hashes(); }  // bits a key sets
  const bloomery::hasher& hasher() const noexcept { return hasher_; }
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

  // --- the core (filter_of.hpp); the kinds have the one-key calls ---
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept;
  void find_bits(std::span<const key> ks, std::span<std::uint64_t> out) const noexcept;
  void add_each(std::span<const key> ks) noexcept;
  // Whether one pass hashes integers, fetches their lines and looks them up: lines come
  // from beyond the next cache.
  bool finds_integers() const noexcept;
  // REQUIRES: finds_integers()
  void find_integers(std::span<const std::uint64_t> xs,
                     std::span<bool> out) const noexcept;
  // For callers that hash: they fetch the lines themselves, and then give the keys to the
  // calls that do not.
  block_probe::line_fetch lines() const noexcept;
  void find_fetched(std::span<const key> ks, std::span<bool> out) const noexcept;
  void add_fetched(std::span<const key> ks) noexcept;
  // Each thread owns a range of blocks: no atomics, and the same bits for any
  // number of them.  A large filter takes half as much memory again while it runs (more
  // with dozens of threads), if there is any.
  void add_each(std::span<const key> ks, unsigned threads) noexcept;
  void add_each_absent(std::span<const key> ks, std::span<bool> absent) noexcept;
  block_storage with_bytes(pages store) const noexcept {
    return block_storage(shape_, keys_, hasher_, std::move(store));
  }
  bool is_like(const block_storage& other) const noexcept {
    return shape_ == other.shape_;
  }

  // Errors: incompatible, naming what differs: profile or hasher, and blocks.
  result<void> check_same_keys(const block_storage& other) const noexcept;
  // How many of its blocks become one of this filter's.  Errors: incompatible.
  result<std::uint64_t> folds_of(const block_storage& other) const noexcept;
  result<void> merge_in(const block_storage& other) noexcept;
  result<void> intersect_with(const block_storage& other) noexcept;
  result<void> merge_through_fold(const block_storage& other) noexcept;
  result<void> fold_by(std::uint64_t divisor) noexcept;
  result<std::uint64_t> fold_while(double fpr) noexcept;

  std::byte* data() noexcept { return store_.data(); }
  const std::byte* data() const noexcept { return store_.data(); }
  std::span<std::byte> writable() noexcept { return store_.bytes(); }

  block_shape shape_;
  // Integers mixed inline, one line per key: the one-key calls of most filters of
  // integers begin with this test alone.
  bool straight_;
  pages store_;
  std::uint64_t keys_;
  bloomery::hasher hasher_;

 private:
  friend class counting_bloom;  // which becomes one
  friend struct format::filter_access;
  template <class F>
  friend struct concurrent_access;

  block_storage(block_shape shape, std::uint64_t keys, bloomery::hasher h,
                pages store) noexcept
      : shape_(shape),
        straight_(shape.profile == block_profile::line && h.mixes_integers()),
        store_(std::move(store)),
        keys_(keys),
        hasher_(h) {}
};

}  // namespace bloomery::inline v1
