// What the filters without blocks have in common: an array of bits, and keys that are a
// sequence of positions in it (Probe: bloom_probe, portable_probe, ...).
//
// Batches are where prefetching lives; they set and test exactly the bits of the one-key
// calls.  The definitions of what is not inline are in src/filter/bit_storage.hpp; the
// source file of each kind instantiates its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/probe/bit_sequence.hpp>
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

template <class Probe>
class BLOOMERY_EXPORT bit_storage : public key_lookups<bit_storage<Probe>>,
                                    public key_inserts<bit_storage<Probe>> {
 public:
  using probe = Probe;

  bit_storage(bit_storage&&) noexcept = default;

  // --- one key ---
  void insert(key k) noexcept {
    set_all(store_.data(), probe_.start(k), probes_, probe_.range());
  }
  bool may_contain(key k) const noexcept {
    return all_set(store_.data(), probe_.start(k), probes_, probe_.range());
  }
  // Inserts, and says whether the key was definitely not present before.
  bool insert_if_absent(key k) noexcept {
    if (may_contain(k)) return false;
    insert(k);
    return true;
  }
  void insert(std::string_view bytes) noexcept { insert(hash(bytes)); }
  bool may_contain(std::string_view bytes) const noexcept {
    return may_contain(hash(bytes));
  }
  bool insert_if_absent(std::string_view bytes) noexcept {
    return insert_if_absent(hash(bytes));
  }
  // Integers, bytes, and ranges of keys: key_types.hpp.
  using key_inserts<bit_storage>::insert;
  using key_inserts<bit_storage>::insert_if_absent;
  using key_lookups<bit_storage>::hash;
  using key_lookups<bit_storage>::may_contain;

  // --- many keys: memory latency overlaps ---
  // REQUIRES: out.size() == ks.size(); in every build a call that breaks this ends the
  // program with a sentence.
  void insert(std::span<const key> ks) noexcept;
  // Inserts key by key, in order; absent[i]: ks[i] was definitely not present when its
  // turn came.  Of equal keys in one batch only the first can be absent.
  void insert_if_absent(std::span<const key> ks, std::span<bool> absent) noexcept;
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept;
  void insert(std::span<const std::string_view> ks) noexcept;
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept;

  // Keys for this filter and for every other with an equal hasher.
  key hash(std::string_view bytes) const noexcept { return hasher_.hash(bytes); }
  key hash_u64(std::uint64_t x) const noexcept { return hasher_.hash_u64(x); }
  key from_hash(std::uint64_t h) const noexcept { return hasher_.from_hash(h); }
  bloomery::hasher hasher() const noexcept { return hasher_; }

  void clear() noexcept;

  // --- what it is ---
  std::uint64_t bits() const noexcept { return probe_.bits(); }  // m
  std::uint32_t hashes() const noexcept { return hashes_; }      // k
  std::uint64_t capacity() const noexcept { return keys_; }      // 0: not recorded
  std::size_t size_in_bytes() const noexcept { return store_.size(); }
  std::span<const std::byte> bytes() const noexcept { return store_.bytes(); }

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

  // `copy`, which is empty and of the same layout, with the bits of `f`.
  template <class F>
  static result<F> filled_from(const F& f, result<F> copy) noexcept {
    if (copy) copy->copy_bits(f);
    return copy;
  }
  void copy_bits(const bit_storage& other) noexcept;

  // Errors: incompatible, naming what differs: bits, hashes or hasher.
  result<void> check_same_layout(const bit_storage& other) const noexcept;
  result<void> merge_in(const bit_storage& other) noexcept;
  result<void> intersect_with(const bit_storage& other) noexcept;
  bool same_bits(const bit_storage& other) const noexcept {
    return bits() == other.bits() && hashes_ == other.hashes_ &&
           hasher_ == other.hasher_ && std::ranges::equal(bytes(), other.bytes());
  }

  // Beside other threads: wait-free.
  void insert_shared(std::span<const key> ks) noexcept;
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
