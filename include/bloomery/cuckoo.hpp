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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/cuckoo_sizing.hpp>
#include <bloomery/detail/base/damage_set.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/probe/cuckoo_offsets.hpp>
#include <bloomery/detail/probe/cuckoo_probe.hpp>
#include <bloomery/detail/probe/cuckoo_table.hpp>
#include <bloomery/detail/probe/tag_fields.hpp>
#include <bloomery/export.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/kind.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/path_ref.hpp>
#include <bloomery/receipt.hpp>
#include <bloomery/result.hpp>

namespace bloomery::format {
struct filter_access;
}

namespace bloomery::inline v1 {

template <class F>
struct concurrent_access;  // concurrent.hpp

class BLOOMERY_EXPORT cuckoo : public key_lookups<cuckoo>, public key_changes<cuckoo> {
 public:
  static constexpr kind_facts kind{
      .number = container_kind::cuckoo,
      .name = "cuckoo",
      .summary = "keys can be erased: tags in buckets, 12.8 bits per key at 0.2 %",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); },
      .units = "buckets",
      .damage = damage_rule::perhaps,
      .keeps_sentinels = false,
      .parameter_bytes = 8};

  struct params {
    std::uint64_t keys = 0;  // distinct keys that it must hold, at least 1
    double fpr = 0.01;       // target rate with all of them in, 0 < fpr < 1
    bloomery::hasher hasher = bloomery::hasher::xxh3();
    std::uint64_t identity = 0;  // separates filters of one layout, for receipts
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

  // The container, as in block_bloom; without sentinels.
  static result<cuckoo> decode(std::span<const std::byte> bytes) noexcept;
  result<pages> encode() const noexcept;
  static result<cuckoo> load(path_ref path) noexcept;
  result<void> save(path_ref path) const noexcept;

  // An empty filter of the same layout, capacity, hasher and identity.
  // Errors: out_of_memory.
  result<cuckoo> empty_like() const noexcept {
    return make(layout(), capacity(), hasher(), identity());
  }
  // A deep copy.  Filters are move-only, so that no copy is implicit.
  // Errors: out_of_memory; corrupt (bytes are damaged: a copy would not know).
  result<cuckoo> clone() const noexcept;

  // --- lookups ---
  BLOOMERY_INLINE bool may_contain(key k) const noexcept {
    if (quick_ != nullptr) [[likely]]
      return with_quick_table([k](const auto& t) noexcept { return t.has(k); });
    if (!damage_.stays_empty()) [[unlikely]]
      return may_contain_damaged(k);
    return with_tag_width(probe_.tag_bits(), [&]<class Width>(Width w) noexcept {
      return cuckoo_table<const std::byte, Width>(store_.data(), probe_, w).has(k);
    });
  }
  bool may_contain(std::string_view bytes) const noexcept {
    return may_contain(hash(bytes));
  }
  // REQUIRES: out.size() == ks.size(); in every build a call that breaks this ends the
  // program with a sentence.
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept;
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept;
  // How often a key was inserted, at most 8.  Never too low; keys with the same tag and
  // buckets are counted with it.
  std::uint64_t count(key k) const noexcept;
  std::uint64_t count(std::string_view bytes) const noexcept {
    return count(hash(bytes));
  }

  // --- inserts ---
  // Errors: full; too_many_copies (it is in 8 times, or others with its tag and
  // buckets); corrupt (its bytes are damaged).  Nothing has changed then.
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

  // --- erasing: one copy ---
  // Safe for all other keys.  The receipt is used up if it succeeds.
  // Errors: incompatible (not of this filter), not_present (used before), corrupt.
  result<void> erase(receipt&& r) noexcept;
  // REQUIRES: k was inserted, and not erased since.  If it only tests positive, the tag
  // of another key is deleted, which becomes a false negative. Errors: not_present,
  // corrupt; nothing has changed.
  result<void> erase_present(key k) noexcept;
  result<void> erase_present(std::string_view bytes) noexcept {
    return erase_present(hash(bytes));
  }
  // One by one, in order; erased[i]: ks[i] was present, and one copy of it is gone.
  // Returns their number.  REQUIRES: as above; erased.size() == ks.size() Errors: corrupt
  // (a key whose bytes are damaged; those before it are done).
  result<std::size_t> erase_present(std::span<const key> ks,
                                    std::span<bool> erased) noexcept;

  void clear() noexcept;

  // Integers, bytes, and ranges of keys: key_types.hpp.
  using key_changes<cuckoo>::try_insert;
  using key_changes<cuckoo>::erase_present;
  using key_lookups<cuckoo>::hash;
  using key_lookups<cuckoo>::may_contain;

  // Keys for this filter and for every other with an equal hasher.
  key hash(std::string_view bytes) const noexcept { return hasher_.hash(bytes); }
  key hash_u64(std::uint64_t x) const noexcept { return hasher_.hash_u64(x); }
  key from_hash(std::uint64_t h) const noexcept { return hasher_.from_hash(h); }
  bloomery::hasher hasher() const noexcept { return hasher_; }

  // The widest instructions that batched lookups use on this CPU: "portable", "avx2",
  // "avx512".
  static const char* kernel_name() noexcept;

  // --- what it is ---
  cuckoo_layout layout() const noexcept { return {buckets(), tag_bits()}; }
  std::uint64_t buckets() const noexcept { return probe_.buckets(); }
  std::uint32_t tag_bits() const noexcept { return probe_.tag_bits(); }
  std::uint32_t hashes() const noexcept { return tag_bits(); }  // as in headers, byte 20
  std::uint64_t slots() const noexcept { return layout().slots(); }
  std::uint64_t bits() const noexcept { return layout().bits(); }
  std::uint64_t capacity() const noexcept { return keys_; }  // 0: not recorded
  std::uint64_t identity() const noexcept { return identity_; }
  std::size_t size_in_bytes() const noexcept { return store_.size(); }
  std::span<const std::byte> bytes() const noexcept { return store_.bytes(); }
  // Chunks of a file that must not be trusted: lookups there answer "possibly present".
  const damage_set& damage() const noexcept { return damage_; }

  // --- its current state: each reads every bucket ---
  // Tags in it: keys, with their copies.  Buckets with damaged bytes are not counted.
  std::uint64_t occupied() const noexcept;
  // Copies of one key, or of keys that cannot be distinguished, at the most: up to 8.
  unsigned most_copies() const noexcept;
  std::uint64_t damaged_buckets() const noexcept;
  std::uint64_t ones() const noexcept;
  double estimated_keys() const noexcept;
  double fill() const noexcept;  // occupied slots per slot

  // The rate this layout gives once it holds `keys` distinct keys: exact.
  double expected_fpr(std::uint64_t keys) const noexcept;
  // The rate this filter has for keys it does not hold, from its tags: exact, but for the
  // share of damaged bytes.
  double realised_fpr() const noexcept;

  friend bool operator==(const cuckoo& a, const cuckoo& b) noexcept {
    return a.layout() == b.layout() && a.hasher_ == b.hasher_ &&
           a.identity_ == b.identity_ &&
           a.damage_.damaged_chunks() == b.damage_.damaged_chunks() &&
           std::ranges::equal(a.bytes(), b.bytes());
  }

 private:
  friend struct format::filter_access;
  template <class F>
  friend struct concurrent_access;

  cuckoo(cuckoo_layout layout, std::uint64_t keys, bloomery::hasher h,
         std::uint64_t identity, pages store, damage_set damage) noexcept;

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
  // Whatever the filter, and whatever it takes.
  [[gnu::noinline]] result<void> try_insert_anyhow(key k) noexcept;
  // Where both buckets of a key are full.  They and its tag come in registers.
  // REQUIRES: quick_
  [[gnu::noinline]] result<void> try_insert_by_moving(std::uint64_t first,
                                                      std::uint64_t second,
                                                      std::uint32_t tag) noexcept;
  [[gnu::noinline]] result<void> erase_anyhow(key k) noexcept;
  // As every lookup; also where damage may yet be found.  Pure: a loop of lookups then
  // need not load the members for each again.
  [[gnu::pure]] bool may_contain_damaged(key k) const noexcept;
  bool is_damaged(std::uint64_t bucket) const noexcept;
  bool is_damaged(const cuckoo_probe::place& p) const noexcept {
    return !damage_.empty() && (is_damaged(p.first) || is_damaged(p.second));
  }
  std::uint64_t scope() const noexcept;  // of receipts

  cuckoo_probe probe_;
  const std::uint32_t* quick_ = nullptr;  // offsets_; null if there is, or may be, damage
  pages store_;
  std::uint64_t keys_;
  std::uint64_t identity_;
  bloomery::hasher hasher_;
  damage_set damage_;
  cuckoo_offsets offsets_;  // null if there is no table
};

}  // namespace bloomery::inline v1
