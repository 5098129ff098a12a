// The filter that serves, and how another takes its place while all threads go on.
//
// What live_filter and rekeyable_filter share; users hold one of these.  A lookup pins
// its thread's slot (rcu_domain.hpp), loads one pointer, asks, unpins.  An insert does
// the same and, while a rebuild runs, writes to the generation that is to follow as well
// (succession.hpp).  Why no key is lost in a rebuild: see rebuild.hpp.
// In the child of a fork everything goes on but the rebuild of another thread: that is
// rolled back.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>

#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/base/durations.hpp>
#include <bloomery/detail/live/live_status.hpp>
#include <bloomery/detail/live/rebuild_log.hpp>
#include <bloomery/detail/live/rebuild_phase.hpp>
#include <bloomery/detail/live/succession.hpp>
#include <bloomery/detail/live/thread_counts.hpp>
#include <bloomery/detail/owned.hpp>
#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/detail/receipt.hpp>
#include <bloomery/detail/sync/fork_watch.hpp>
#include <bloomery/detail/sync/platform.hpp>
#include <bloomery/detail/sync/stripe_locks.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
inline namespace BLOOMERY_BY_ISA {

template <class F>
class rebuild_attempt;

template <class F>
struct numbered_filter {
  explicit numbered_filter(F&& f) noexcept : filter(std::move(f)) {}

  F filter;
  std::uint64_t number = 1;
  // The same for all generations with the keys of one store: a rebuild keeps it, swap and
  // clear do not.  For receipts.
  std::uint64_t lineage = 1;
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
};

// A filter of no keys, for keys of the same hasher; where the kind has such, of exactly
// the same shape.
template <class F>
result<F> without_keys(const F& like) noexcept {
  if constexpr (resettable<F>) {
    return like.empty_like();
  } else {
    typename F::params p;
    p.hasher = like.hasher();
    return F::build(std::span<const key>(), p);
  }
}

// F: a concurrent filter (concurrent.hpp), or one that is only built, without inserts.
// What is looked up and inserted, `k`, is whatever F takes: a key, a string_view, or a
// span of either.
template <class F>
class generations {
  using line = succession<numbered_filter<F>, thread_counts<>>;
  using slots = typename line::slots;
  static constexpr std::size_t stripes = 1024;

 public:
  using generation = typename line::member;
  using pin = typename line::pin;
  using lasting_pin = typename slots::lasting_pin;

  // Errors: out_of_memory.
  static result<owned<generations>> make(F first, const live_options& o) noexcept {
    auto readers = slots::make(o.threads);
    if (!readers) return readers.error();
    auto locks = stripe_locks<>::make(stripes);
    if (!locks) return locks.error();
    owned<generation> one(new (std::nothrow) generation(std::move(first)));
    owned<generations> made;
    if (one != nullptr)
      made.reset(new (std::nothrow)
                     generations(one.get(), o, *std::move(readers), *std::move(locks)));
    if (made == nullptr) return error{errc::out_of_memory, "no memory for a live filter"};
    one.release();  // `made` owns it
    return made;
  }
  generations(const generations&) = delete;
  // REQUIRES: nobody uses it
  ~generations() { delete &line_.serving(); }

  // --- any thread: no lock, no retry ---
  template <class K>
  BLOOMERY_INLINE bool may_contain(K k) const noexcept {
    return line_.readers().visit(
        [&](thread_counts<>& counts) noexcept {
          const bool maybe = serving().may_contain(k);
          // A negative answer needs no count: it is a visit without a positive one.
          if (maybe && count_) counts.add(count_of::maybes, 1, false);
          return maybe;
        },
        [&]() noexcept { return may_contain_pinned(k); });
  }
  template <class Ks>
  void may_contain(Ks ks, std::span<bool> out) const noexcept {
    detail::require_answers(ks.size(), out.size());
    if (killed()) {
      std::ranges::fill(out, true);
      return;
    }
    const pin here(line_.readers());
    ask(here, ks, out);
  }
  // For a thread that is pinned already.  The pointer is loaded anew each time: one kept
  // since the pin would not know what was inserted after a swap.
  template <class K>
  BLOOMERY_INLINE bool ask(const pin& here, K k) const noexcept {
    const bool maybe = serving().may_contain(k);
    count_lookups(here, 1, maybe);
    return maybe;
  }
  template <class Ks>
  void ask(const pin& here, Ks ks, std::span<bool> out) const noexcept {
    detail::require_answers(ks.size(), out.size());
    serving().may_contain(ks, out);
    if (count_) count_lookups(here, out.size(), count_true(out));
  }

  template <class K>
  [[gnu::noinline]] bool may_contain_pinned(K k) const noexcept {
    if (killed()) return true;
    const pin here(line_.readers());
    return ask(here, k);
  }

  // `keys`: how many are in k.
  template <class K>
  BLOOMERY_INLINE void insert(K k, std::uint64_t keys) noexcept {
    const pin here(line_.readers());
    generation& g = line_.serving();
    g.value.filter.insert(k);
    insert_in_next(g, k);
    if (count_) here.extra().add(count_of::inserted, keys, here.is_shared());
  }

  // For filters that may refuse a key.  Into both, or into none: if the generation that
  // is to follow has no room, its rebuild is stopped; if it is too late for that, the key
  // is refused.  Errors: those of F.
  result<void> try_insert(key k) noexcept {
    std::uint64_t lineage;
    return try_insert(k, lineage);
  }
  result<void> try_insert(key k, std::uint64_t& lineage) noexcept {
    const pin here(line_.readers());
    generation& g = line_.serving();
    lineage = g.value.lineage;
    if (auto ok = g.value.filter.try_insert(k); !ok) return ok;
    if (generation* const next = g.next())
      if (auto ok = next->value.filter.try_insert(k); !ok && is_taking_over()) {
        (void)g.value.filter.erase_present(k);
        return ok;
      }
    if (count_) here.extra().add(count_of::inserted, 1, here.is_shared());
    return {};
  }

  // Refused while a rebuild runs: whether its source has delivered the key, or will, is
  // unknown, so it cannot be erased from the generation that is to follow.  One that does
  // not find that generation ends before the source is first read (succession.hpp).
  // Errors: invalid_argument (a rebuild runs), those of F; nothing has changed.
  result<void> erase_present(key k) noexcept {
    const pin here(line_.readers());
    return erase_from(line_.serving(), k);
  }
  // scope(lineage): of the receipts.  Errors: incompatible as well.
  template <class Scope>
  result<void> erase(receipt&& r, const hasher& h, Scope scope) noexcept {
    const pin here(line_.readers());
    generation& g = line_.serving();
    const auto k = r.key_for(h, scope(g.value.lineage));
    if (!k) return k.error();
    auto erased = erase_from(g, *k);
    if (erased) r.use_up();
    return erased;
  }

  // True to at most one of the threads that insert the same key, and to one unless it
  // tested positive.  Blocks for the nanoseconds in which another inserts a key of the
  // same stripe.
  template <class K>
  bool insert_if_absent(K k, std::uint64_t stripe) noexcept {
    const pin here(line_.readers());
    const stripe_guard held(locks_.of(stripe));
    // Loaded under the lock: a later caller, also of the next generation, finds the key
    // in it.
    generation& g = line_.serving();
    const bool absent = g.value.filter.insert_and_test(k);
    insert_in_next(g, k);  // a key that is in this one by chance is not in that one
    if (count_) here.extra().add(count_of::inserted, absent, here.is_shared());
    if (killed()) return false;
    count_lookups(here, 1, !absent);
    return absent;
  }

  void confirm(bool present) noexcept {
    const pin here(line_.readers());
    here.extra().add(present ? count_of::confirmed_present : count_of::confirmed_absent,
                     1, here.is_shared());
  }

  void count_lookups(const pin& here, std::uint64_t lookups,
                     std::uint64_t maybes) const noexcept {
    if (!count_) return;
    here.extra().add(count_of::maybes, maybes, here.is_shared());
    here.extra().add(count_of::lookups, lookups, here.is_shared());
  }

  const slots& readers() const noexcept { return line_.readers(); }
  // REQUIRES: this thread is pinned; until it lets go
  BLOOMERY_INLINE const F& serving() const noexcept {
    return line_.serving().value.filter;
  }

  // --- the kill switch: any thread, at once, in every state ---
  // Lookups that do not visit look whether they are closed.
  void kill() noexcept { line_.readers().close_visits(); }
  void revive() noexcept { line_.readers().open_visits(); }
  BLOOMERY_INLINE bool killed() const noexcept {
    return line_.readers().visits_are_closed();
  }

  // --- another generation: one thread at a time ---
  // Errors: invalid_argument (this thread reads; a rebuild runs), out_of_memory.  Then
  // `next` is as it was.
  result<F> swap(F&& next) noexcept {
    if (line_.readers().pinned_here()) return would_deadlock();
    const stripe_guard one_at_a_time(changing_);
    return swap_alone(std::move(next));
  }

  // Swaps with an empty one, of exactly the same shape unless the kind is only built.
  // Errors: as swap.
  result<void> clear() noexcept {
    if (line_.readers().pinned_here()) return would_deadlock();
    // Held all the time: what the new one is like is what it replaces.
    const stripe_guard one_at_a_time(changing_);
    if (line_.phase() != rebuild_phase::idle) return rebuild_is_running();
    auto empty = without_keys(line_.serving().value.filter);
    if (!empty) return empty.error();
    if (auto old = swap_alone(*std::move(empty)); !old) return old.error();
    return {};
  }

  // True: the rebuild that was running ends at the next batch, and nobody writes to its
  // generation from now on.  Waits for nobody.
  bool stop_rebuild() noexcept { return line_.stop(); }

  live_status status() const noexcept {
    live_status s;
    s.name = name_;
    s.killed = killed();
    s.rebuild = log_.status(line_.phase());
    if (count_) s.counts = sum_counts(line_.readers(), max_negatives_);
    const pin here(line_.readers());
    const numbered_filter<F>& now = line_.serving().value;
    s.generation = now.number;
    s.age = std::chrono::steady_clock::now() - now.since;
    s.size_in_bytes = now.filter.size_in_bytes();
    s.capacity = now.filter.capacity();
    return s;
  }

 private:
  friend class rebuild_attempt<F>;

  generations(generation* first, const live_options& o, slots readers,
              stripe_locks<> locks) noexcept
      : line_(first, std::move(readers)),
        count_(o.count),
        locks_(std::move(locks)),
        name_(o.name) {}

  // REQUIRES: changing_ is held
  result<F> swap_alone(F&& next) noexcept {
    if (line_.phase() != rebuild_phase::idle) return rebuild_is_running();
    owned<generation> made(new (std::nothrow) generation(std::move(next)));
    if (made == nullptr)
      return error{errc::out_of_memory, "no memory for another generation"};
    made->value.lineage = line_.serving().value.lineage + 1;
    return std::move(publish(std::move(made))->value.filter);
  }

  static error rebuild_is_running() noexcept {
    return {errc::invalid_argument, "a rebuild is running"};
  }
  static error would_deadlock() noexcept {
    return {errc::invalid_argument, "this thread reads, and would wait for itself"};
  }

  void mend_after_fork() noexcept {
    changing_.mend();
    log_.mend_after_fork();
    drop_rebuild_after_fork();
  }
  void drop_rebuild_after_fork() noexcept {
    if (line_.phase() == rebuild_phase::idle ||
        rebuilder_ == this_platform::thread_identity())
      return;
    delete line_.drop_after_fork();
    if (line_.serving().value.number != rebuilt_from_)
      log_.end_after_fork({});
    else
      log_.end_after_fork(
          error{errc::invalid_argument, "it ran in the parent of this process"});
  }

  static result<void> erase_from(generation& g, key k) noexcept {
    if (g.next() != nullptr) return rebuild_is_running();
    return g.value.filter.erase_present(k);
  }
  // A key does not fit into the generation that is to follow.  False: it will not follow.
  // REQUIRES: this thread is pinned, and found that generation: then it stays the phase
  bool is_taking_over() noexcept {
    line_.stop();
    return line_.phase() == rebuild_phase::swapping;
  }

  template <class K>
  BLOOMERY_INLINE static void insert_in_next(generation& g, K k) noexcept {
    if (generation* const next = g.next()) next->value.filter.insert(k);
  }

  // The one that served, when nobody is in it any more.
  owned<generation> publish(owned<generation> next) noexcept {
    next->value.number = line_.serving().value.number + 1;
    next->value.since = std::chrono::steady_clock::now();
    return owned<generation>(line_.take_over(*next.release()));
  }

  // All that a lookup reads of this object, in one line.
  alignas(64) line line_;
  bool count_;
  stripe_locks<> locks_;

  // Held to begin a rebuild, or to swap.  No std::mutex, which the child of a fork could
  // find locked forever.
  alignas(64) stripe_lock<> changing_;
  const void* rebuilder_ = nullptr;  // the thread that ran the last rebuild, or runs it
  std::uint64_t rebuilt_from_ = 0;   // the generation that served when it began
  rebuild_log log_;
  mutable std::atomic<std::uint64_t> max_negatives_{0};
  const char* name_;

  struct watch : fork_watch {
    explicit watch(generations& g) noexcept : fork_watch(mend), all(g) {}
    static void mend(fork_watch& w, const fork_survivor&) noexcept {
      static_cast<watch&>(w).all.mend_after_fork();
    }
    generations& all;
  } watch_{*this};
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
