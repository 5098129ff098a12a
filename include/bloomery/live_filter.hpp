// The filter a service holds: asked and written to by all its threads, rebuilt and
// replaced under load, switched off at once when it is in doubt.
//
//   auto live = live_filter<concurrent<block_bloom>>::make(std::move(first), {});
//   live->insert("alice");  live->may_contain("bob");          any thread
//   live->rebuild({.params = {.keys = n, .fpr = 0.01}}, source);
//
// A filter of a kind that is only built (build_only) is live without inserts:
//   auto live = live_filter<X>::make(std::move(first), {});
//   live->rebuild({.params = {.keys = n, .fpr = 0.01}}, source);   all keys, now and then
//
// Cost: a lookup or insert is that of F and about a nanosecond; no lock, no retry.
// Answers: what was inserted, or what rebuild's source held, is never denied; rebuild.hpp
// has the contract.  What swap and clear drop is the caller's decision.
// All generations share one hasher, so a key that was made here stays good.  To change
// the hasher, hold a rekeyable_filter.
// Thread safety: everything may be called by any thread at any time, except move and
// destruction.
// Fork: the child may do with its copy what the parent may (docs/live.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/live/generations.hpp>
#include <bloomery/detail/live/rebuild_request.hpp>
#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/live_status.hpp>
#include <bloomery/rebuild.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
inline namespace BLOOMERY_BY_ISA {

// F: concurrent<X>; or X itself, if it is build_only and has `params` with keys and fpr.
template <class F>
class live_filter : public key_lookups<live_filter<F>>,
                    public key_inserts<live_filter<F>> {
  static constexpr bool has_inserts = !build_only<F>;

 public:
  using params = typename F::params;
  using request = rebuild_request<params, key>;

  // Errors: out_of_memory.
  static result<live_filter> make(F first, const live_options& o = {}) noexcept {
    const bloomery::hasher h = first.hasher();
    auto made = generations<F>::make(std::move(first), o);
    if (!made) return made.error();
    return live_filter(*std::move(made), h);
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
  // True to at most one of all threads that insert the same key in this way, and to one
  // unless the key tested positive before.  Blocks for nanoseconds.  While killed the key
  // goes in and the answer is false.
  // Across rebuilds it holds for those who write the key to the store only if they are
  // told so, and hold a reader meanwhile: a rebuild then waits for both.
  //   const auto hold = live.read();
  //   if (live.insert_if_absent(k)) store.write(k);
  bool insert_if_absent(key k) noexcept requires(has_inserts) {
    return all_->insert_if_absent(k, k.bits());
  }
  bool insert_if_absent(std::string_view bytes) noexcept requires(has_inserts) {
    return insert_if_absent(hash(bytes));
  }
  // Integers, bytes, and ranges of keys: key_types.hpp.  A long range may be spread over
  // several generations.
  using key_inserts<live_filter>::insert;
  using key_inserts<live_filter>::insert_if_absent;
  using key_lookups<live_filter>::hash;
  using key_lookups<live_filter>::may_contain;

  // --- many: all of one generation ---
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

  // For many lookups in a row, without the nanosecond.  As long as it lives swap, clear
  // and rebuild wait, so not for long.  A thread_local may hold one.
  // REQUIRES: the thread that made it ends it (asserted)
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
    // What serves now: for its figures.  Not after the reader.
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
  key hash(std::string_view bytes) const noexcept { return hasher_.hash(bytes); }
  key hash_u64(std::uint64_t x) const noexcept { return hasher_.hash_u64(x); }
  key from_hash(std::uint64_t h) const noexcept { return hasher_.from_hash(h); }
  bloomery::hasher hasher() const noexcept { return hasher_; }

  // --- the kill switch: every lookup answers "perhaps" from now on ---
  // Inserts go on, so that revive() loses nothing.
  void kill() noexcept { all_->kill(); }
  void revive() noexcept { all_->revive(); }
  bool killed() const noexcept { return all_->killed(); }

  // --- generations ---
  // `next` serves from now on, and nobody uses what is returned.  Keys that `next` lacks
  // are denied: those inserted meanwhile among them.  To lose none, rebuild.
  // Errors: incompatible (another hasher), invalid_argument (this thread holds a reader
  // and would wait for itself; a rebuild runs), out_of_memory; then `next` is as it was.
  result<F> swap(F&& next) noexcept {
    if (!(next.hasher() == hasher_)) return another_hasher();
    return all_->swap(std::move(next));
  }
  // Swaps with an empty one of the same size, for which memory is taken first.
  // Errors: as swap.
  result<void> clear() noexcept { return all_->clear(); }

  // On the caller's thread, for as long as it takes; see rebuild.hpp.  The old
  // generation serves until the new one does, and goes on serving on any error.
  // Errors: incompatible (another hasher), and those of rebuild.hpp.
  template <class Source>
  result<void> rebuild(const request& p, Source&& source) {
    if constexpr (requires { p.params.hasher; })
      if (!(p.params.hasher == hasher_)) return another_hasher();
    return rebuild_attempt<F>::run(*all_, p, source);
  }
  // Whether one was running, that now ends at the next batch.  At once nothing is written
  // to it any more, even if its source never returns.
  bool stop_rebuild() noexcept { return all_->stop_rebuild(); }

  // What a "perhaps" turned out to mean.
  void confirm(key, bool present) noexcept { all_->confirm(present); }
  void confirm(std::string_view, bool present) noexcept { all_->confirm(present); }

  live_status status() const noexcept { return all_->status(); }

 private:
  live_filter(std::unique_ptr<generations<F>> all, bloomery::hasher h) noexcept
      : all_(std::move(all)), hasher_(h) {}

  static error another_hasher() noexcept {
    return {errc::incompatible, "a live filter keeps its hasher"};
  }

  std::unique_ptr<generations<F>> all_;
  bloomery::hasher hasher_;
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
