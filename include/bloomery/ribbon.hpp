// The ribbon filter: the smallest there is, for sets of keys that do not change.
//
// The bits of each key are the solution of linear equations, so that nearly every bit of
// the filter is used: 0.5 % above the information limit log2(1 / fpr) bits per key with
// windows of 64 slots, 0.25 % with 128 (Dillinger, Huebschle-Schneider, Sanders, Walzer,
// "Fast Succinct Retrieval and Approximate Membership Using Ribbon", 2022).  Any rate
// down to 2^-32 is met: between powers of two, a part of the slots has one bit less, and
// costs up to 0.09 bits per key.  spec/filters.md, section 9.
//
// Built from all keys at once; building cannot fail but for lack of memory.  Cost: a
// lookup reads two adjacent cache lines (8 bits per key) and two bits that stay in cache;
// one in 30 reads as much again.  Building takes about ten times as long as for
// block_bloom, which is half as large again (10.1 bits per key at 1 %, ribbon 6.75).
//
// Memory while it is built, beside the filter: from an array, 8 bytes per key (none if it
// ascends without duplicates); from sorted_keys, 0.8 bytes per key.  And 3 MiB per
// thread.
//
// Thread safety: all calls are const and may run together.  A filter that was moved from
// may only be destroyed or assigned to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/detail/base/damage_set.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/filter/sorted_keys.hpp>
#include <bloomery/detail/probe/ribbon_dispatch.hpp>
#include <bloomery/export.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/kind.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/path_ref.hpp>
#include <bloomery/result.hpp>
#include <bloomery/ribbon_shape.hpp>
#include <bloomery/ribbon_sizing.hpp>

namespace bloomery::format {
struct filter_access;
}

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT ribbon : public key_lookups<ribbon> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::ribbon,
      .name = "ribbon",
      .summary = "the smallest, for keys that do not change: 6.75 bits per key at 1 %",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "buckets",
      .takes_ribbon_width = true,
      .damage = damage_rule::perhaps,
      .parameter_bytes = 24};

  struct params {
    std::uint64_t keys = 0;  // recorded as its capacity; 0: the distinct keys
    double fpr = 0.01;       // 0 < fpr < 1
    bloomery::hasher hasher = bloomery::hasher::xxh3();
    unsigned width = 64;  // of a window: 64, or 128: smaller by 0.25 %, slower
  };

  // A filter of all of `ks`; duplicates count once.  The bytes depend on the set of keys
  // alone: not on their order, nor on the number of threads.
  // Errors: invalid_argument, unattainable, too_large, out_of_memory.
  // REQUIRES: threads >= 1
  static result<ribbon> build(std::span<const key> ks, params p,
                              unsigned threads = 1) noexcept;
  static result<ribbon> build(std::span<const key> ks) noexcept {
    return build(ks, params{});
  }
  // The same bytes, from keys that come in parts.
  // Errors: as above, those of the source; invalid_argument (the keys do not ascend, or
  // their number is not the one stated).
  static result<ribbon> build(sorted_keys& ks, params p, unsigned threads = 1) noexcept;

  // With exactly these columns instead of p.fpr.
  static result<ribbon> build(std::span<const key> ks, ribbon_columns columns, params p,
                              unsigned threads = 1) noexcept;
  static result<ribbon> build(sorted_keys& ks, ribbon_columns columns, params p,
                              unsigned threads = 1) noexcept;

  // The container, as in block_bloom.
  static result<ribbon> decode(std::span<const std::byte> bytes) noexcept;
  result<pages> encode() const noexcept;
  static result<ribbon> load(path_ref path) noexcept;
  result<void> save(path_ref path) const noexcept;

  // The filter of no keys, with the same columns, width, capacity and hasher.
  // Errors: out_of_memory.
  result<ribbon> empty_like() const noexcept {
    return build(std::span<const key>(), ribbon_columns{shape_.columns, shape_.narrow},
                 {.keys = keys_, .hasher = hasher_, .width = shape_.width});
  }
  // A deep copy.  Filters are move-only, so that no copy is implicit.
  // Errors: out_of_memory; corrupt (bytes are damaged: a copy would not know).
  result<ribbon> clone() const noexcept;

  // --- lookups ---
  bool may_contain(key k) const noexcept {
    if (!damage_.empty()) [[unlikely]]
      return may_contain_damaged(k);
    return ribbon_probe::may_contain[form_].load(std::memory_order_relaxed)(
        layout_, store_.data(), k.bits());
  }
  bool may_contain(std::string_view bytes) const noexcept {
    return may_contain(hash(bytes));
  }
  // REQUIRES: out.size() == ks.size(); in every build a call that breaks this ends the
  // program with a sentence.
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept;
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept;

  // Integers, bytes, and ranges of keys: key_types.hpp.
  using key_lookups<ribbon>::hash;
  using key_lookups<ribbon>::may_contain;

  // Keys for this filter and for every other with an equal hasher.
  key hash(std::string_view bytes) const noexcept { return hasher_.hash(bytes); }
  key hash_u64(std::uint64_t x) const noexcept { return hasher_.hash_u64(x); }
  key from_hash(std::uint64_t h) const noexcept { return hasher_.from_hash(h); }
  bloomery::hasher hasher() const noexcept { return hasher_; }

  // The loops that lookups run here: "portable", "avx2", "avx512".
  static const char* kernel_name() noexcept;

  // --- what it is ---
  const ribbon_shape& shape() const noexcept { return shape_; }
  const ribbon_layout& layout() const noexcept { return layout_; }
  unsigned width() const noexcept { return shape_.width; }
  std::uint32_t columns() const noexcept { return shape_.columns; }
  std::uint32_t hashes() const noexcept { return shape_.columns; }  // as in headers
  std::uint64_t bits() const noexcept { return 8 * std::uint64_t{store_.size()}; }
  std::uint64_t capacity() const noexcept { return keys_; }  // 0: not recorded
  std::size_t size_in_bytes() const noexcept { return store_.size(); }
  std::span<const std::byte> bytes() const noexcept { return store_.bytes(); }
  // Chunks of a file that must not be trusted: lookups there answer "possibly present".
  const damage_set& damage() const noexcept { return damage_; }

  // --- its current state ---
  std::uint64_t ones() const noexcept;
  // Its slots: at most 0.5 % more than keys, from some ten thousand keys on.
  double estimated_keys() const noexcept;
  double fill() const noexcept { return estimated_keys() > 0 ? 1 : 0; }
  // The rate follows from the columns, whatever the number of keys.
  double expected_fpr(std::uint64_t keys) const noexcept;
  // The rate for keys it was not built from: exact, from the thresholds.  Damaged bytes
  // are counted as what they answer.
  double realised_fpr() const noexcept;

  friend bool operator==(const ribbon& a, const ribbon& b) noexcept {
    return a.shape_ == b.shape_ && a.hasher_ == b.hasher_ &&
           a.damage_.damaged_chunks() == b.damage_.damaged_chunks() &&
           std::ranges::equal(a.bytes(), b.bytes());
  }

 private:
  friend struct format::filter_access;

  ribbon(const ribbon_shape& shape, std::uint64_t keys, bloomery::hasher h, pages store,
         damage_set damage) noexcept
      : shape_(shape),
        layout_(shape),
        form_(layout_.form()),
        keys_(keys),
        hasher_(h),
        store_(std::move(store)),
        damage_(std::move(damage)) {}

  bool may_contain_damaged(key k) const noexcept;

  ribbon_shape shape_;
  ribbon_layout layout_;
  std::size_t form_;
  std::uint64_t keys_;
  bloomery::hasher hasher_;
  pages store_;
  damage_set damage_;
};

}  // namespace bloomery::inline v1
