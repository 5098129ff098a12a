// Which filter holds which epoch of a window, and how the window moves on under load.
//
// Users hold a window_filter.  Readers see one `window_epochs` as a whole: a new one is
// published, everybody leaves the old one, and only then is an expired filter cleared.
//
//   epoch 7, retention 2:   [7: A] [6: B] [5: C]   spare D
//   advance to 8:           [8: D] [7: A] [6: B]   C is cleared when nobody is in it
//   and to 11, a leap:      [11: C] [10: -] [9: -] then [11: C] [10: D] [9: A], spare B
//
// In the child of a fork an advance that another thread was at is brought to its end.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>

#include <bloomery/detail/live/thread_counts.hpp>
#include <bloomery/detail/owned.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/detail/sync/fork_watch.hpp>
#include <bloomery/detail/sync/rcu_ptr.hpp>
#include <bloomery/detail/sync/stripe_locks.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
inline namespace BLOOMERY_BY_ISA {

template <class F>
struct window_epochs {
  static constexpr std::size_t batch = 256;  // what fits on the stack of a lookup

  std::uint64_t epoch = 0;
  owned<F*[]> of;
  std::size_t count = 0;

  // Newest first; null: skipped just now, and nothing is in it.
  std::span<F* const> filters() const noexcept { return {of.get(), count}; }

  // How many may be in it.  Each filter is queried for the keys that no newer one has.
  // REQUIRES: at most `batch` keys, out.size() == ks.size()
  std::size_t may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    key left[batch];
    std::size_t place[batch];
    bool found[batch];
    std::size_t n = ks.size();
    for (std::size_t i = 0; i < n; ++i) left[i] = ks[i], place[i] = i, out[i] = false;
    for (const F* f : filters()) {
      if (f == nullptr) continue;
      f->may_contain(std::span<const key>(left, n), std::span(found, n));
      std::size_t rest = 0;
      for (std::size_t i = 0; i < n; ++i) {
        out[place[i]] = found[i];
        left[rest] = left[i], place[rest] = place[i];
        rest += !found[i];
      }
      n = rest;
    }
    return ks.size() - n;
  }
};

template <class F>
class window_roster {
  using epochs_ptr = rcu_ptr<window_epochs<F>, thread_counts<>>;

 public:
  static constexpr std::uint64_t max_retention = 65'535;

  // Errors: too_large, out_of_memory, those of F::make.
  static result<owned<window_roster>> make(const typename F::params& p,
                                           std::uint64_t retention,
                                           std::uint64_t first_epoch,
                                           unsigned threads) noexcept {
    if (retention > max_retention)
      return error{errc::too_large, "so many epochs in one window", 0,
                   static_cast<double>(retention), static_cast<double>(max_retention)};
    auto readers = epochs_ptr::make(nullptr, threads);
    if (!readers) return readers.error();
    owned<window_roster> made(new (std::nothrow) window_roster(*std::move(readers)));
    if (made == nullptr || !made->take_memory(static_cast<std::size_t>(retention)))
      return error{errc::out_of_memory, "no memory for a window"};
    if (auto ok = made->fill(p, first_epoch); !ok) return ok.error();
    return made;
  }

  typename epochs_ptr::reading read() const noexcept { return now_.read(); }
  const typename epochs_ptr::slots& readers() const noexcept { return now_.readers(); }

  result<void> advance(std::uint64_t to) noexcept {
    const stripe_guard one_at_a_time(advancing_);
    const window_epochs<F>& old = *now_.current();
    if (to < old.epoch)
      return error{errc::invalid_argument, "epochs do not go back", 0,
                   static_cast<double>(to), static_cast<double>(old.epoch)};
    if (to == old.epoch) return {};

    const std::size_t step =
        static_cast<std::size_t>(std::min<std::uint64_t>(to - old.epoch, count_));
    window_epochs<F>& next = other_than(old);
    next.epoch = to;
    for (std::size_t age = 0; age < count_; ++age)
      next.of[age] = age < step ? nullptr : old.of[age - step];
    next.of[0] = spare_;
    std::copy_n(old.of.get() + (count_ - step), step, expired_.get());
    now_.replace(&next);

    for (std::size_t i = 0; i < step; ++i) expired_[i]->clear();
    spare_ = expired_[step - 1];
    if (step > 1) give_filters_to_skipped(next, step);
    return {};
  }

  std::uint64_t retention() const noexcept { return count_ - 1; }
  bloomery::hasher hasher() const noexcept { return filters_[0]->hasher(); }
  std::size_t size_in_bytes() const noexcept {
    return (count_ + 1) * filters_[0]->size_in_bytes();  // all are made alike
  }

  // In the line that lookups read anyway.
  alignas(64) std::atomic<bool> killed{false};
  std::atomic<std::uint64_t> max_negatives{0};  // thread_counts.hpp

 private:
  explicit window_roster(epochs_ptr now) noexcept : now_(std::move(now)) {}

  bool take_memory(std::size_t retention) noexcept {
    count_ = retention + 1;
    filters_.reset(new (std::nothrow) owned<F>[count_ + 1]);
    expired_.reset(new (std::nothrow) F* [count_] {});
    for (auto& e : epochs_) {
      e.of.reset(new (std::nothrow) F* [count_] {});
      e.count = count_;
    }
    return filters_ && expired_ && epochs_[0].of && epochs_[1].of;
  }

  result<void> fill(const typename F::params& p, std::uint64_t first_epoch) noexcept {
    for (std::size_t i = 0; i <= count_; ++i) {
      auto f = F::make(p);
      if (!f) return f.error();
      filters_[i].reset(new (std::nothrow) F(*std::move(f)));
      if (filters_[i] == nullptr)
        return error{errc::out_of_memory, "no memory for a window"};
      if (i < count_) epochs_[0].of[i] = filters_[i].get();
    }
    spare_ = filters_[count_].get();
    epochs_[0].epoch = first_epoch;
    now_.replace(&epochs_[0]);
    return {};
  }

  window_epochs<F>& other_than(const window_epochs<F>& one) noexcept {
    return epochs_[&one == &epochs_[0] ? 1 : 0];
  }

  // The epochs 1 .. step - 1 before `now` have none, and that many were cleared beside
  // the spare one.
  void give_filters_to_skipped(const window_epochs<F>& now, std::size_t step) noexcept {
    window_epochs<F>& whole = other_than(now);  // nobody reads it any more
    whole.epoch = now.epoch;
    std::copy_n(now.of.get(), count_, whole.of.get());
    std::copy_n(expired_.get(), step - 1, whole.of.get() + 1);
    now_.replace(&whole);
  }

  // From what is published alone, which is never half of anything: the filters that it
  // lacks are of no epoch, and as many as the epochs without a filter and one.
  void finish_advance_after_fork() noexcept {
    if (!advancing_.mend()) return;
    const std::span<F*> all(now_.current()->of.get(), count_);
    std::size_t age = 0;
    for (std::size_t i = 0; i <= count_; ++i) {
      F* const f = filters_[i].get();
      if (std::ranges::find(all, f) != all.end()) continue;
      f->clear();
      while (age < count_ && all[age] != nullptr) ++age;
      (age < count_ ? all[age] : spare_) = f;
    }
  }

  epochs_ptr now_;
  stripe_lock<> advancing_;     // no std::mutex: as generations.hpp
  window_epochs<F> epochs_[2];  // the one that is read, and the one before or after it
  F* spare_ = nullptr;          // empty
  owned<F*[]> expired_;
  std::size_t count_ = 0;      // of epochs in the window
  owned<owned<F>[]> filters_;  // one more than that

  struct watch : fork_watch {
    explicit watch(window_roster& r) noexcept : fork_watch(mend), roster(r) {}
    static void mend(fork_watch& w, const fork_survivor&) noexcept {
      static_cast<watch&>(w).roster.finish_advance_after_fork();
    }
    window_roster& roster;
  } watch_{*this};
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
