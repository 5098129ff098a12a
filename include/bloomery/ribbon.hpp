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

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/base/damage_set.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/filter_of.hpp>
#include <bloomery/detail/filter/sorted_keys.hpp>
#include <bloomery/detail/kind/ribbon/dispatch.hpp>
#include <bloomery/detail/kind/ribbon/shape.hpp>
#include <bloomery/detail/kind/ribbon/sizing.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT ribbon : public filter_of<ribbon> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::ribbon,
      .name = "ribbon",
      .summary = "the smallest, for keys that do not change: 6.75 bits per key at 1 %",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "buckets",
      .damage = damage_rule::possibly_present,
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
  using range_builds<ribbon>::build;  // from text, bytes: any range of keys
  // The same bytes, from keys that come in parts.
  // Errors: as above, those of the source; invalid_argument (the keys do not ascend, or
  // their number is not the one stated).
  static result<ribbon> build(sorted_keys& ks, params p, unsigned threads = 1) noexcept;

  // Uses exactly these columns instead of p.fpr.
  static result<ribbon> build(std::span<const key> ks, ribbon_columns columns, params p,
                              unsigned threads = 1) noexcept;
  static result<ribbon> build(sorted_keys& ks, ribbon_columns columns, params p,
                              unsigned threads = 1) noexcept;

  // Lookups and files: filter_of.hpp.

  // The filter of no keys, with the same columns, width, capacity and hasher.
  // Errors: out_of_memory.
  result<ribbon> empty_like() const noexcept {
    return build(std::span<const key>(), ribbon_columns{shape_.columns, shape_.narrow},
                 {.keys = keys_, .hasher = hasher_, .width = shape_.width});
  }

  // The loops that lookups run here: "portable", "avx2", "avx512".
  static const char* kernel_name() noexcept;

  // --- what it is ---
  const ribbon_shape& shape() const noexcept { return shape_; }
  const ribbon_layout& layout() const noexcept { return layout_; }
  unsigned width() const noexcept { return shape_.width; }
  std::uint32_t columns() const noexcept { return shape_.columns; }
  std::uint64_t bits() const noexcept { return 8 * std::uint64_t{store_.size()}; }

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

 private:
  friend filter_of<ribbon>;
  friend core_parts;
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

  // --- the core (filter_of.hpp) ---
  bool find(key k) const noexcept {
    if (!damage_.empty()) [[unlikely]]
      return find_damaged(k);
    return ribbon_probe::may_contain[form_].load()(layout_, store_.data(), k.bits());
  }
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept;
  ribbon with_store(pages store) const noexcept;
  bool is_like(const ribbon& other) const noexcept {
    return shape_ == other.shape_ &&
           damage_.damaged_chunks() == other.damage_.damaged_chunks();
  }
  bool find_damaged(key k) const noexcept;

  ribbon_shape shape_;
  ribbon_layout layout_;
  std::size_t form_;
  std::uint64_t keys_;
  bloomery::hasher hasher_;
  pages store_;
  damage_set damage_;
};

}  // namespace bloomery::inline v1
