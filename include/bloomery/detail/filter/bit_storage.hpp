// What the filters without blocks have in common: an array of bits, and keys that are a
// sequence of positions in it (Probe: bloom_probe, portable_probe, ...).
//
// Batches are where prefetching lives; they set and test exactly the bits of the one-key
// calls.  The definitions of what is not inline are in src/filter/bit_storage.hpp; the
// source file of each kind instantiates its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/filter_of.hpp>
#include <bloomery/detail/probe/bit_sequence.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class counting_bloom;

template <class Probe>
class BLOOMERY_EXPORT bit_storage {
 public:
  using probe = Probe;

  bit_storage(bit_storage&&) noexcept = default;

  void clear() noexcept;

  // --- what it is ---
  std::uint64_t bits() const noexcept { return probe_.bits(); }  // m
  std::uint32_t hashes() const noexcept { return hashes_; }      // k
  static const char* kernel_name() noexcept { return "portable"; }

  // --- its current state: each reads every bit ---
  std::uint64_t ones() const noexcept;
  double fill() const noexcept;

  // False if a bit beyond the last is set, which no writer does: the bytes were damaged
  // or belong to another format.
  bool padding_is_clear() const noexcept;

 protected:
  // A filter of one kind must not be given the storage of another.
  bit_storage& operator=(bit_storage&&) noexcept = default;

  // `probes`: positions of a key that differ from each other at the most.
  bit_storage(Probe p, std::uint32_t hashes, std::uint32_t probes, std::uint64_t keys,
              bloomery::hasher h, pages store) noexcept
      : probe_(p),
        hashes_(hashes),
        probes_(probes),
        keys_(keys),
        hasher_(h),
        store_(std::move(store)) {}

  // --- the core (filter_of.hpp) ---
  void add(key k) noexcept {
    set_all(store_.data(), probe_.start(k), probes_, probe_.range());
  }
  bool find(key k) const noexcept {
    return all_set(store_.data(), probe_.start(k), probes_, probe_.range());
  }
  bool add_absent(key k) noexcept {
    if (find(k)) return false;
    add(k);
    return true;
  }
  void add_each(std::span<const key> ks) noexcept;
  void add_each_absent(std::span<const key> ks, std::span<bool> absent) noexcept;
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept;
  bool is_like(const bit_storage& other) const noexcept {
    return bits() == other.bits() && hashes_ == other.hashes_;
  }

  // Errors: incompatible, naming what differs: bits, hashes or hasher.
  result<void> check_same_layout(const bit_storage& other) const noexcept;
  result<void> merge_in(const bit_storage& other) noexcept;
  result<void> intersect_with(const bit_storage& other) noexcept;

  // Concurrent with other threads: wait-free.
  void add_each_shared(std::span<const key> ks) noexcept;
  result<void> merge_shared(const bit_storage& other) noexcept;

  Probe probe_;
  std::uint32_t hashes_;  // as stored in files
  std::uint32_t probes_;  // as made: fewer where positions repeat
  std::uint64_t keys_;
  bloomery::hasher hasher_;
  pages store_;

 private:
  friend class counting_bloom;  // which becomes one
  friend struct format::filter_access;
  template <class F>
  friend struct concurrent_access;
};

}  // namespace bloomery::inline v1
