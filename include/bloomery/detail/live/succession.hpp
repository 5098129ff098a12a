// One that serves, one that is made ready to follow it, and threads that use both and
// never stop.
//
// The protocol behind rebuilds, without filters: a template over a machine, so that
// tests/interleave runs this code over every interleaving of small programs.
//
//   thread that changes      begin -> announce -> enter(filling) -> enter(checking) ->
//                            enter(swapping) -> take_over -> settle
//                            or at any point but the last: abandon -> settle
//   any thread that writes   pins; writes to serving() and to its `next`, if there is one
//   any thread that reads    pins; asks serving()
//   any thread               stop
#pragma once

#include <atomic>
#include <utility>

#include <bloomery/detail/live/rebuild_phase.hpp>
#include <bloomery/detail/sync/rcu_domain.hpp>

namespace bloomery::inline v1 {

// Extra: what a thread keeps in its slot (rcu_domain.hpp).
template <class T, class Extra, class Platform = this_platform>
class succession {
 public:
  using slots = rcu_domain<Extra, Platform>;
  using pin = typename slots::pin;

  class member {
   public:
    template <class... Args>
    explicit member(Args&&... args) noexcept : value(std::forward<Args>(args)...) {}

    // What is written to as well.  REQUIRES: this thread is pinned
    member* next() const noexcept { return next_.load(slots::load_order); }

    T value;

   private:
    friend class succession;
    typename Platform::template atomic<member*> next_{nullptr};
  };

  succession(member* first, slots readers) noexcept
      : serving_(first), slots_(std::move(readers)) {}

  const slots& readers() const noexcept { return slots_; }
  slots& readers() noexcept { return slots_; }
  // REQUIRES: this thread is pinned, or is the one that changes.  Loaded anew each time:
  // what was loaded before another took over does not know what came after.
  member& serving() const noexcept { return *serving_.load(slots::load_order); }

  rebuild_phase phase() const noexcept { return phase_.load(std::memory_order_acquire); }

  // --- the thread that changes: one at a time, not pinned ---
  void begin() noexcept {
    phase_.store(rebuild_phase::preparing, std::memory_order_release);
  }
  // When it returns every write goes to `next` as well, and those that did not have
  // ended.
  void announce(member& next) noexcept {
    serving().next_.exchange(&next, slots::replace_order);
    slots_.synchronize();
  }
  // False: it was stopped, and stays so.
  bool enter(rebuild_phase next) noexcept {
    rebuild_phase now = phase();
    while (now != rebuild_phase::stopped)
      if (replace_phase(now, next)) return true;
    return false;
  }
  // `next` serves; returns the one before it when nobody uses that any more.  Its `next`
  // stays: writes that began in it must still reach the new one.
  member* take_over(member& next) noexcept {
    member* const old = serving_.exchange(&next, slots::replace_order);
    slots_.synchronize();
    return old;
  }
  // When it returns nobody uses what was announced.  The stop comes first: who stopped it
  // before is pinned, and is waited for here; who comes later finds nothing to stop.  So
  // nobody takes the `next` of a later one away.
  void abandon() noexcept {
    claim_stop();
    serving().next_.exchange(nullptr, slots::replace_order);
    slots_.synchronize();
  }
  void settle() noexcept { phase_.store(rebuild_phase::idle, std::memory_order_release); }

  // --- the child of a fork, if the thread that changed is not the one that is left ---
  // What was announced, which will not serve and nobody uses; null: nothing was.
  member* drop_after_fork() noexcept {
    member* const next = serving().next_.exchange(nullptr, slots::replace_order);
    settle();
    return next;
  }

  // --- any thread, pinned or not ---
  // True to one: what is announced will not serve, and writes that begin after this do
  // not reach it.  False: there is none, another stopped it, or it is taking over.
  bool stop() noexcept {
    const pin here(slots_);  // before the stop: see abandon
    if (!claim_stop()) return false;
    serving().next_.exchange(nullptr, slots::replace_order);
    return true;
  }

 private:
  bool replace_phase(rebuild_phase& seen, rebuild_phase next) noexcept {
    return phase_.compare_exchange_weak(seen, next, std::memory_order_acq_rel,
                                        std::memory_order_acquire);
  }
  bool claim_stop() noexcept {
    rebuild_phase now = phase();
    while (now == rebuild_phase::preparing || now == rebuild_phase::filling ||
           now == rebuild_phase::checking)
      if (replace_phase(now, rebuild_phase::stopped)) return true;
    return false;
  }

  typename Platform::template atomic<member*> serving_;
  slots slots_;
  typename Platform::template atomic<rebuild_phase> phase_{rebuild_phase::idle};
};

}  // namespace bloomery::inline v1
