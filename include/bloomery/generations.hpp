// The filter that serves, and how another takes its place while all threads go on.
//
// What live_filter and rekeyable_filter share; users hold one of these.  A lookup pins
// its thread's slot (reader_slots.hpp), loads one pointer, asks, unpins.  An insert does
// the same and, while a rebuild runs, writes to the generation that is to follow as well.
//
// Why no key is lost in a rebuild: see rebuild.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <utility>

#include <bloomery/block_bits.hpp>
#include <bloomery/live_status.hpp>
#include <bloomery/reader_slots.hpp>
#include <bloomery/rebuild_log.hpp>
#include <bloomery/result.hpp>
#include <bloomery/stripe_locks.hpp>
#include <bloomery/thread_counts.hpp>

namespace bloomery::inline v1 {

template <class F>
struct generation {
  explicit generation(F&& f) noexcept : filter(std::move(f)) {}

  F filter;
  // Every insert goes there, too: the one that a rebuild fills.  Stays when that one
  // begins to serve, for the inserts that are still in here.
  std::atomic<generation*> next{nullptr};
};

template <class F>
class rebuild_attempt;

// F: a concurrent filter (concurrent.hpp).  What is asked and inserted, `k`, is all that
// F takes: a key, a string_view, or a span of either.
template <class F>
class generations {
  using slots = reader_slots<thread_counts<>>;
  static constexpr std::size_t stripes = 1024;

 public:
  using pin = typename slots::pin;

  // Errors: out_of_memory.
  static result<std::unique_ptr<generations>> make(F first,
                                                   const live_options& o) noexcept {
    auto readers = slots::make(o.threads);
    if (!readers) return readers.error();
    auto locks = stripe_locks<>::make(stripes);
    if (!locks) return locks.error();
    std::unique_ptr<generation<F>> one(new (std::nothrow)
                                           generation<F>(std::move(first)));
    std::unique_ptr<generations> made;
    if (one != nullptr)
      made.reset(new (std::nothrow)
                     generations(one.get(), o, *std::move(readers), *std::move(locks)));
    if (made == nullptr) return error{errc::out_of_memory, "no memory for a live filter"};
    one.release();  // `made` owns it
    return made;
  }
  generations(const generations&) = delete;
  // REQUIRES: nobody uses it
  ~generations() { delete serving_.load(std::memory_order_relaxed); }

  // --- any thread: no lock, no retry ----------------------------------------------
  template <class K>
  BLOOMERY_INLINE bool may_contain(K k) const noexcept {
    if (killed()) return true;
    const pin here(slots_);
    return ask(here, k);
  }
  template <class Ks>
  void may_contain(Ks ks, std::span<bool> out) const noexcept {
    if (killed()) {
      std::ranges::fill(out, true);
      return;
    }
    const pin here(slots_);
    ask(here, ks, out);
  }
  // For a thread that is pinned already.  The pointer is loaded anew each time: one kept
  // since the pin would not know what was inserted after a swap.
  template <class K>
  BLOOMERY_INLINE bool ask(const pin& here, K k) const noexcept {
    const bool maybe = serving().filter.may_contain(k);
    if (count_)
      here.extra().add(maybe ? count_of::maybes : count_of::negatives, 1,
                       here.is_shared());
    return maybe;
  }
  template <class Ks>
  void ask(const pin& here, Ks ks, std::span<bool> out) const noexcept {
    serving().filter.may_contain(ks, out);
    if (!count_) return;
    const auto maybes = static_cast<std::uint64_t>(std::ranges::count(out, true));
    here.extra().add(count_of::maybes, maybes, here.is_shared());
    here.extra().add(count_of::negatives, out.size() - maybes, here.is_shared());
  }

  // `keys`: how many are in k.
  template <class K>
  BLOOMERY_INLINE void insert(K k, std::uint64_t keys) noexcept {
    const pin here(slots_);
    generation<F>& g = serving();
    g.filter.insert(k);
    insert_in_next(g, k);
    if (count_) here.extra().add(count_of::inserted, keys, here.is_shared());
  }

  // True to at most one of the threads that insert the same key, and to one unless it
  // tested positive.  Blocks for the nanoseconds in which another inserts a key of the
  // same stripe.
  template <class K>
  bool insert_if_absent(K k, std::uint64_t stripe) noexcept {
    const pin here(slots_);
    const stripe_guard held(locks_.of(stripe));
    // Loaded under the lock: who comes after, perhaps to the next generation, finds
    // the key in it.
    generation<F>& g = serving();
    const bool absent = g.filter.insert_and_test(k);
    insert_in_next(g, k);  // a key that is in this one by chance is not in that one
    if (count_) {
      here.extra().add(absent ? count_of::negatives : count_of::maybes, 1,
                       here.is_shared());
      here.extra().add(count_of::inserted, absent, here.is_shared());
    }
    return absent && !killed();
  }

  void confirm(bool present) noexcept {
    const pin here(slots_);
    here.extra().add(present ? count_of::confirmed_present : count_of::confirmed_absent,
                     1, here.is_shared());
  }

  const slots& readers() const noexcept { return slots_; }
  // REQUIRES: this thread is pinned; until it lets go
  BLOOMERY_INLINE generation<F>& serving() const noexcept {
    return *serving_.load(slots::load_order);
  }

  // --- the kill switch: any thread, at once, in every state -------------------------
  void kill() noexcept { killed_.store(true, std::memory_order_relaxed); }
  void revive() noexcept { killed_.store(false, std::memory_order_relaxed); }
  BLOOMERY_INLINE bool killed() const noexcept {
    return killed_.load(std::memory_order_relaxed);
  }

  // --- another generation: one thread at a time -------------------------------------
  // Errors: invalid_argument (this thread reads; a rebuild runs), out_of_memory.  Then
  // `next` is as it was.
  result<F> swap(F&& next) noexcept {
    if (slots_.pinned_here()) return would_wait_for_itself();
    const std::lock_guard one_at_a_time(changing_);
    if (log_.running()) return error{errc::invalid_argument, "a rebuild is running"};
    std::unique_ptr<generation<F>> made(new (std::nothrow)
                                            generation<F>(std::move(next)));
    if (made == nullptr)
      return error{errc::out_of_memory, "no memory for another generation"};
    return std::move(publish(std::move(made))->filter);
  }

  // Swaps with an empty one of exactly the same shape: a copy, cleared.
  // Errors: as swap.
  result<void> clear() noexcept {
    auto copy = [&] {
      const pin here(slots_);
      return serving().filter.snapshot();
    }();
    if (!copy) return copy.error();
    copy->clear();
    auto empty = F::adopt(*std::move(copy));
    if (!empty) return empty.error();
    if (auto old = swap(*std::move(empty)); !old) return old.error();
    return {};
  }

  // True: the rebuild that was running ends at the next batch, and nobody writes to its
  // generation from now on.  Waits for nobody.
  bool stop_rebuild() noexcept {
    // Pinned before the stop: what is stopped cannot end, and another begin, before the
    // pointer below is gone.
    const pin here(slots_);
    if (!log_.stop()) return false;
    serving().next.exchange(nullptr, slots::replace_order);
    return true;
  }

  live_status status() const noexcept {
    live_status s;
    s.name = name_;
    s.generation = number_.load(std::memory_order_relaxed);
    s.age = std::chrono::nanoseconds(now() - since_.load(std::memory_order_relaxed));
    s.killed = killed();
    s.rebuild = log_.status();
    s.counts = sum_counts(slots_);
    const pin here(slots_);
    s.size_in_bytes = serving().filter.size_in_bytes();
    s.capacity = serving().filter.capacity();
    return s;
  }

 private:
  friend class rebuild_attempt<F>;

  generations(generation<F>* first, const live_options& o, slots readers,
              stripe_locks<> locks) noexcept
      : serving_(first),
        count_(o.count),
        slots_(std::move(readers)),
        locks_(std::move(locks)),
        name_(o.name) {}

  static std::int64_t now() noexcept {
    const auto t = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(t).count();
  }
  static error would_wait_for_itself() noexcept {
    return {errc::invalid_argument, "this thread reads, and would wait for itself"};
  }

  template <class K>
  BLOOMERY_INLINE static void insert_in_next(generation<F>& g, K k) noexcept {
    if (generation<F>* const next = g.next.load(slots::load_order))
      next->filter.insert(k);
  }

  // The one that served, when nobody is in it any more.
  std::unique_ptr<generation<F>> publish(std::unique_ptr<generation<F>> next) noexcept {
    generation<F>* const old = serving_.exchange(next.release(), slots::replace_order);
    number_.fetch_add(1, std::memory_order_relaxed);
    since_.store(now(), std::memory_order_relaxed);
    slots_.wait_for_readers();
    return std::unique_ptr<generation<F>>(old);
  }

  // All that a lookup reads of this object, in one line.
  alignas(64) std::atomic<generation<F>*> serving_;
  std::atomic<bool> killed_{false};
  bool count_;
  slots slots_;
  stripe_locks<> locks_;

  alignas(64) std::mutex changing_;  // who begins a rebuild, or swaps
  rebuild_log log_;
  std::atomic<std::uint64_t> number_{1};
  std::atomic<std::int64_t> since_{now()};
  const char* name_;
};

}  // namespace bloomery::inline v1
