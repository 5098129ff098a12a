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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/detail/base/damage_set.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/export.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/kind.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/path_ref.hpp>
#include <bloomery/result.hpp>
#include <bloomery/stable_shape.hpp>
#include <bloomery/stable_sizing.hpp>

namespace bloomery::format {
struct filter_access;
}

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT stable_bloom : public key_lookups<stable_bloom>,
                                     public key_inserts<stable_bloom> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::stable,
      .name = "stable",
      .summary = "endless streams: forgets old keys by chance",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "cells",
      .takes_rate_and_memory = true,
      .damage = damage_rule::perhaps,
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

  // The container, as in block_bloom; a damaged filter cannot be encoded.
  static result<stable_bloom> decode(std::span<const std::byte> bytes) noexcept;
  result<pages> encode() const noexcept;
  static result<stable_bloom> load(path_ref path) noexcept;
  result<void> save(path_ref path) const noexcept;

  // --- one key ---
  void insert(key k) noexcept { insert(std::span<const key>(&k, 1)); }
  // "Definitely not present": not inserted, or forgotten.
  bool may_contain(key k) const noexcept;
  // Inserts in any case: a key that returns is remembered anew.  Returns true if it was
  // definitely not present before.
  bool insert_if_absent(key k) noexcept {
    bool absent = false;
    insert_if_absent({&k, 1}, {&absent, 1});
    return absent;
  }
  void insert(std::string_view bytes) noexcept { insert(hash(bytes)); }
  bool may_contain(std::string_view bytes) const noexcept {
    return may_contain(hash(bytes));
  }
  bool insert_if_absent(std::string_view bytes) noexcept {
    return insert_if_absent(hash(bytes));
  }
  // Integers, bytes, and ranges of keys: key_types.hpp.
  using key_inserts<stable_bloom>::insert;
  using key_inserts<stable_bloom>::insert_if_absent;
  using key_lookups<stable_bloom>::hash;
  using key_lookups<stable_bloom>::may_contain;

  // --- many keys, one by one in order: memory latency overlaps ---
  void insert(std::span<const key> ks) noexcept;
  void insert(std::span<const std::string_view> ks) noexcept;
  // absent[i]: ks[i] was definitely not present when its turn came.
  // REQUIRES: absent.size() == ks.size()
  void insert_if_absent(std::span<const key> ks, std::span<bool> absent) noexcept;
  // REQUIRES: out.size() == ks.size(); in every build a call that breaks this ends the
  // program with a sentence.
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept;
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept;

  // Keys for this filter and for every other with an equal hasher.
  key hash(std::string_view bytes) const noexcept { return hasher_.hash(bytes); }
  key hash_u64(std::uint64_t x) const noexcept { return hasher_.hash_u64(x); }
  key from_hash(std::uint64_t h) const noexcept { return hasher_.from_hash(h); }
  bloomery::hasher hasher() const noexcept { return hasher_; }

  // --- whole filters ---
  // Empty, without damage, and with no insert counted.
  void clear() noexcept;
  // An empty filter of the same shape, gap, hasher and seed.  Errors: out_of_memory.
  result<stable_bloom> empty_like() const noexcept {
    return make(shape_, gap_, hasher_, seed_);
  }
  // A deep copy.  Errors: out_of_memory, corrupt (the filter is damaged).
  result<stable_bloom> clone() const noexcept;

  // The widest instructions that inserts use on this CPU: "portable", "avx2".
  static const char* kernel_name() noexcept;

  // --- what it is ---
  stable_shape shape() const noexcept { return shape_; }
  std::uint64_t cells() const noexcept { return shape_.cells; }
  unsigned cell_bits() const noexcept { return shape_.cell_bits; }
  std::uint32_t hashes() const noexcept { return shape_.hashes; }  // cells of a key
  std::uint64_t bits() const noexcept { return shape_.bits(); }
  std::uint32_t seed() const noexcept { return seed_; }
  std::uint64_t inserts() const noexcept { return inserts_; }  // since it was empty
  std::uint64_t capacity() const noexcept { return gap_; }     // the gap; 0: not recorded
  std::size_t size_in_bytes() const noexcept { return store_.size(); }
  std::span<const std::byte> bytes() const noexcept { return store_.bytes(); }
  const damage_set& damage() const noexcept { return damage_; }
  // False if a bit after the last cell is set, which no writer does.
  bool padding_is_clear() const noexcept;

  // --- what it forgets ---
  // Probability that a key is not found `gap` inserts of other keys after its own.
  double forgetting(std::uint64_t gap) const noexcept;
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

  friend bool operator==(const stable_bloom& a, const stable_bloom& b) noexcept {
    return a.shape_ == b.shape_ && a.hasher_ == b.hasher_ && a.seed_ == b.seed_ &&
           a.inserts_ == b.inserts_ &&
           a.damage_.damaged_chunks() == b.damage_.damaged_chunks() &&
           std::ranges::equal(a.bytes(), b.bytes());
  }

 private:
  friend struct format::filter_access;

  stable_bloom(stable_shape shape, std::uint64_t gap, bloomery::hasher h,
               std::uint32_t seed, std::uint64_t inserts, pages store,
               damage_set damage = {}) noexcept
      : shape_(shape),
        gap_(gap),
        inserts_(inserts),
        seed_(seed),
        hasher_(h),
        store_(std::move(store)),
        damage_(std::move(damage)) {}

  bool is_cell_damaged(std::uint64_t cell) const noexcept {
    return damage_.touches(cell * shape_.cell_bits / 8, 1);
  }
  // Beside damaged chunks, cell by cell.
  void insert_slowly(key k) noexcept;
  bool ask_slowly(key k) const noexcept;

  stable_shape shape_;
  std::uint64_t gap_;
  std::uint64_t inserts_;
  std::uint32_t seed_;
  bloomery::hasher hasher_;
  pages store_;
  damage_set damage_;
};

}  // namespace bloomery::inline v1
