// The public calls of every filter, written once over the few calls of its core.
//
//   class my_filter : public filter_of<my_filter> {
//     ...                                 what is special to the kind
//    private:
//     friend filter_of<my_filter>;
//     friend core_parts;
//     bool find(key k) const noexcept;    the core, for keys and for spans of keys
//
// Kinds that share a core derive from filter_of<F, Core>, which derives from the core.
// A filter has the calls whose part of the core it has (core_parts.hpp).  The core, all
// of it noexcept and private or protected:
//
// clang-format off
//   hasher_, keys_, store_, damage_ (if any)                     hash, capacity, bytes ...
//   bool find(key) const                                         may_contain
//   void find_each(std::span<const key>, std::span<bool>) const
//   void add(key), void add_each(std::span<const key>)           insert
//   bool add_absent(key)                                         insert_if_absent
//   void add_each_absent(std::span<const key>, std::span<bool>)
//   result<void> try_add(key)                                    try_insert
//   std::size_t try_add_each(std::span<const key>)
//   result<void> remove(key)                                     erase_present, erase,
//   result<std::size_t> remove_each(std::span<const key>,        try_insert_with_receipt
//                                   std::span<bool>)
//   std::uint64_t receipt_scope() const, identity() const
//   result<void> ensure_identity()
//   receipt_ledger receipts_                                     numbered receipts
//   std::uint64_t copies_of(key) const                           count
//   F with_store(pages) const                                    clone
//   bool is_like(const F&) const                                 ==
// clang-format on
//
// A kind that is built from keys has build(std::span<const key>, params), with threads
// where it uses several, and `using range_builds<F>::build` for all other ranges.
//
// What every kind has beside these, in public: expected_fpr, realised_fpr,
// estimated_keys, fill, bits, ones, and kernel_name (the instructions of its loops).
//
// Spans of answers have the size of the keys; the calls here have checked it.  All calls
// are always inlined, so that no linker gives a translation unit the instructions of
// another (docs/decisions/0036-one-shell.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/filter/core_parts.hpp>
#include <bloomery/detail/filter/file_calls.hpp>
#include <bloomery/detail/filter/integer_filter.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/filter/range_builds.hpp>
#include <bloomery/detail/key_source.hpp>
#include <bloomery/detail/key_types.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/detail/receipt.hpp>
#include <bloomery/detail/receipt_ledger.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::format {
struct filter_access;
}

namespace bloomery::inline v1 {

// Another friend of filters, for threads that share them (shared_core.hpp).
template <class F>
struct concurrent_access;

// The base of kinds that share their core with no other.
struct no_shared_core {};

template <class F, class Core = no_shared_core>
class filter_of : public Core,
                  public file_calls<F>,
                  public key_lookups<F>,
                  public key_inserts<F>,
                  public key_changes<F>,
                  public range_builds<F> {
 public:
  // The filter whose keys are integers: block_bloom::integers::make({.keys = n}).
  using integers = integer_filter<F>;

  // --- keys for this filter, and for every other with an equal hasher ---
  using key_lookups<F>::hash;
  BLOOMERY_INLINE key hash(std::string_view bytes) const noexcept {
    return self().hasher_.hash(bytes);
  }
  BLOOMERY_INLINE key hash_u64(std::uint64_t x) const noexcept {
    return self().hasher_.hash_u64(x);
  }
  key from_hash(std::uint64_t h) const noexcept { return self().hasher_.from_hash(h); }

  // --- lookups ---
  using key_lookups<F>::may_contain;
  BLOOMERY_INLINE bool may_contain(key k) const noexcept { return self().find(k); }
  BLOOMERY_INLINE bool may_contain(std::string_view bytes) const noexcept {
    return self().find(hash(bytes));
  }
  // REQUIRES: out.size() == ks.size().  In every build a call that breaks this, or what
  // is required below, ends the program with a sentence.
  BLOOMERY_INLINE void may_contain(std::span<const key> ks,
                                   std::span<bool> out) const noexcept {
    detail::require_answers(ks.size(), out.size());
    self().find_each(ks, out);
  }
  BLOOMERY_INLINE void may_contain(std::span<const std::string_view> ks,
                                   std::span<bool> out) const noexcept {
    detail::require_answers(ks.size(), out.size());
    detail::answer_groups(self(), ks.begin(), ks.end(), out, detail::lookup_in{self()});
  }
  // The answer for key i is bit i % 64 of word i / 64; the bits after the last are 0.
  // REQUIRES: 64 * out.size() >= ks.size()
  template <core_finds_bits S = F>
  BLOOMERY_INLINE void may_contain(std::span<const key> ks,
                                   std::span<std::uint64_t> out) const noexcept {
    detail::require_answer_words(ks.size(), out.size());
    self().find_bits(ks, out);
  }
  template <core_finds_bits S = F>
  BLOOMERY_INLINE void may_contain(std::span<const std::string_view> ks,
                                   std::span<std::uint64_t> out) const noexcept {
    detail::require_answer_words(ks.size(), out.size());
    static_assert(hashed_group % 64 == 0);
    detail::for_each_text_group(
        self().hasher_, ks,
        [this, out](std::span<const key> some, std::size_t first) noexcept {
          const auto words = out.subspan(first / 64, (some.size() + 63) / 64);
          return self().find_bits(some, words), true;
        });
    for (std::uint64_t& word : out.subspan((ks.size() + 63) / 64)) word = 0;
  }

  // --- inserts that cannot fail ---
  using key_inserts<F>::insert;
  template <core_adds S = F>
  BLOOMERY_INLINE void insert(key k) noexcept {
    self().add(k);
  }
  template <core_adds S = F>
  BLOOMERY_INLINE void insert(std::string_view bytes) noexcept {
    self().add(hash(bytes));
  }
  template <core_adds S = F>
  BLOOMERY_INLINE void insert(std::span<const key> ks) noexcept {
    self().add_each(ks);
  }
  // Inserts by several threads, with the same bits for any number of them.
  // REQUIRES: threads >= 1
  template <core_adds_by_threads S = F>
  BLOOMERY_INLINE void insert(std::span<const key> ks, unsigned threads) noexcept {
    self().add_each(ks, threads);
  }
  template <core_adds S = F>
  BLOOMERY_INLINE void insert(std::span<const std::string_view> ks) noexcept {
    detail::add_groups(self(), ks.begin(), ks.end());
  }

  // Inserts.  True: the key was definitely not present before.  Among equal keys in
  // one batch only the first can be absent.  REQUIRES: absent.size() == ks.size()
  using key_inserts<F>::insert_if_absent;
  template <core_adds_absent S = F>
  BLOOMERY_INLINE bool insert_if_absent(key k) noexcept {
    return self().add_absent(k);
  }
  template <core_adds_absent S = F>
  BLOOMERY_INLINE bool insert_if_absent(std::string_view bytes) noexcept {
    return self().add_absent(hash(bytes));
  }
  template <core_adds_absent S = F>
  BLOOMERY_INLINE void insert_if_absent(std::span<const key> ks,
                                        std::span<bool> absent) noexcept {
    detail::require_answers(ks.size(), absent.size());
    self().add_each_absent(ks, absent);
  }

  // --- inserts that may be refused: then nothing has changed ---
  // A batch is inserted in order, up to the first refusal; the result is how many were.
  using key_changes<F>::try_insert;
  template <core_tries S = F>
  BLOOMERY_INLINE result<void> try_insert(key k) noexcept {
    return self().try_add(k);
  }
  template <core_tries S = F>
  BLOOMERY_INLINE result<void> try_insert(std::string_view bytes) noexcept {
    return self().try_add(hash(bytes));
  }
  template <core_tries S = F>
  BLOOMERY_INLINE std::size_t try_insert(std::span<const key> ks) noexcept {
    return self().try_add_each(ks);
  }
  template <core_tries S = F>
  BLOOMERY_INLINE std::size_t try_insert(std::span<const std::string_view> ks) noexcept {
    std::size_t in = 0;
    detail::for_each_text_group(
        self().hasher_, ks, [this, &in](std::span<const key> some, std::size_t) noexcept {
          const std::size_t n = self().try_add_each(some);
          in += n;
          return n == some.size();
        });
    return in;
  }
  // Inserts, and returns the proof that makes erasing the key safe, if it is used once.
  // Errors: io as well (the first receipt needs random bytes of the system).
  template <class T, core_removes S = F>
  BLOOMERY_INLINE result<receipt> try_insert_with_receipt(const T& x) noexcept {
    const key k = single(x);
    if (auto ok = self().ensure_identity(); !ok) return ok.error();
    if (auto in = self().try_add(k); !in) return in.error();
    return receipt::issue(self().hasher_, k, self().receipt_scope());
  }
  // The same, but the filter and its file remember that it was used (receipt_ledger.hpp).
  // For batches that are erased together: beyond 4095 separate ranges of used numbers
  // others expire.  Errors: too_large (no number is left) as well.
  template <class T, core_numbers S = F>
  result<receipt> try_insert_with_numbered_receipt(const T& x) noexcept {
    const key k = single(x);
    if (self().receipts_.issued() >= receipt_ledger::max_issued)
      return error{errc::too_large, "no number is left for a receipt of this filter"};
    if (auto ok = self().ensure_identity(); !ok) return ok.error();
    if (auto in = self().try_add(k); !in) return in.error();
    const std::uint64_t number = self().receipts_.next_number();
    return receipt::issue(self().hasher_, k, self().receipt_scope(), number);
  }

  template <core_removes S = F>  // what erase() would do with it
  receipt_state state_of(const receipt& r) const noexcept {
    if (self().identity() == 0 || !r.key_for(self().hasher_, self().receipt_scope()))
      return receipt_state::foreign;
    if constexpr (core_numbers<F>) {
      const receipt_ledger& known = self().receipts_;
      if (r.number() > known.issued()) return receipt_state::foreign;
      if (known.is_used(r.number())) return receipt_state::used;
    }
    return receipt_state::unused;
  }

  // --- erasing: one copy ---
  // Safe for all other keys: a numbered receipt always, another one the first time
  // (receipt.hpp).  The receipt is used up if it succeeds.
  // Errors: incompatible (not of this filter), not_present (used before, or expired),
  // corrupt; unsupported (a numbered one, and threads share the filter); out_of_memory.
  template <core_removes S = F>
  BLOOMERY_INLINE result<void> erase(receipt&& r) noexcept {
    if (self().identity() == 0)
      return error{errc::incompatible, "the filter has issued no receipt"};
    const auto k = r.key_for(self().hasher_, self().receipt_scope());
    if (!k) return k.error();
    if (r.number() != 0) return erase_numbered(r, *k);
    auto erased = self().remove(*k);
    if (erased) r.use_up();
    return erased;
  }
  // REQUIRES: the key was inserted, and not erased since.  If it only tests positive,
  // what another key has there is deleted: that one becomes a false negative.  Use
  // receipts where the caller cannot know.
  // Errors: not_present, corrupt; nothing has changed.
  using key_changes<F>::erase_present;
  template <core_removes S = F>
  BLOOMERY_INLINE result<void> erase_present(key k) noexcept {
    return self().remove(k);
  }
  template <core_removes S = F>
  BLOOMERY_INLINE result<void> erase_present(std::string_view bytes) noexcept {
    return self().remove(hash(bytes));
  }
  // One by one, in order; erased[i]: ks[i] was present, and one copy of it is gone.
  // Returns their number.  REQUIRES: as above; erased.size() == ks.size()
  template <core_removes S = F>
  BLOOMERY_INLINE result<std::size_t> erase_present(std::span<const key> ks,
                                                    std::span<bool> erased) noexcept {
    detail::require_answers(ks.size(), erased.size());
    return self().remove_each(ks, erased);
  }

  // How often a key was inserted: never too low; other keys may be counted with it.
  template <class T, core_counts S = F>
  BLOOMERY_INLINE std::uint64_t count(const T& x) const noexcept {
    return self().copies_of(single(x));
  }

  // --- what it is ---
  const bloomery::hasher& hasher() const noexcept { return self().hasher_; }
  template <core_has_store S = F>
  std::uint64_t capacity() const noexcept {
    return self().keys_;
  }  // 0: not recorded
  template <core_has_store S = F>
  std::size_t size_in_bytes() const noexcept {
    return self().store_.size();
  }
  template <core_has_store S = F>
  std::span<const std::byte> bytes() const noexcept {
    return self().store_.bytes();
  }
  // Chunks of a file that must not be trusted: lookups there answer "possibly present".
  template <core_has_damage S = F>
  const auto& damage() const noexcept {
    return self().damage_;
  }

  // --- whole filters ---
  // A deep copy.  Filters are move-only, so that no copy is implicit.
  // Errors: out_of_memory; corrupt (bytes are damaged: a copy would not know).
  template <core_copies S = F>
  BLOOMERY_INLINE result<F> clone() const noexcept {
    if constexpr (core_has_damage<F>)
      if (!self().damage_.empty())
        return error{errc::corrupt, "bytes of this filter are damaged: it is not copied"};
    const std::span<const std::byte> from = self().bytes();
    auto store = pages::make(from.size());
    if (!store) return store.error();
    if (!from.empty()) std::memcpy(store->data(), from.data(), from.size());
    F copy = self().with_store(*std::move(store));
    if constexpr (core_numbers<F>) {
      auto receipts = self().receipts_.copy();
      if (!receipts) return receipts.error();
      copy.receipts_ = *std::move(receipts);
    }
    return copy;
  }

  // The same answers and the same file.
  template <core_compares S = F>
  friend bool operator==(const F& a, const F& b) noexcept {
    return filter_of::are_equal(a, b);
  }

 protected:
  template <class... Arguments>
  explicit filter_of(Arguments&&... of_core) noexcept
      : Core(std::forward<Arguments>(of_core)...) {
    static_assert(core_parts::hash<F>,
                  "a filter keeps its hasher in hasher_, and has two friends: filter_of "
                  "and core_parts");
    static_assert(core_parts::find<F>,
                  "the core of a filter lacks find(key) const or "
                  "find_each(std::span<const key>, std::span<bool>) const");
    static_assert(core_tries<F> || !core_removes<F>,
                  "a core that has remove(key) has try_add(key), for receipts");
  }

  // The key of a key, text or bytes.
  template <class T>
  BLOOMERY_INLINE key single(const T& x) const noexcept {
    detail::check_source<F, T>();
    if constexpr (single_key<T>)
      return key_of(self().hasher_, x);
    else
      return detail::refuse_key<T>(), key();
  }

 private:
  result<void> erase_numbered(receipt& r, key k) noexcept {
    if constexpr (core_numbers<F>) {
      receipt_ledger& ledger = self().receipts_;
      if (r.number() > ledger.issued())
        return error{errc::incompatible,
                     "the receipt is newer than this copy of the filter"};
      if (ledger.is_used(r.number()))
        return error{errc::not_present, "the receipt has been used, or has expired"};
      if (auto room = ledger.reserve(); !room) return room;
      auto erased = self().remove(k);
      if (!erased) return erased;
      ledger.use(r.number());
      r.use_up();
      return {};
    } else {
      return error{errc::unsupported,
                   "a numbered receipt is used on the plain filter, by one thread"};
    }
  }

  F& self() noexcept { return static_cast<F&>(*this); }
  const F& self() const noexcept { return static_cast<const F&>(*this); }

  static bool are_equal(const F& a, const F& b) noexcept {
    if (!a.is_like(b) || !(a.hasher_ == b.hasher_)) return false;
    if constexpr (core_has_store<F>) return words::equal(a.bytes(), b.bytes());
    return true;
  }
};

}  // namespace bloomery::inline v1
