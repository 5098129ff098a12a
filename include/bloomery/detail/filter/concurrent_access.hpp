// The bits of a filter as several threads set them: what concurrent.hpp needs to know of
// each kind.
//
//   insert(f, k, memory)        one key, by wait_free or locked (write_policy.hpp);
//                               whether some bits were missing
//   insert(f, ks, memory)       many, memory latency overlaps
//   fetch(f, ks)                their lines are on their way
//   empty_like(f)               the same layout, size and hasher with nothing in it
//   add(f, other, memory)       every bit of another; Errors: incompatible
#pragma once

#include <cstddef>
#include <span>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/export.hpp>
#include <bloomery/key.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/result.hpp>
#include <bloomery/split_block_bloom.hpp>

namespace bloomery::inline v1 {

using block_probe::locked;
using block_probe::wait_free;

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

template <>
struct BLOOMERY_EXPORT concurrent_access<block_bloom> : concurrent_access<block_storage> {
  static result<block_bloom> empty_like(const block_bloom& f) noexcept {
    return block_bloom::make(f.shape(), f.capacity(), f.hasher());
  }
};

template <>
struct BLOOMERY_EXPORT concurrent_access<split_block_bloom>
    : concurrent_access<block_storage> {
  static result<split_block_bloom> empty_like(const split_block_bloom& f) noexcept {
    return split_block_bloom::make(f.shape().blocks, f.capacity());
  }
};

// Filters whose keys walk from bit to bit.  A key touches several lines: locks would cost
// as many locked instructions as the ORs they replace.
template <>
struct BLOOMERY_EXPORT concurrent_access<bloom> {
  static bool insert(bloom& f, key k, wait_free) noexcept {
    return set_missing(f.store_.data(), f.probe_.start(k), f.hashes_, f.probe_.bits());
  }
  static void insert(bloom& f, std::span<const key> ks, wait_free) noexcept;
  static void fetch(const bloom&, std::span<const key>) noexcept {}
  static result<void> add(bloom& f, const bloom& other, wait_free) noexcept;
  static result<bloom> empty_like(const bloom& f) noexcept {
    return bloom::make({f.bits(), f.hashes()}, f.capacity(), f.hasher());
  }
  static std::byte* data(bloom& f) noexcept { return f.store_.data(); }
};

template <>
struct BLOOMERY_EXPORT concurrent_access<portable_bloom> {
  static bool insert(portable_bloom& f, key k, wait_free) noexcept {
    return set_missing(f.store_.data(), f.probe_.start(k), f.probes_, f.probe_.bits());
  }
  static void insert(portable_bloom& f, std::span<const key> ks, wait_free) noexcept;
  static void fetch(const portable_bloom&, std::span<const key>) noexcept {}
  static result<void> add(portable_bloom& f, const portable_bloom& other,
                          wait_free) noexcept;
  static result<portable_bloom> empty_like(const portable_bloom& f) noexcept {
    return portable_bloom::make({f.bits(), f.hashes()}, f.capacity());
  }
  static std::byte* data(portable_bloom& f) noexcept { return f.store_.data(); }
};

}  // namespace bloomery::inline v1
