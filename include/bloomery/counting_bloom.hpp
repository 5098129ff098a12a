// A Bloom filter of counters: keys can be erased, and copies of a key counted.
//
//   auto f = bloomery::counting_bloom::make({.keys = 1'000'000});
//   auto r = f->try_insert_with_receipt("alice");
//   f->erase(std::move(*r));                      // safe for other keys, once
//   auto published = f->to_block_bloom();         // read-only, a quarter of the size
//
// Cells of 4, 8 or 32 bits (spec/filters.md, section 8).  A cell that has reached half
// its range, 8 with 4 bits, is stuck: it stays, whatever is erased, so that overflow
// never makes a false negative.  stuck_cells() counts them.  Cells of 4 bits suffice
// unless one key is inserted often; `count` is exact up to the sticky value at the most.
//
// Cost: 45.7 bits per key at 1 % with cells of 4 bits, one cache line per key.  For rates
// below 0.05 % the cells of a key lie anywhere (cell_layout::flat): less memory, more
// lines.  To erase keys with less memory, choose cuckoo.
// Thread safety: const calls may run together; any other call must run alone.
// A filter that was moved from may only be destroyed or assigned to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/detail/base/damage_set.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/filter_of.hpp>
#include <bloomery/detail/kind/counting/dispatch.hpp>
#include <bloomery/detail/kind/counting/probe.hpp>
#include <bloomery/detail/kind/counting/shape.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/detail/receipt_ledger.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT counting_bloom : public filter_of<counting_bloom> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::counting,
      .name = "counting",
      .summary = "counters instead of bits: keys can be erased",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "cells",
      .damage = damage_rule::possibly_present,
      .keeps_sentinels = false,
      .inlines_vectors = true,
      .parameter_bytes = 9};

  struct params {
    std::uint64_t keys = 0;  // expected number of distinct keys, at least 1
    double fpr = 0.01;       // target rate with all of them in, 0 < fpr < 1
    unsigned cell_bits = 4;  // 4, 8, 32
    cell_layout layout = cell_layout::by_rate;
    bloomery::hasher hasher = bloomery::hasher::xxh3();
    std::uint64_t identity = 0;  // for receipts; 0: drawn for the first one
  };

  // An empty filter sized for `p`.  Errors: invalid_argument, unattainable, too_large,
  // out_of_memory.
  static result<counting_bloom> make(params p) noexcept;

  // An empty filter of exactly this shape.  `keys` is what it was sized for, 0 if
  // unknown.  Errors: invalid_argument, too_large, out_of_memory.
  static result<counting_bloom> make(counting_shape shape, std::uint64_t keys = 0,
                                     bloomery::hasher h = bloomery::hasher::xxh3(),
                                     std::uint64_t identity = 0) noexcept;

  // A filter with all of `ks` in it, each as often as it occurs, sized for p.keys, or for
  // ks.size() if that is 0.
  static result<counting_bloom> build(std::span<const key> ks, params p) noexcept;
  static result<counting_bloom> build(std::span<const key> ks) noexcept {
    return build(ks, params{});
  }
  using range_builds<counting_bloom>::build;  // from text, bytes: any range of keys

  // Lookups, inserts, erases and files: filter_of.hpp.  What they say of this kind:
  //   try_insert     as insert, but refuses if bytes of the key are damaged.
  //                  Errors: corrupt
  //   erase_present  Errors: not_present, corrupt; of many, nothing has changed then
  //   count          2^64 - 1 if all cells of the key are stuck, or damaged
  //   save, encode   Errors: corrupt (the filter is damaged)
  // One-key inserts and lookups are inline where the caller compiles for AVX2.

  // --- whole filters ---
  // Empty, and without damage.
  void clear() noexcept;
  // An empty filter of the same shape, capacity and hasher.  Its receipts are its own:
  // it draws another identity.
  // Errors: out_of_memory.
  result<counting_bloom> empty_like() const noexcept {
    return make(shape_, keys_, hasher_);
  }
  // Afterwards it holds the keys of both, copies added; sums stop at the sticky value.
  // The identity stays this filter's.  Errors: incompatible, unless both have the same
  // shape and hasher; corrupt (one of them is damaged).
  result<void> merge(const counting_bloom& other) noexcept;
  // The filter of bits that the same keys make, to publish it: a bit for each cell that
  // is not 0.  From the layout flat a bloom, from the layout line a block_bloom of the
  // profile lanes16.  Errors: unsupported (the other layout), corrupt (the filter is
  // damaged), out_of_memory.
  result<bloom> to_bloom() const noexcept;
  result<block_bloom> to_block_bloom() const noexcept;
  // Whichever of them the layout has.
  result<std::variant<bloom, block_bloom>> published() const noexcept;

  // The widest instructions that lines of 4-bit cells use on this CPU: "portable",
  // "avx2".
  static const char* kernel_name() noexcept;

  // --- what it is ---
  counting_shape shape() const noexcept { return shape_; }
  std::uint64_t cells() const noexcept { return shape_.cells; }
  unsigned cell_bits() const noexcept { return shape_.cell_bits; }
  std::uint32_t hashes() const noexcept { return shape_.hashes; }  // cells of a key
  std::uint64_t bits() const noexcept { return shape_.cells * shape_.cell_bits; }
  // 0 until the first receipt, unless its maker chose one.
  std::uint64_t identity() const noexcept { return receipts_.identity(); }
  // Which numbered receipts were issued, and which used.
  const receipt_ledger& receipts() const noexcept { return receipts_; }
  std::uint64_t receipt_scope() const noexcept {
    return bloomery::receipt_scope(static_cast<std::uint8_t>(kind.number), shape_.cells,
                                   shape_.receipt_shape(), identity());
  }
  // False if the half byte after the last cell is not 0, which no writer does.
  bool padding_is_clear() const noexcept;

  // --- its current state: each reads every cell.  Damaged ones count as not 0 ---
  std::uint64_t nonzero_cells() const noexcept;
  std::uint64_t stuck_cells() const noexcept;  // without damaged ones
  std::uint64_t ones() const noexcept;         // bits that are set, of all cells together
  double fill() const noexcept;                // share of the cells that are not 0
  double estimated_keys() const noexcept;      // distinct ones

  // The rate this shape gives once it holds `keys` distinct keys.
  double expected_fpr(std::uint64_t keys) const noexcept;
  // The rate this filter has for keys it does not hold, from its cells.
  double realised_fpr() const noexcept;

 private:
  friend filter_of<counting_bloom>;
  friend core_parts;
  friend struct format::filter_access;
  template <class F>
  friend struct concurrent_access;

  counting_bloom(counting_shape shape, std::uint64_t keys, bloomery::hasher h,
                 std::uint64_t identity, pages store, damage_set damage = {}) noexcept
      : shape_(shape),
        keys_(keys),
        receipts_(identity),
        hasher_(h),
        store_(std::move(store)),
        damage_(std::move(damage)) {
    find_lines();
  }

  static error damaged_bytes() noexcept {
    return {errc::corrupt, "bytes of the key lie in a damaged part of the filter"};
  }
  using called = cell_probe::one_line<cell_probe::dispatched>;

  // --- the core (filter_of.hpp) ---
  result<void> ensure_identity() noexcept { return receipts_.ensure_identity(); }
  BLOOMERY_INLINE bool find(key k) const noexcept {
    if (lines_ != 0) [[likely]]
      return cell_probe::one_line<cell_probe::native>::may_contain(store_.data(), lines_,
                                                                   k.bits());
    return find_slowly(k);
  }
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept;
  BLOOMERY_INLINE void add(key k) noexcept {
    if (lines_ != 0) [[likely]]
      return cell_probe::one_line<cell_probe::native>::insert(store_.data(), lines_,
                                                              k.bits());
    add_slowly(k);
  }
  void add_each(std::span<const key> ks) noexcept;
  result<void> try_add(key k) noexcept {
    if (lines_ != 0) [[likely]]
      return called::insert(store_.data(), lines_, k.bits()), result<void>();
    if (is_damaged(k)) return damaged_bytes();
    add_slowly(k);
    return {};
  }
  std::size_t try_add_each(std::span<const key> ks) noexcept;
  result<void> remove(key k) noexcept {
    if (lines_ == 0 && is_damaged(k)) [[unlikely]]
      return damaged_bytes();
    const bool done =
        lines_ != 0 ? called::erase(store_.data(), lines_, k.bits()) : remove_slowly(k);
    if (!done) return error{errc::not_present, "the key to erase is not in the filter"};
    return {};
  }
  result<std::size_t> remove_each(std::span<const key> ks,
                                  std::span<bool> erased) noexcept;
  std::uint64_t copies_of(key k) const noexcept;
  counting_bloom with_store(pages store) const noexcept;
  bool is_like(const counting_bloom& other) const noexcept {
    return shape_ == other.shape_ && receipts_ == other.receipts_;
  }

  // Lines of 4-bit cells: by kernels, unless they are damaged.
  bool is_fast() const noexcept { return has_kernels() && damage_.empty(); }
  bool has_kernels() const noexcept { return shape_.is_line() && shape_.cell_bits == 4; }
  void find_lines() noexcept {
    lines_ = has_kernels() && damage_.stays_empty() ? shape_.blocks() : 0;
  }
  bool is_damaged(key k) const noexcept { return !damage_.empty() && touches_damage(k); }
  bool touches_damage(key k) const noexcept;
  bool is_cell_damaged(std::uint64_t cell) const noexcept {
    return damage_.touches(cell * shape_.cell_bits / 8, 1);
  }
  void add_slowly(key k) noexcept;
  bool find_slowly(key k) const noexcept;
  bool remove_slowly(key k) noexcept;
  // Bit i is set if cell i is not 0.  REQUIRES: `to` is zero
  void write_bits(std::span<std::byte> to) const noexcept;

  counting_shape shape_;
  // The number of blocks, if kernels take all keys from now on; else 0.  One-key calls
  // then need no other question, of which each costs as much as a tenth of a lookup.
  std::uint64_t lines_ = 0;
  std::uint64_t keys_;
  receipt_ledger receipts_;
  bloomery::hasher hasher_;
  pages store_;
  damage_set damage_;
};

}  // namespace bloomery::inline v1
