// The definitions of bit_storage: for the source file of each kind that has one.
#pragma once

#include <bloomery/detail/filter/bit_storage.hpp>

#include <cstring>

#include "base/bits.hpp"
#include "base/cpu.hpp"
#include "filter/absent_groups.hpp"
#include "filter/or_shared.hpp"
#include "kernel/bit_loops.hpp"

namespace bloomery::inline v1 {

template <class Probe>
kernel::bit_layout<Probe> bit_layout_of(const Probe& probe, std::uint32_t probes,
                                        std::size_t size) noexcept {
  return {probe, probes, size <= base::caches().l2};
}

template <class Probe>
void bit_storage<Probe>::add_each(std::span<const key> ks) noexcept {
  kernel::insert(bit_layout_of(probe_, probes_, store_.size()), store_.data(), ks);
}

template <class Probe>
void bit_storage<Probe>::add_each_absent(std::span<const key> ks,
                                         std::span<bool> absent) noexcept {
  insert_by_groups(
      ks, absent,
      [this](std::span<const key> some, std::span<bool> found) noexcept {
        find_each(some, found);
      },
      [this](key k) noexcept { return add_absent(k); });
}

template <class Probe>
void bit_storage<Probe>::find_each(std::span<const key> ks,
                                   std::span<bool> out) const noexcept {
  kernel::query(bit_layout_of(probe_, probes_, store_.size()), store_.data(), ks,
                out.data());
}

template <class Probe>
void bit_storage<Probe>::add_each_shared(std::span<const key> ks) noexcept {
  kernel::insert_shared(bit_layout_of(probe_, probes_, store_.size()), store_.data(), ks);
}

template <class Probe>
result<void> bit_storage<Probe>::check_same_layout(
    const bit_storage& other) const noexcept {
  if (bits() != other.bits())
    return error{errc::incompatible, "the filters differ in bits", 0,
                 static_cast<double>(other.bits()), static_cast<double>(bits())};
  if (hashes_ != other.hashes_)
    return error{errc::incompatible, "the filters differ in hashes", 0,
                 static_cast<double>(other.hashes_), static_cast<double>(hashes_)};
  if (!(hasher_ == other.hasher_))
    return error{errc::incompatible, "the filters differ in hash, seed or secret"};
  return {};
}

template <class Probe>
result<void> bit_storage<Probe>::merge_in(const bit_storage& other) noexcept {
  if (auto same = check_same_layout(other); !same) return same;
  base::or_into(store_.bytes(), other.store_.bytes());
  return {};
}

template <class Probe>
result<void> bit_storage<Probe>::merge_shared(const bit_storage& other) noexcept {
  if (auto same = check_same_layout(other); !same) return same;
  or_shared(store_.data(), other.store_.data(), store_.size());
  return {};
}

template <class Probe>
result<void> bit_storage<Probe>::intersect_with(const bit_storage& other) noexcept {
  if (auto same = check_same_layout(other); !same) return same;
  base::and_into(store_.bytes(), other.store_.bytes());
  return {};
}

template <class Probe>
void bit_storage<Probe>::clear() noexcept {
  std::memset(store_.data(), 0, store_.size());
}

template <class Probe>
std::uint64_t bit_storage<Probe>::ones() const noexcept {
  return base::count_ones(store_.bytes(), bits());
}

template <class Probe>
double bit_storage<Probe>::fill() const noexcept {
  return static_cast<double>(ones()) / static_cast<double>(bits());
}

template <class Probe>
bool bit_storage<Probe>::padding_is_clear() const noexcept {
  return base::padding_is_clear(store_.bytes(), bits());
}

}  // namespace bloomery::inline v1
