// The bits of a filter as several threads set them: what shared_bits.hpp needs to know of
// each kind.
//
//   insert(f, k, memory)        one key, by wait_free or locked (write_policy.hpp);
//                               whether some bits were missing
//   insert(f, ks, memory)       many, memory latency overlaps
//   fetch(f, ks)                their lines are on their way
//   add(f, other, memory)       every bit of another; Errors: incompatible
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/bit_storage.hpp>
#include <bloomery/detail/filter/block_storage.hpp>
#include <bloomery/detail/filter/shared_core.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// Both kinds of blocks.
template <>
struct BLOOMERY_EXPORT concurrent_access<block_storage> {
  template <class Memory>
  BLOOMERY_INLINE static bool insert(block_storage& f, key k, Memory memory) noexcept {
    using namespace block_probe;
    const std::uint64_t h = k.bits();
    switch (f.shape_.profile) {
      case block_profile::line:
        return one_key<native, line>::insert(f.data(), f.shape_.blocks, h, memory);
      case block_profile::two_lines:
        return one_key<native, two_lines>::insert(f.data(), f.shape_.blocks, h, memory);
      case block_profile::split:
        return one_key<native, split>::insert(f.data(), f.shape_.blocks, h, memory);
      case block_profile::lanes16:
        return one_key<native, lanes16>::insert(f.data(), f.shape_.blocks, h, memory);
      default:
        return one_key<native, half_line>::insert(f.data(), f.shape_.blocks, h, memory);
    }
  }
  static void insert(block_storage& f, std::span<const key> ks, wait_free) noexcept;
  static void insert(block_storage& f, std::span<const key> ks, locked by) noexcept;
  static void fetch(const block_storage& f, std::span<const key> ks) noexcept;

  // A multiple of this one's size counts as folded, as in block_bloom::merge.
  static result<void> add(block_storage& f, const block_storage& other,
                          wait_free) noexcept;
  static result<void> add(block_storage& f, const block_storage& other,
                          locked by) noexcept;

  // Keys that fall into one line are serialised by the lock of that line.
  static bool one_line(const block_storage& f) noexcept {
    return f.shape_.choices() == 1;
  }
  static std::byte* data(block_storage& f) noexcept { return f.data(); }
};

template <class F>
requires std::derived_from<F, block_storage>
struct concurrent_access<F> : concurrent_access<block_storage> {
};

// Filters without blocks.  A key touches several lines: locks would cost as many locked
// instructions as the ORs they replace.
template <class F>
requires std::derived_from<F, bit_storage<typename F::probe>>
struct concurrent_access<F> {
  static bool insert(F& f, key k, wait_free) noexcept {
    return set_missing(f.store_.data(), f.probe_.start(k), f.probes_, f.probe_.range());
  }
  static void insert(F& f, std::span<const key> ks, wait_free) noexcept {
    f.add_each_shared(ks);
  }
  static void fetch(const F&, std::span<const key>) noexcept {}
  static result<void> add(F& f, const F& other, wait_free) noexcept {
    return f.merge_shared(other);
  }
  static std::byte* data(F& f) noexcept { return f.store_.data(); }
};

// Filters of bits that several threads can insert into at once.
template <class F>
concept shareable = insertable<F> && requires(F& f, key k) {
  { concurrent_access<F>::insert(f, k, wait_free{}) } -> std::same_as<bool>;
  { f.empty_like() } -> std::same_as<result<F>>;
};
// Those whose keys fall into one line or two: a lock of the line pays.
template <class F>
concept lockable = shareable<F> && std::derived_from<F, block_storage>;

}  // namespace bloomery::inline v1
