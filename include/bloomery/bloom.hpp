// The classic Bloom filter done right, for very small rates or when memory is everything.
//
// k bits anywhere in m, from one 64-bit key that is re-mixed for each (bloom_probe.hpp):
// 64-bit clean to 2^48 bits, and no double hashing, so the rate falls as far as the
// mathematics says.  1.44 log2(1/p) bits a key; below 1e-5 smaller than block_bloom.
//
// Cost: up to k cache lines a key; an absent key needs about 2.
// Thread safety: const calls may run together; any other call must run alone.
// A filter that was moved from may only be destroyed or assigned to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/detail/probe/bit_sequence.hpp>
#include <bloomery/detail/probe/bloom_probe.hpp>
#include <bloomery/export.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>
#include <bloomery/sizing.hpp>

namespace bloomery::format {
struct filter_access;
}

namespace bloomery::inline v1 {

template <class F>
struct concurrent_access;  // concurrent.hpp

class BLOOMERY_EXPORT bloom {
 public:
  struct params {
    std::uint64_t keys = 0;  // expected number of distinct keys, at least 1
    double fpr = 0.01;       // wanted once they are all in, 0 < fpr < 1
    bloomery::hasher hasher = bloomery::hasher::xxh3();
  };

  // An empty filter sized for `p`.  Errors: invalid_argument, unattainable, too_large,
  // out_of_memory.
  static result<bloom> make(params p) noexcept;

  // An empty filter of exactly this layout.  `keys` is what it was sized for, 0 if
  // unknown.  Errors: invalid_argument, too_large, out_of_memory.
  static result<bloom> make(bloom_layout layout, std::uint64_t keys = 0,
                            bloomery::hasher h = bloomery::hasher::xxh3()) noexcept;

  // A filter with all of `ks` in it, sized for p.keys, or for ks.size() if that is 0.
  static result<bloom> build(std::span<const key> ks, params p) noexcept;
  static result<bloom> build(std::span<const key> ks) noexcept {
    return build(ks, params{});
  }

  // The container, as of block_bloom.
  static result<bloom> decode(std::span<const std::byte> bytes) noexcept;
  result<pages> encode() const noexcept;
  static result<bloom> load(const char* path) noexcept;
  result<void> save(const char* path) const noexcept;

  // --- one key ---
  void insert(key k) noexcept {
    set_all(store_.data(), probe_.start(k), hashes_, probe_.bits());
  }
  bool may_contain(key k) const noexcept {
    return all_set(store_.data(), probe_.start(k), hashes_, probe_.bits());
  }
  void insert(std::string_view bytes) noexcept { insert(hash(bytes)); }
  bool may_contain(std::string_view bytes) const noexcept {
    return may_contain(hash(bytes));
  }
  // A literal 0 would be a string_view of a null pointer.
  void insert(std::nullptr_t) = delete;
  bool may_contain(std::nullptr_t) const = delete;

  // --- many keys: memory latency overlaps ---
  // REQUIRES: out.size() == ks.size()
  void insert(std::span<const key> ks) noexcept;
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept;
  void insert(std::span<const std::string_view> ks) noexcept;
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept;

  // Keys for this filter and for every other with an equal hasher.
  key hash(std::string_view bytes) const noexcept { return hasher_.hash(bytes); }
  key hash(std::nullptr_t) const = delete;
  key hash_u64(std::uint64_t x) const noexcept { return hasher_.hash_u64(x); }
  bloomery::hasher hasher() const noexcept { return hasher_; }

  // Afterwards this filter answers "perhaps" wherever either did.
  // Errors: incompatible, unless both have the same bits, hashes and hasher.
  result<void> merge(const bloom& other) noexcept;
  // Afterwards this filter answers "perhaps" where both did: for every key of both sets,
  // and for some of neither.  Errors: incompatible.
  result<void> intersect(const bloom& other) noexcept;
  void clear() noexcept;

  // --- what it is ---
  std::uint64_t bits() const noexcept { return probe_.bits(); }  // m
  std::uint32_t hashes() const noexcept { return hashes_; }      // k
  std::uint64_t capacity() const noexcept { return keys_; }      // 0: not recorded
  std::size_t size_in_bytes() const noexcept { return store_.size(); }
  std::span<const std::byte> bytes() const noexcept { return store_.bytes(); }

  // --- what it has become: each reads every bit ---
  std::uint64_t ones() const noexcept;
  double fill() const noexcept;
  double estimated_keys() const noexcept;

  // The rate this layout gives once it holds `keys` keys.
  double expected_fpr(std::uint64_t keys) const noexcept;
  // The rate this filter has for keys it does not hold, from its bits; keys that are
  // equal in 63 of their 64 bits (one in 2^63 for each key in it) come on top.
  double realised_fpr() const noexcept;

  // False if a bit beyond the last is set, which no writer does: the bytes were damaged.
  bool padding_is_clear() const noexcept;

  friend bool operator==(const bloom& a, const bloom& b) noexcept {
    return a.bits() == b.bits() && a.hashes_ == b.hashes_ && a.hasher_ == b.hasher_ &&
           std::ranges::equal(a.bytes(), b.bytes());
  }

 private:
  friend struct format::filter_access;
  template <class F>
  friend struct concurrent_access;

  bloom(bloom_layout layout, std::uint64_t keys, bloomery::hasher h, pages store) noexcept
      : probe_(layout.bits),
        hashes_(layout.hashes),
        keys_(keys),
        hasher_(h),
        store_(std::move(store)) {}
  result<void> check_same_layout(const bloom& other) const noexcept;

  bloom_probe probe_;
  std::uint32_t hashes_;
  std::uint64_t keys_;
  bloomery::hasher hasher_;
  pages store_;
};

}  // namespace bloomery::inline v1
