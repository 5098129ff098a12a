// The quotient filter: keys can be erased, counted, listed, merged, and there can be
// twice as many.
//
// A sorted multiset of fingerprints: 9.6 bits per key at 0.74 %, one bit more for each
// halving of the rate, at any number of slots.  What no other kind has:
//   - the fingerprints can be listed, in order, each with its number of copies;
//   - filters are merged by merging their runs, without keys, and the result is, to the
//     bit, the filter of all keys;
//   - it can be doubled: one bit of each remainder says which half of its old slot it
//     lies in now.  The rate is what expected_fpr says in advance.
// The bytes depend on the multiset alone, not on the order of inserts and erases.
// (spec/filters.md, section 15; docs/decisions/0032-quotient.md)
//
// Cost: one to two cache lines per lookup; an insert moves the slots up to the next empty
// one, at 95 % some hundred.  cuckoo is faster at lookups, block_bloom at everything, if
// keys are only inserted.  Keys that an adversary chooses can make one long cluster: use
// a hash with a secret.  Thread safety: const calls may run together; any other call must
// run alone.  A filter that was moved from may only be destroyed or assigned to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include <bloomery/detail/base/damage_set.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/filter_of.hpp>
#include <bloomery/detail/kind/quotient/dispatch.hpp>
#include <bloomery/detail/kind/quotient/sizing.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/detail/receipt_ledger.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// What a quotient filter holds: one pass over its slots.
struct quotient_census {
  std::uint64_t used_slots = 0;
  std::uint64_t fingerprints = 0;                      // different ones
  std::uint64_t copies = 0;                            // with their counts
  std::uint64_t max_copies = 0;                        // of one fingerprint
  std::uint64_t longest_run = 0, longest_cluster = 0;  // in slots
  // Quotients whose run cannot be followed without reading a damaged byte.
  std::uint64_t unknown_quotients = 0;
  // Quotients whose run is too far from home, or too long, for a lookup to go through
  // (spec/filters.md, 15.5): "possibly present" for every key.  Their fingerprints, which
  // are among `fingerprints`.
  std::uint64_t far_quotients = 0, far_fingerprints = 0;
};

class BLOOMERY_EXPORT quotient : public filter_of<quotient> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::quotient,
      .name = "quotient",
      .summary = "erase, count, list, merge, double: runs, 9.6 bits per key at 0.7 %",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "quotients",
      .damage = damage_rule::possibly_present,
      .keeps_sentinels = false,
      .parameter_bytes = 16};

  // What count() reports where bytes are damaged.
  static constexpr std::uint64_t unknown_count = ~std::uint64_t{0};

  struct params {
    std::uint64_t keys = 0;  // distinct keys that it must hold, at least 1
    double fpr = 0.01;       // target rate with all of them in, 0 < fpr < 1
    bloomery::hasher hasher = bloomery::hasher::xxh3();
    std::uint64_t identity = 0;  // for receipts; 0: drawn for the first one
  };

  // An empty filter sized for `p`.  Errors: invalid_argument, unattainable, too_large,
  // out_of_memory.
  static result<quotient> make(params p) noexcept;

  // An empty filter of exactly this layout.  `keys` is what it was sized for, 0 if
  // unknown.  Errors: invalid_argument, too_large, out_of_memory.
  static result<quotient> make(quotient_layout layout, std::uint64_t keys = 0,
                               bloomery::hasher h = bloomery::hasher::xxh3(),
                               std::uint64_t identity = 0) noexcept;

  // A filter with all of `ks` in it, each once, sized for p.keys, or for the number of
  // distinct keys if that is 0.  Takes 8 bytes of memory per key meanwhile (16, if all
  // share their highest bits).  Errors: as make; full (more distinct keys than p.keys, or
  // keys that were chosen to share their quotients).
  static result<quotient> build(std::span<const key> ks, params p) noexcept;
  static result<quotient> build(std::span<const key> ks) noexcept {
    return build(ks, params{});
  }
  using range_builds<quotient>::build;  // from text, bytes: any range of keys

  // An empty filter of the same layout, capacity and hasher.  Its receipts are its own:
  // it draws another identity.
  // Errors: out_of_memory.
  result<quotient> empty_like() const noexcept {
    return make(layout_, capacity(), hasher());
  }

  // Lookups, inserts, erases and files: filter_of.hpp.  What they say of this kind:
  //   try_insert     Errors: full; too_many_copies (2^48 - 1 of its fingerprint); corrupt
  //                  (a chunk of the filter is damaged)
  //   erase_present  Errors: not_present; corrupt (a chunk of the filter is damaged)
  //   count          exact for the fingerprint, so keys with the same are counted with
  //                  it; unknown_count where bytes are damaged
  //   save, encode   without sentinels

  void clear() noexcept;

  // --- fingerprints ---
  // visit(context, fingerprint, count) for all of them, ascending.  A damaged filter
  // lists none.  layout().key_of(fingerprint) is a key that has it.
  void for_each(void (*visit)(void*, std::uint64_t, std::uint64_t),
                void* context) const noexcept;
  // visit(fingerprint, count)
  template <class Visit>
  requires std::is_invocable_v<Visit&, std::uint64_t, std::uint64_t>
  void for_each(Visit&& visit) const {
    for_each(
        [](void* c, std::uint64_t f, std::uint64_t n) {
          (*static_cast<std::remove_reference_t<Visit>*>(c))(f, n);
        },
        const_cast<void*>(static_cast<const void*>(std::addressof(visit))));
  }

  // --- filters as wholes ---
  // The copies of both, or of all.  The others may have been doubled, or have another
  // number of blocks: what counts is that their fingerprints are the same numbers.
  // Errors: incompatible (hashers or fingerprints differ), full, too_many_copies,
  // corrupt, out_of_memory (a second filter of this size); nothing has changed.  Full:
  // grow(), as long as expected_fpr is what you accept, and merge again (the tool does).
  result<void> merge(const quotient& other) noexcept;
  result<void> merge(std::span<const quotient* const> others) noexcept;

  // Twice the quotients, remainders of one bit less: the same answers, and room for as
  // many keys again, whose rate is expected_fpr(keys) now as before.  The capacity is
  // doubled, too.  Errors: unattainable (remainders of 2 bits), too_large, corrupt,
  // out_of_memory (a filter of twice this size); nothing has changed.
  result<void> grow() noexcept;
  // Distinct keys that this layout holds (sizing.hpp).
  std::uint64_t keys_when_full() const noexcept { return quotient_capacity(layout_); }

  // What the calls use on this CPU: "portable", "avx2", "bmi2", "avx512".
  static const char* kernel_name() noexcept;

  // --- what it is ---
  const quotient_layout& layout() const noexcept { return layout_; }
  std::uint64_t quotients() const noexcept { return layout_.quotients; }
  std::uint32_t remainder_bits() const noexcept { return layout_.remainder_bits; }
  std::uint64_t slots() const noexcept { return layout_.slots(); }
  std::uint64_t bits() const noexcept { return 8 * layout_.size_in_bytes(); }
  // 0 until the first receipt, unless its maker chose one.
  std::uint64_t identity() const noexcept { return receipts_.identity(); }
  // Which numbered receipts were issued, and which used.
  const receipt_ledger& receipts() const noexcept { return receipts_; }
  std::uint64_t receipt_scope() const noexcept;

  // --- its current state: each reads every slot ---
  quotient_census census() const noexcept;
  std::uint64_t ones() const noexcept;
  // Copies in it; with damage, of what can be read, scaled.
  double estimated_keys() const noexcept;
  double fill() const noexcept;  // used slots per quotient, at most 1

  // The rate this layout gives once it holds `keys` distinct keys: exact.
  double expected_fpr(std::uint64_t keys) const noexcept;
  // The rate this filter has for keys it does not hold, from its fingerprints: exact.
  double realised_fpr() const noexcept;

  // Whether the bytes are those of a filter (spec/filters.md, 15.6); of a damaged one
  // nothing is checked.
  bool is_well_formed() const noexcept;

 private:
  friend filter_of<quotient>;
  friend core_parts;
  friend struct format::filter_access;
  friend result<quotient> build_quotient(const quotient_layout& layout,
                                         std::span<const key> ks, std::uint64_t keys,
                                         bloomery::hasher h,
                                         std::uint64_t identity) noexcept;
  template <class F>
  friend struct concurrent_access;

  quotient(const quotient_layout& layout, std::uint64_t keys, bloomery::hasher h,
           std::uint64_t identity, pages store, damage_set damage) noexcept
      : layout_(layout),
        keys_(keys),
        receipts_(identity),
        hasher_(h),
        store_(std::move(store)),
        damage_(std::move(damage)) {}

  // --- the core (filter_of.hpp) ---
  result<void> ensure_identity() noexcept { return receipts_.ensure_identity(); }
  bool find(key k) const noexcept {
    if (!damage_.empty()) [[unlikely]]
      return find_damaged(k);
    return quotient_probe::may_contain.load()(layout_, store_.data(), k.bits());
  }
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept;
  std::uint64_t copies_of(key k) const noexcept;
  result<void> try_add(key k) noexcept;
  std::size_t try_add_each(std::span<const key> ks) noexcept;
  result<void> remove(key k) noexcept;
  result<std::size_t> remove_each(std::span<const key> ks,
                                  std::span<bool> erased) noexcept;
  quotient with_store(pages store) const noexcept;
  bool is_like(const quotient& other) const noexcept {
    return layout_ == other.layout_ && receipts_ == other.receipts_ &&
           damage_.damaged_chunks() == other.damage_.damaged_chunks();
  }
  bool find_damaged(key k) const noexcept;

  quotient_layout layout_;
  std::uint64_t keys_;
  receipt_ledger receipts_;
  bloomery::hasher hasher_;
  pages store_;
  damage_set damage_;
};

}  // namespace bloomery::inline v1
