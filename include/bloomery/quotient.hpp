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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <bloomery/detail/base/damage_set.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/probe/quotient_dispatch.hpp>
#include <bloomery/export.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/kind.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/path_ref.hpp>
#include <bloomery/quotient_sizing.hpp>
#include <bloomery/receipt.hpp>
#include <bloomery/result.hpp>

namespace bloomery::format {
struct filter_access;
}

namespace bloomery::inline v1 {

template <class F>
struct concurrent_access;  // concurrent.hpp

// What a quotient filter holds: one pass over its slots.
struct quotient_census {
  std::uint64_t used_slots = 0;
  std::uint64_t fingerprints = 0;                      // different ones
  std::uint64_t copies = 0;                            // with their counts
  std::uint64_t most_copies = 0;                       // of one fingerprint
  std::uint64_t longest_run = 0, longest_cluster = 0;  // in slots
  // Quotients whose run cannot be followed without reading a damaged byte.
  std::uint64_t unknown_quotients = 0;
};

class BLOOMERY_EXPORT quotient : public key_lookups<quotient>,
                                 public key_changes<quotient> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::quotient,
      .name = "quotient",
      .summary = "erase, count, list, merge, double: runs, 9.6 bits per key at 0.7 %",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "quotients",
      .damage = damage_rule::perhaps,
      .keeps_sentinels = false,
      .parameter_bytes = 16};

  // What count() reports where bytes are damaged.
  static constexpr std::uint64_t unknown_count = ~std::uint64_t{0};

  struct params {
    std::uint64_t keys = 0;  // distinct keys that it must hold, at least 1
    double fpr = 0.01;       // target rate with all of them in, 0 < fpr < 1
    bloomery::hasher hasher = bloomery::hasher::xxh3();
    std::uint64_t identity = 0;  // separates filters of one layout, for receipts
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

  // The container, as in block_bloom; without sentinels.
  static result<quotient> decode(std::span<const std::byte> bytes) noexcept;
  result<pages> encode() const noexcept;
  static result<quotient> load(path_ref path) noexcept;
  result<void> save(path_ref path) const noexcept;

  // An empty filter of the same layout, capacity, hasher and identity.
  // Errors: out_of_memory.
  result<quotient> empty_like() const noexcept {
    return make(layout_, capacity(), hasher(), identity());
  }
  // A deep copy.  Filters are move-only, so that no copy is implicit.
  // Errors: out_of_memory; corrupt (bytes are damaged: a copy would not know).
  result<quotient> clone() const noexcept;

  // --- lookups ---
  bool may_contain(key k) const noexcept {
    if (!damage_.empty()) [[unlikely]]
      return may_contain_damaged(k);
    return quotient_probe::may_contain.load(std::memory_order_relaxed)(
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
  // How often a key was inserted.  Never too low; exact for its fingerprint, so keys with
  // the same are counted with it.  unknown_count where bytes are damaged.
  std::uint64_t count(key k) const noexcept;
  std::uint64_t count(std::string_view bytes) const noexcept {
    return count(hash(bytes));
  }

  // --- inserts: one copy more ---
  // Errors: full; too_many_copies (2^48 - 1 of its fingerprint); corrupt (a chunk of the
  // filter is damaged).  Nothing has changed then.
  result<void> try_insert(key k) noexcept;
  result<void> try_insert(std::string_view bytes) noexcept {
    return try_insert(hash(bytes));
  }
  // In order, up to the first that is refused; how many are in.
  std::size_t try_insert(std::span<const key> ks) noexcept;
  std::size_t try_insert(std::span<const std::string_view> ks) noexcept;
  // With the proof that makes erasing it safe.
  result<receipt> try_insert_with_receipt(key k) noexcept;
  result<receipt> try_insert_with_receipt(std::string_view bytes) noexcept {
    return try_insert_with_receipt(hash(bytes));
  }

  // --- erasing: one copy less ---
  // Safe for all other keys.  The receipt is used up if it succeeds.
  // Errors: incompatible (not of this filter), not_present (used before), corrupt.
  result<void> erase(receipt&& r) noexcept;
  // REQUIRES: k was inserted, and not erased since.  If it only tests positive, a copy of
  // another key's fingerprint is deleted, which may become a false negative.
  // Errors: not_present, corrupt; nothing has changed.
  result<void> erase_present(key k) noexcept;
  result<void> erase_present(std::string_view bytes) noexcept {
    return erase_present(hash(bytes));
  }
  // One by one, in order; erased[i]: ks[i] was present, and one copy of it is gone.
  // Returns their number.  REQUIRES: as above; erased.size() == ks.size() Errors: corrupt
  // (a chunk of the filter is damaged; nothing has changed).
  result<std::size_t> erase_present(std::span<const key> ks,
                                    std::span<bool> erased) noexcept;

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
  // corrupt, out_of_memory (a second filter of this size); nothing has changed.
  result<void> merge(const quotient& other) noexcept;
  result<void> merge(std::span<const quotient* const> others) noexcept;

  // Twice the quotients, remainders of one bit less: the same answers, and room for as
  // many keys again, whose rate is expected_fpr(keys) now as before.  The capacity is
  // doubled, too.  Errors: unattainable (remainders of 2 bits), too_large, corrupt,
  // out_of_memory (a filter of twice this size); nothing has changed.
  result<void> grow() noexcept;

  // Integers, bytes, and ranges of keys: key_types.hpp.
  using key_changes<quotient>::try_insert;
  using key_changes<quotient>::erase_present;
  using key_lookups<quotient>::hash;
  using key_lookups<quotient>::may_contain;

  // Keys for this filter and for every other with an equal hasher.
  key hash(std::string_view bytes) const noexcept { return hasher_.hash(bytes); }
  key hash_u64(std::uint64_t x) const noexcept { return hasher_.hash_u64(x); }
  key from_hash(std::uint64_t h) const noexcept { return hasher_.from_hash(h); }
  bloomery::hasher hasher() const noexcept { return hasher_; }

  // What the calls use on this CPU: "portable", "avx2", "bmi2".
  static const char* kernel_name() noexcept;

  // --- what it is ---
  const quotient_layout& layout() const noexcept { return layout_; }
  std::uint64_t quotients() const noexcept { return layout_.quotients; }
  std::uint32_t remainder_bits() const noexcept { return layout_.remainder_bits; }
  std::uint32_t hashes() const noexcept { return remainder_bits(); }  // headers, byte 20
  std::uint64_t slots() const noexcept { return layout_.slots(); }
  std::uint64_t bits() const noexcept { return 8 * layout_.size_in_bytes(); }
  std::uint64_t capacity() const noexcept { return keys_; }  // 0: not recorded
  std::uint64_t identity() const noexcept { return identity_; }
  std::size_t size_in_bytes() const noexcept { return store_.size(); }
  std::span<const std::byte> bytes() const noexcept { return store_.bytes(); }
  // Chunks of a file that must not be trusted: lookups there answer "possibly present".
  const damage_set& damage() const noexcept { return damage_; }

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

  friend bool operator==(const quotient& a, const quotient& b) noexcept {
    return a.layout_ == b.layout_ && a.hasher_ == b.hasher_ &&
           a.identity_ == b.identity_ &&
           a.damage_.damaged_chunks() == b.damage_.damaged_chunks() &&
           std::ranges::equal(a.bytes(), b.bytes());
  }

 private:
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
        identity_(identity),
        hasher_(h),
        store_(std::move(store)),
        damage_(std::move(damage)) {}

  bool may_contain_damaged(key k) const noexcept;
  std::uint64_t scope() const noexcept;  // of receipts

  quotient_layout layout_;
  std::uint64_t keys_;
  std::uint64_t identity_;
  bloomery::hasher hasher_;
  pages store_;
  damage_set damage_;
};

}  // namespace bloomery::inline v1
