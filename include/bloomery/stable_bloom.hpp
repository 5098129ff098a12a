// "Was it seen lately?" over an endless stream, in memory that never grows: it forgets.
//
//   auto f = bloomery::stable_bloom::make({.keys = 100'000, .fpr = 0.01});
//   if (f->insert_if_absent(line)) use(line);    // not seen, or forgotten
//
// Cells of 1, 2 or 4 bits (spec/filters.md, section 13; Deng and Rafiei, 2006).  An
// insert takes 1 away from a run of cells and sets those of its key, so that the filter
// settles at a rate instead of filling up.  In return old keys are forgotten: this is no
// `filter` (filter.hpp).  forgetting(gap) is the probability, and `make` chooses the
// layout that forgets the fewest keys of the gap that matters to you.
//
// Cost: 90 bits per insert of the gap at 1 % for 1 % forgotten; k cache lines per key and
// one or two to decrease.  Where the last keys must be found for certain, choose
// window_bloom: it takes 17.
// The same inserts from the same seed give the same bytes.
// Thread safety: const calls may run together; any other call must run alone.
// A filter that was moved from may only be destroyed or assigned to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/base/damage_set.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/filter_of.hpp>
#include <bloomery/detail/kind/stable/shape.hpp>
#include <bloomery/detail/kind/stable/sizing.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT stable_bloom : public filter_of<stable_bloom> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::stable,
      .name = "stable",
      .summary = "endless streams: forgets old keys by chance",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "cells",
      .rate_beside_size = true,
      .damage = damage_rule::possibly_present,
      .keeps_sentinels = false,
      .forgets = true,
      .parameter_bytes = 22};

  struct params {
    // The gap: so many inserts lie between two of one key, at least 1.
    std::uint64_t keys = 0;
    double fpr = 0.01;                     // at the stable point, 0 < fpr < 1
    std::uint64_t memory = 0;              // bytes; 0: as many as keep the next promise
    double forgotten = default_forgotten;  // of the keys of that age
    unsigned cell_bits = 0;                // 1, 2, 4; 0: the best
    bloomery::hasher hasher = bloomery::hasher::xxh3();
    std::uint32_t seed = 0;  // of the cells that are decreased
  };

  // An empty filter.  Errors: invalid_argument, unattainable, too_large, out_of_memory.
  static result<stable_bloom> make(params p) noexcept;

  // An empty filter of exactly this shape.  `gap` is what it was made for, 0 if unknown.
  // Errors: invalid_argument, too_large, out_of_memory.
  static result<stable_bloom> make(stable_shape shape, std::uint64_t gap = 0,
                                   bloomery::hasher h = bloomery::hasher::xxh3(),
                                   std::uint32_t seed = 0) noexcept;

  // Lookups, inserts and files: filter_of.hpp.  What they say of this kind:
  //   may_contain       "definitely not present": not inserted, or forgotten
  //   insert            of many, one by one in order
  //   insert_if_absent  inserts in any case: a key that returns is remembered anew
  //   save, encode      Errors: corrupt (the filter is damaged)

  // --- whole filters ---
  // Empty, without damage, and with no insert counted.
  void clear() noexcept;
  // An empty filter of the same shape, gap, hasher and seed.  Errors: out_of_memory.
  result<stable_bloom> empty_like() const noexcept {
    return make(shape_, keys_, hasher_, seed_);
  }

  // The widest instructions that inserts use on this CPU: "portable", "avx2".
  static const char* kernel_name() noexcept;

  // --- what it is ---
  stable_shape shape() const noexcept { return shape_; }
  std::uint64_t cells() const noexcept { return shape_.cells; }
  unsigned cell_bits() const noexcept { return shape_.cell_bits; }
  std::uint32_t hashes() const noexcept { return shape_.hashes; }  // cells of a key
  std::uint64_t bits() const noexcept { return shape_.bits(); }
  std::uint32_t seed() const noexcept { return seed_; }
  // capacity(): the gap.
  std::uint64_t inserts() const noexcept { return inserts_; }  // since it was empty
  // False if a bit after the last cell is set, which no writer does.
  bool padding_is_clear() const noexcept;

  // --- what it forgets ---
  // Probability that a key is not found `gap` inserts of other keys after its own.
  double forgetting(std::uint64_t gap) const noexcept;
  // The last key, and of those of the gap that it was made for the share that is gone.
  bloomery::retention retention() const noexcept {
    if (keys_ == 0) return {.keys = 1};
    return {.keys = 1, .age = keys_, .forgotten = forgetting(keys_)};
  }
  // The rate it settles at.
  double stable_fpr() const noexcept;

  // --- its current state: each reads every cell.  Damaged ones count as not 0 ---
  std::uint64_t nonzero_cells() const noexcept;
  std::uint64_t ones() const noexcept;  // bits that are set, of all cells together
  double fill() const noexcept;         // share of the cells that are not 0
  // As many distinct keys as would leave so many cells of a Bloom filter set: those that
  // are remembered, about.
  double estimated_keys() const noexcept;

  // The rate after so many inserts of distinct keys: rises to stable_fpr.
  double expected_fpr(std::uint64_t inserts) const noexcept;
  // The rate this filter has for keys it does not hold, from its cells.
  double realised_fpr() const noexcept;

 private:
  friend filter_of<stable_bloom>;
  friend core_parts;
  friend struct format::filter_access;

  stable_bloom(stable_shape shape, std::uint64_t gap, bloomery::hasher h,
               std::uint32_t seed, std::uint64_t inserts, pages store,
               damage_set damage = {}) noexcept
      : shape_(shape),
        keys_(gap),
        inserts_(inserts),
        seed_(seed),
        hasher_(h),
        store_(std::move(store)),
        damage_(std::move(damage)) {}

  // --- the core (filter_of.hpp) ---
  bool find(key k) const noexcept;
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept;
  void add(key k) noexcept { add_each({&k, 1}); }
  void add_each(std::span<const key> ks) noexcept;
  bool add_absent(key k) noexcept {
    bool absent = false;
    add_each_absent({&k, 1}, {&absent, 1});
    return absent;
  }
  void add_each_absent(std::span<const key> ks, std::span<bool> absent) noexcept;
  stable_bloom with_store(pages store) const noexcept;
  bool is_like(const stable_bloom& other) const noexcept {
    return shape_ == other.shape_ && seed_ == other.seed_ && inserts_ == other.inserts_ &&
           damage_.damaged_chunks() == other.damage_.damaged_chunks();
  }

  bool is_cell_damaged(std::uint64_t cell) const noexcept {
    return damage_.touches(cell * shape_.cell_bits / 8, 1);
  }
  // Cell by cell, because chunks are damaged.
  void add_slowly(key k) noexcept;
  bool find_slowly(key k) const noexcept;

  stable_shape shape_;
  std::uint64_t keys_;  // the gap; 0: not recorded
  std::uint64_t inserts_;
  std::uint32_t seed_;
  bloomery::hasher hasher_;
  pages store_;
  damage_set damage_;
};

}  // namespace bloomery::inline v1
