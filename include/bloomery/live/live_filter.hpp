// The filter of a running service: queried and written to by all its threads, rebuilt and
// replaced under load, with a kill switch.
//
//   auto live = live_filter<concurrent<block_bloom>>::make(std::move(first), {});
//   live->insert("alice");  live->may_contain("bob");          any thread
//   live->rebuild({.params = {.keys = n, .fpr = 0.01}}, source);
//
// A filter of a kind that is only built (build_only) is live without inserts:
//   auto live = live_filter<X>::make(std::move(first), {});
//   live->rebuild({.params = {.keys = n, .fpr = 0.01}}, source);   all keys, now and then
//
// Cost: that of F plus about a nanosecond per lookup or insert; no lock, no retry.
// Answers: no false negatives for keys that were inserted or that rebuild's source held;
// rebuild.hpp has the contract.  Keys that swap and clear drop are the caller's decision.
// All generations share one hasher, so a key that was made here stays valid.  To change
// the hasher, use a rekeyable_filter.
// Thread safety: everything may be called by any thread at any time, except move and
// destruction.
// Fork: the child may use its copy as the parent does (docs/live.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/live/generations.hpp>
#include <bloomery/detail/live/live_status.hpp>
#include <bloomery/detail/live/rebuild.hpp>
#include <bloomery/detail/live/rebuild_request.hpp>
#include <bloomery/detail/owned.hpp>
#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/detail/receipt.hpp>
#include <bloomery/detail/receipt_ledger.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
inline namespace BLOOMERY_BY_ISA {

template <class F>
class live_filter;

// Filters that are inserted into have a form whose keys are integers.  The hasher of
// others decides at run time.
template <class F>
struct live_integers {};
template <class F>
requires inserting<F> && detail::typed_by_source<F>
struct live_integers<F> {
  using integers = live_filter<typename F::integers>;
};

// F: concurrent<X>; or X itself, if it is build_only and has `params` with keys and fpr.
template <class F>
class live_filter : public live_integers<F>,
                    public key_lookups<live_filter<F>>,
                    public key_inserts<live_filter<F>> {
  static constexpr bool has_inserts = inserting<F>;
  static constexpr bool has_first = testing_inserts<F>;

 public:
  using params = typename F::params;
  using request = rebuild_request<params, key>;

  // Errors: out_of_memory.
  static result<live_filter> make(F first, const live_options& o = {}) noexcept {
    const bloomery::hasher h = first.hasher();
    std::uint64_t identity = 0;
    if constexpr (identified<F>) {
      // Other live filters refuse its receipts.  The filter's own bytes do not change.
      receipt_ledger drawn(first.identity());
      if (auto ok = drawn.ensure_identity(); !ok) return ok.error();
      identity = drawn.identity();
    }
    auto made = generations<F>::make(std::move(first), o);
    if (!made) return made.error();
    return live_filter(*std::move(made), h, identity);
  }

  // --- one key ---
  BLOOMERY_INLINE bool may_contain(key k) const noexcept { return all_->may_contain(k); }
  BLOOMERY_INLINE bool may_contain(std::string_view bytes) const noexcept {
    return all_->may_contain(hash(bytes));
  }
  BLOOMERY_INLINE void insert(key k) noexcept requires(has_inserts) {
    all_->insert(k, 1);
  }
  BLOOMERY_INLINE void insert(std::string_view bytes) noexcept requires(has_inserts) {
    insert(hash(bytes));
  }
  // At most one of all threads that call this with the same key gets true, and exactly
  // one unless the key tested positive before.  Blocks for nanoseconds.  While killed the
  // key is inserted and the answer is false.
  // This holds across rebuilds for threads that write the key to the store only if they
  // get true, and hold a reader around both calls: a rebuild then waits for both.
  //   const auto hold = live.read();
  //   if (live.insert_if_absent(k)) store.write(k);
  bool insert_if_absent(key k) noexcept requires(has_first) {
    return all_->insert_if_absent(k, k.bits());
  }
  bool insert_if_absent(std::string_view bytes) noexcept requires(has_first) {
    return insert_if_absent(hash(bytes));
  }
  // Integers, bytes, and ranges of keys: key_types.hpp.  A long range may be spread over
  // several generations.
  using key_inserts<live_filter>::insert;
  using key_inserts<live_filter>::insert_if_absent;
  using key_lookups<live_filter>::hash;
  using key_lookups<live_filter>::may_contain;

  // --- filters that may refuse keys, and erase them ---
  // Errors: full, too_many_copies; the key is not in.  If a rebuild runs and the new
  // generation has no room, that rebuild is stopped.
  result<void> try_insert(key k) noexcept requires(bounded<F>) {
    return all_->try_insert(k);
  }
  result<void> try_insert(std::string_view bytes) noexcept requires(bounded<F>) {
    return try_insert(hash(bytes));
  }
  // Returns the proof that the key may be erased, valid until swap or clear drop it: also
  // after rebuilds, whose source has it.
  result<receipt> try_insert_with_receipt(key k) noexcept requires(erasable<F>) {
    std::uint64_t lineage;
    if (auto in = all_->try_insert(k, lineage); !in) return in.error();
    return receipt::issue(hasher_, k, scope(lineage));
  }
  result<receipt> try_insert_with_receipt(std::string_view bytes) noexcept
      requires(erasable<F>) {
    return try_insert_with_receipt(hash(bytes));
  }
  // Deletes one copy.  First here, then from the store, both while a reader is held; then
  // no rebuild brings the key back:
  //   const auto hold = live.read();
  //   if (live.erase_present(k)) store.remove(k);
  // REQUIRES: k was inserted, is in the store, and was not erased since
  // Errors: invalid_argument (a rebuild runs: keep the key in the store, and try again
  // when it has ended), not_present; nothing has changed.
  result<void> erase_present(key k) noexcept requires(erasable<F>) {
    return all_->erase_present(k);
  }
  result<void> erase_present(std::string_view bytes) noexcept requires(erasable<F>) {
    return erase_present(hash(bytes));
  }
  // The same, safe for all other keys the first time: a stored receipt that is used again
  // may delete another key (receipt.hpp; live filters issue no numbered ones).  The
  // receipt is used up if it succeeds. Errors: incompatible (not of this filter, or
  // issued before swap or clear) as well.
  result<void> erase(receipt&& r) noexcept requires(erasable<F>) {
    return all_->erase(std::move(r), hasher_,
                       [this](std::uint64_t lineage) { return scope(lineage); });
  }

  // --- many keys: all answers from one generation ---
  // REQUIRES: out.size() == ks.size()
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    all_->may_contain(ks, out);
  }
  void may_contain(std::span<const std::string_view> keys,
                   std::span<bool> out) const noexcept {
    all_->may_contain(keys, out);
  }
  void insert(std::span<const key> ks) noexcept requires(has_inserts) {
    all_->insert(ks, ks.size());
  }
  void insert(std::span<const std::string_view> keys) noexcept requires(has_inserts) {
    all_->insert(keys, keys.size());
  }

  // For many lookups in a row, without the nanosecond each.  While it lives, swap, clear
  // and rebuild wait: keep it short.  It may be a thread_local.
  // REQUIRES: destroyed by the thread that made it (asserted)
  class reader {
   public:
    // Counted when the reader ends.
    BLOOMERY_INLINE bool may_contain(key k) const noexcept {
      if (all_.killed()) return true;
      const bool maybe = all_.serving().may_contain(k);
      ++lookups_;
      maybes_ += maybe;
      return maybe;
    }
    ~reader() { all_.count_lookups(here_, lookups_, maybes_); }
    // The current filter, for its figures.  Valid as long as the reader.
    const F& filter() const noexcept { return all_.serving(); }

   private:
    friend class live_filter;
    explicit reader(const generations<F>& all) noexcept
        : all_(all), here_(all.readers()) {}

    const generations<F>& all_;
    typename generations<F>::lasting_pin here_;
    mutable std::uint64_t lookups_ = 0, maybes_ = 0;
  };
  reader read() const noexcept { return reader(*all_); }

  // Keys for this filter, whatever generation serves.
  BLOOMERY_INLINE key hash(std::string_view bytes) const noexcept {
    return hasher_.hash(bytes);
  }
  BLOOMERY_INLINE key hash_u64(std::uint64_t x) const noexcept {
    return hasher_.hash_u64(x);
  }
  BLOOMERY_INLINE key from_hash(std::uint64_t h) const noexcept {
    return hasher_.from_hash(h);
  }
  const bloomery::hasher& hasher() const noexcept { return hasher_; }

  // --- the kill switch: every lookup answers "possibly present" from now on ---
  // Inserts go on, so that revive() loses nothing.
  void kill() noexcept { all_->kill(); }
  void revive() noexcept { all_->revive(); }
  bool killed() const noexcept { return all_->killed(); }

  // --- generations ---
  // `next` serves from now on.  Returns the old filter, which no thread uses any more.
  // Keys that `next` lacks are lost, also those inserted meanwhile.  To lose none,
  // rebuild.
  // Errors: incompatible (another hasher), invalid_argument (this thread holds a reader
  // and would wait for itself; a rebuild runs), out_of_memory; then `next` is as it was.
  result<F> swap(F&& next) noexcept {
    if (!(next.hasher() == hasher_)) return another_hasher();
    return all_->swap(std::move(next));
  }
  // Swaps with an empty filter of the same size, which is allocated first.
  // Errors: as swap.
  result<void> clear() noexcept { return all_->clear(); }

  // Runs on the caller's thread, for as long as it takes; see rebuild.hpp.  The old
  // generation serves until the new one does, and goes on serving on any error.
  // Errors: incompatible (another hasher), and those of rebuild.hpp.
  template <class Source>
  result<void> rebuild(const request& p, Source&& source) {
    if constexpr (params_with_hasher<params>) {
      bloomery::hasher asked = p.params.hasher;
      if constexpr (detail::typed_by_source<F>)
        if (std::is_same_v<typename F::integers, F>) asked = asked.of(hasher_.source());
      if (!(asked == hasher_)) return another_hasher();
    }
    return rebuild_attempt<F>::run(*all_, p, source);
  }
  // Stops a running rebuild at its next batch; returns whether one was running.  Inserts
  // stop writing to it at once, even if its source never returns.
  bool stop_rebuild() noexcept { return all_->stop_rebuild(); }

  // Reports whether a key with a positive answer was in fact present, for the observed
  // false-positive rate.
  void confirm(key, bool present) noexcept { all_->confirm(present); }
  void confirm(std::string_view, bool present) noexcept { all_->confirm(present); }

  live_status status() const noexcept { return all_->status(); }

 private:
  live_filter(owned<generations<F>> all, bloomery::hasher h,
              std::uint64_t identity) noexcept
      : all_(std::move(all)), hasher_(h), identity_(identity) {}

  // The scope of receipts.  They outlive rebuilds, so the size of the filter is not in
  // it.
  std::uint64_t scope(std::uint64_t lineage) const noexcept {
    constexpr std::uint64_t live = ~std::uint64_t{0};  // no shape of a filter
    return receipt_scope(static_cast<std::uint8_t>(F::plain::kind.number), lineage, live,
                         identity_);
  }

  static error another_hasher() noexcept {
    return {errc::incompatible, "a live filter keeps its hasher"};
  }

  owned<generations<F>> all_;
  bloomery::hasher hasher_;
  std::uint64_t identity_;  // of the first filter
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
