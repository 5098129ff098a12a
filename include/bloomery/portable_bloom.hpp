// The cross-language Bloom filter: the same bytes from C++, Go, Rust and Python.
//
// FNV-1a64 + SplitMix64, two 32-bit halves, double hashing modulo m, bits LSB-first
// (spec/filters.md).  Choose it to exchange filters between languages.  Its limits are
// those of the format: double hashing adds about 1/m to the rate, and 32-bit halves
// cannot spread over more than about 2^32 bits.  Inside m * fpr >= 50 and
// m <= 1.25 * 2^32 it keeps its word; outside, `make` refuses or says what it gives.
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
#include <bloomery/detail/probe/portable_probe.hpp>
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

class BLOOMERY_EXPORT portable_bloom {
 public:
  struct params {
    std::uint64_t keys = 0;  // expected number of distinct keys, at least 1
    double fpr = 0.01;       // wanted once they are all in, 0 < fpr < 1
    bool force = false;      // build even where the format cannot keep to `fpr`
  };

  // An empty filter sized for `p`.  Refuses with `unattainable` (asked, possible) when
  // the format would give more than 4 times the asked rate, unless forced or for fewer
  // than 100 keys; sizing.hpp tells beforehand.
  // Errors: invalid_argument, unattainable, too_large, out_of_memory.
  static result<portable_bloom> make(params p) noexcept;

  // An empty filter of exactly this layout.  `keys` is what it was sized for, 0 if
  // unknown.  Errors: invalid_argument, too_large, out_of_memory.
  static result<portable_bloom> make(bloom_layout layout,
                                     std::uint64_t keys = 0) noexcept;

  // The filter in `bytes`: any m and k a writer may have chosen.  Nothing is allocated
  // before the length matches.  Errors: corrupt, out_of_memory.
  static result<portable_bloom> decode(std::span<const std::byte> bytes) noexcept;
  // Errors: out_of_memory.
  result<pages> encode() const noexcept;

  // decode/encode from and to a file.  `save` is atomic and durable: whatever goes wrong,
  // the file is the old one or the new one, whole.  Errors: as decode, io.
  static result<portable_bloom> load(const char* path) noexcept;
  result<void> save(const char* path) const noexcept;

  // --- one key ---
  void insert(key k) noexcept;
  bool may_contain(key k) const noexcept;
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

  // Keys for the calls above, and for every other portable_bloom.
  key hash(std::string_view bytes) const noexcept { return hasher().hash(bytes); }
  key hash(std::nullptr_t) const = delete;
  key hash_u64(std::uint64_t x) const noexcept { return hasher().hash_u64(x); }
  bloomery::hasher hasher() const noexcept { return hasher::fnv1a_splitmix(); }

  // Afterwards this filter answers "perhaps" wherever either did.
  // Errors: incompatible, unless both have the same bits and hashes.
  result<void> merge(const portable_bloom& other) noexcept;
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

  // The rate this layout gives once it holds `keys` keys, floor of the format included.
  double expected_fpr(std::uint64_t keys) const noexcept;

  // The rate this filter has, from its bits.  Exact up to 65536 bits (which may take
  // half a second); above, from the fill and the format's known excess; with more hashes
  // than any writer uses (256), from a sample of lookups where that can tell.
  double realised_fpr() const noexcept;

  // False if a bit beyond the last is set, which no writer does: the bytes were damaged
  // or belong to another format.  True is no proof: this format has no checksum.
  bool padding_is_clear() const noexcept;

  friend bool operator==(const portable_bloom& a, const portable_bloom& b) noexcept {
    return a.bits() == b.bits() && a.hashes_ == b.hashes_ &&
           std::ranges::equal(a.bytes(), b.bytes());
  }

 private:
  friend struct format::filter_access;
  template <class F>
  friend struct concurrent_access;

  portable_bloom(bloom_layout layout, std::uint64_t keys, pages store) noexcept
      : probe_(layout.bits),
        hashes_(layout.hashes),
        probes_(static_cast<std::uint32_t>(
            std::min<std::uint64_t>(layout.hashes, layout.bits))),
        keys_(keys),
        store_(std::move(store)) {}
  result<void> check_same_layout(const portable_bloom& other) const noexcept;

  portable_probe probe_;
  std::uint32_t hashes_;  // as stored
  std::uint32_t probes_;  // as walked: positions repeat after at most m steps
  std::uint64_t keys_;
  pages store_;
};

inline void portable_bloom::insert(key k) noexcept {
  set_all(store_.data(), probe_.start(k), probes_, probe_.bits());
}

inline bool portable_bloom::may_contain(key k) const noexcept {
  return all_set(store_.data(), probe_.start(k), probes_, probe_.bits());
}

}  // namespace bloomery::inline v1
