// The cuckoo filter: keys can be erased again.
//
// Each key is a tag (fingerprint) of 6 to 32 bits in one of two buckets of four slots.
// About 12.8 bits per key at 0.2 %, 8.5 at 3 %, 17 at 0.012 %, and every size between.
// Fan, Andersen, Kaminsky, Mitzenmacher, "Cuckoo Filter: Practically Better Than Bloom",
// 2014; here with any even number of buckets, and with inserts that lose nothing:
//   - a refused try_insert leaves every byte as it was;
//   - the number of keys it was sized for always fits (cuckoo_sizing.hpp).
// A key may be in it up to 8 times; each erase deletes one copy (spec/filters.md, section
// 7).
//
// With tags of up to 12 bits, filters of 512 KiB and more (of fewer with shorter tags)
// take 4 * 2^tag_bits bytes of memory besides, 1/32 of their own at most, for a table
// that is in no file and not in size_in_bytes() (cuckoo_offsets.hpp).
//
// Cost: two cache lines per key, in every call.  Where keys are never erased, block_bloom
// is faster, and smaller above 1 %. Thread safety: const calls may run together; any
// other call must run alone. A filter that was moved from may only be destroyed or
// assigned to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/base/damage_set.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/filter_of.hpp>
#include <bloomery/detail/kind/cuckoo/offsets.hpp>
#include <bloomery/detail/kind/cuckoo/probe.hpp>
#include <bloomery/detail/kind/cuckoo/sizing.hpp>
#include <bloomery/detail/kind/cuckoo/table.hpp>
#include <bloomery/detail/kind/cuckoo/tag_fields.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/detail/receipt_ledger.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT cuckoo : public filter_of<cuckoo> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::cuckoo,
      .name = "cuckoo",
      .summary = "keys can be erased: tags in buckets, 12.8 bits per key at 0.2 %",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "buckets",
      .damage = damage_rule::possibly_present,
      .keeps_sentinels = false,
      .parameter_bytes = 8};

  struct params {
    std::uint64_t keys = 0;  // distinct keys that it must hold, at least 1
    double fpr = 0.01;       // target rate with all of them in, 0 < fpr < 1
    bloomery::hasher hasher = bloomery::hasher::xxh3();
    std::uint64_t identity = 0;  // for receipts; 0: drawn for the first one
  };

  // An empty filter sized for `p`.  Errors: invalid_argument, unattainable, too_large,
  // out_of_memory.
  static result<cuckoo> make(params p) noexcept;

  // An empty filter of exactly this layout.  `keys` is what it was sized for, 0 if
  // unknown.  Errors: invalid_argument, too_large, out_of_memory.
  static result<cuckoo> make(cuckoo_layout layout, std::uint64_t keys = 0,
                             bloomery::hasher h = bloomery::hasher::xxh3(),
                             std::uint64_t identity = 0) noexcept;

  // A filter with all of `ks` in it, each once, sized for p.keys, or for the number of
  // distinct keys if that is 0.  The bytes do not depend on their order.  Takes 8 bytes
  // of memory per key meanwhile (16, if all share their highest bits).  Errors: as make;
  // full (more distinct keys than p.keys, or keys that were chosen to share their tags
  // and buckets).
  static result<cuckoo> build(std::span<const key> ks, params p) noexcept;
  static result<cuckoo> build(std::span<const key> ks) noexcept {
    return build(ks, params{});
  }
  using range_builds<cuckoo>::build;  // from text, bytes: any range of keys

  // An empty filter of the same layout, capacity and hasher.  Its receipts are its own:
  // it draws another identity.
  // Errors: out_of_memory.
  result<cuckoo> empty_like() const noexcept {
    return make(layout(), capacity(), hasher());
  }

  // Lookups, inserts, erases and files: filter_of.hpp.  What they say of this kind:
  //   try_insert     Errors: full; too_many_copies (it is in 8 times, or others with its
  //                  tag and buckets); corrupt (its bytes are damaged)
  //   erase_present  Errors: not_present; corrupt (of many: those before it are done)
  //   count          at most 8; keys with the same tag and buckets are counted with it
  //   save, encode   without sentinels

  void clear() noexcept;

  // The widest instructions that batched lookups use on this CPU: "portable", "avx2",
  // "avx512".
  static const char* kernel_name() noexcept;

  // --- what it is ---
  cuckoo_layout layout() const noexcept { return {buckets(), tag_bits()}; }
  std::uint64_t buckets() const noexcept { return probe_.buckets(); }
  std::uint32_t tag_bits() const noexcept { return probe_.tag_bits(); }
  std::uint64_t slots() const noexcept { return layout().slots(); }
  std::uint64_t bits() const noexcept { return layout().bits(); }
  // 0 until the first receipt, unless its maker chose one.
  std::uint64_t identity() const noexcept { return receipts_.identity(); }
  // Which numbered receipts were issued, and which used.
  const receipt_ledger& receipts() const noexcept { return receipts_; }
  std::uint64_t receipt_scope() const noexcept;

  // --- its current state: each reads every bucket ---
  // Tags in it: keys, with their copies.  Buckets with damaged bytes are not counted.
  std::uint64_t occupied() const noexcept;
  // Copies of one key, or of keys that cannot be distinguished, at the most: up to 8.
  unsigned max_copies() const noexcept;
  std::uint64_t damaged_buckets() const noexcept;
  std::uint64_t ones() const noexcept;
  double estimated_keys() const noexcept;
  double fill() const noexcept;  // occupied slots per slot

  // The rate this layout gives once it holds `keys` distinct keys: exact.
  double expected_fpr(std::uint64_t keys) const noexcept;
  // The rate this filter has for keys it does not hold, from its tags: exact, but for the
  // share of damaged bytes.
  double realised_fpr() const noexcept;

 private:
  friend filter_of<cuckoo>;
  friend core_parts;
  friend struct format::filter_access;
  template <class F>
  friend struct concurrent_access;

  cuckoo(cuckoo_layout layout, std::uint64_t keys, bloomery::hasher h,
         std::uint64_t identity, pages store, damage_set damage) noexcept;

  // --- the core (filter_of.hpp) ---
  result<void> ensure_identity() noexcept { return receipts_.ensure_identity(); }
  BLOOMERY_INLINE bool find(key k) const noexcept {
    if (quick_ != nullptr) [[likely]]
      return with_quick_table([k](const auto& t) noexcept { return t.has(k); });
    if (!damage_.stays_empty()) [[unlikely]]
      return find_damaged(k);
    return with_tag_width(probe_.tag_bits(), [&]<class Width>(Width w) noexcept {
      return cuckoo_table<const std::byte, Width>(store_.data(), probe_, w).has(k);
    });
  }
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept;
  std::uint64_t copies_of(key k) const noexcept;
  result<void> try_add(key k) noexcept;
  std::size_t try_add_each(std::span<const key> ks) noexcept;
  result<void> remove(key k) noexcept;
  result<std::size_t> remove_each(std::span<const key> ks,
                                  std::span<bool> erased) noexcept;
  cuckoo with_store(pages store) const noexcept;
  bool is_like(const cuckoo& other) const noexcept {
    return layout() == other.layout() && receipts_ == other.receipts_ &&
           damage_.damaged_chunks() == other.damage_.damaged_chunks();
  }

  // use(table): with its offsets, and without a look at the damage.  REQUIRES: quick_
  template <class Use>
  BLOOMERY_INLINE bool with_quick_table(Use use) const noexcept {
    return with_short_tag_width(probe_.tag_bits(), [&]<class Width>(Width w) noexcept {
      return use(cuckoo_table<const std::byte, Width, cuckoo_offset_probe>(
          store_.data(), cuckoo_offset_probe(probe_, quick_), w));
    });
  }
  template <class Use>
  BLOOMERY_INLINE bool with_quick_table(Use use) noexcept {
    return with_short_tag_width(probe_.tag_bits(), [&]<class Width>(Width w) noexcept {
      return use(cuckoo_table<std::byte, Width, cuckoo_offset_probe>(
          store_.data(), cuckoo_offset_probe(probe_, quick_), w));
    });
  }
  // For every filter, with a look at the damage.
  [[gnu::noinline]] result<void> try_add_checked(key k) noexcept;
  // Where both buckets of a key are full.  They and its tag come in registers.
  // REQUIRES: quick_
  [[gnu::noinline]] result<void> try_add_by_moving(std::uint64_t first,
                                                   std::uint64_t second,
                                                   std::uint32_t tag) noexcept;
  [[gnu::noinline]] result<void> remove_checked(key k) noexcept;
  // As every lookup; also where damage may yet be found.  Pure: a loop of lookups then
  // need not load the members for each again.
  [[gnu::pure]] bool find_damaged(key k) const noexcept;
  bool is_damaged(std::uint64_t bucket) const noexcept;
  bool is_damaged(const cuckoo_probe::place& p) const noexcept {
    return !damage_.empty() && (is_damaged(p.first) || is_damaged(p.second));
  }

  cuckoo_probe probe_;
  const std::uint32_t* quick_ = nullptr;  // offsets_; null if there is, or may be, damage
  pages store_;
  std::uint64_t keys_;
  receipt_ledger receipts_;
  bloomery::hasher hasher_;
  damage_set damage_;
  cuckoo_offsets offsets_;  // null if there is no table
};

}  // namespace bloomery::inline v1
