// "Was it seen lately?": a sliding-window filter over the last epochs.
//
// An epoch is a number the caller counts: hours, offsets of a log, versions.  A key that
// was inserted in epoch e is found in each epoch from e to e + retention, and not
// afterwards, except for false positives.  No clock is used: replicas that see the same
// epochs and keys hold the same bits for each epoch, whatever the order.
//
//   auto seen = window_filter<concurrent<block_bloom>>::make(
//       {.params = {.keys = a_day}, .retention = 6});
//   seen->advance(today);  seen->insert("alice");  seen->may_contain("bob");
//
// Cost: one filter for each epoch of the window and one to spare, all made at once;
// nothing is allocated later.  A lookup queries retention + 1 filters, newest first,
// until one answers "possibly present": the rates add up, so set params.fpr to your
// target divided by retention + 1.
// Progress: lookups and inserts take no lock and do not retry, except late inserts into
// an epoch that advance() has just skipped: they wait while it is made ready.
// Thread safety: everything may be called by any thread at any time, except move and
// destruction.
// Fork: as live_filter.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/live/thread_counts.hpp>
#include <bloomery/detail/live/window_roster.hpp>
#include <bloomery/detail/owned.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/detail/sync/platform.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
inline namespace BLOOMERY_BY_ISA {

// Options of a window.
template <class Params>
struct window_options {
  Params params;                // of each epoch
  std::uint64_t retention = 1;  // epochs after its own in which a key is found
  std::uint64_t first_epoch = 0;
  unsigned threads = 128;  // with their own slot: see live_options
  bool count = true;
};

// The figures of a window at one moment.
struct window_status {
  std::uint64_t epoch = 0;
  std::uint64_t retention = 0;
  bool killed = false;
  counted counts;
  std::size_t size_in_bytes = 0;  // of all filters
};

template <class F>
class window_filter;

// The form whose keys are integers, where F has one.
template <class F>
struct window_integers {};
template <detail::typed_by_source F>
struct window_integers<F> {
  using integers = window_filter<typename F::integers>;
};

// F: concurrent<X>.
template <class F>
class window_filter : public window_integers<F>,
                      public key_lookups<window_filter<F>>,
                      public key_inserts<window_filter<F>> {
 public:
  using params = typename F::params;
  using plain = typename F::plain;
  using options = window_options<params>;

  // Errors: too_large (more than max_retention), out_of_memory, those of F::make.
  static result<window_filter> make(const options& o) noexcept {
    auto made = window_roster<F>::make(o.params, o.retention, o.first_epoch, o.threads);
    if (!made) return made.error();
    return window_filter(*std::move(made), o.count);
  }

  // --- lookups ---
  bool may_contain(key k) const noexcept {
    if (killed()) return true;
    const auto now = roster_->read();
    const bool maybe = std::ranges::any_of(
        now->filters(), [&](const F* f) { return f != nullptr && f->may_contain(k); });
    count(now, maybe, !maybe);
    return maybe;
  }
  bool may_contain(std::string_view bytes) const noexcept {
    return may_contain(hash(bytes));
  }
  // Integers, bytes, and ranges of keys: key_types.hpp.
  using key_inserts<window_filter>::insert;
  using key_lookups<window_filter>::hash;
  using key_lookups<window_filter>::may_contain;

  // REQUIRES: out.size() == ks.size()
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    detail::require_answers(ks.size(), out.size());
    if (killed()) {
      std::ranges::fill(out, true);
      return;
    }
    const auto now = roster_->read();
    std::size_t maybes = 0;
    for (std::size_t at = 0; at < ks.size(); at += batch) {
      const std::size_t n = std::min(batch, ks.size() - at);
      maybes += now->may_contain(ks.subspan(at, n), out.subspan(at, n));
    }
    count(now, maybes, ks.size() - maybes);
  }
  void may_contain(std::span<const std::string_view> keys,
                   std::span<bool> out) const noexcept {
    detail::require_answers(keys.size(), out.size());
    hashed(keys, [&](std::span<const key> ks, std::size_t at) {
      may_contain(ks, out.subspan(at, ks.size()));
    });
  }

  // --- inserts, in the present epoch ---
  void insert(key k) noexcept { insert_now(k, 1); }
  void insert(std::string_view bytes) noexcept { insert(hash(bytes)); }
  void insert(std::span<const key> ks) noexcept { insert_now(ks, ks.size()); }
  void insert(std::span<const std::string_view> keys) noexcept {
    insert_now(keys, keys.size());
  }

  // Late keys, into the epoch they belong to.
  // Errors: invalid_argument (older than the window, or yet to come).
  result<void> insert_at(key k, std::uint64_t epoch) noexcept {
    return insert_then(k, 1, epoch);
  }
  result<void> insert_at(std::string_view bytes, std::uint64_t epoch) noexcept {
    return insert_at(hash(bytes), epoch);
  }
  result<void> insert_at(std::nullptr_t, std::uint64_t) = delete;
  result<void> insert_at(std::span<const key> ks, std::uint64_t epoch) noexcept {
    return insert_then(ks, ks.size(), epoch);
  }
  result<void> insert_at(std::span<const std::string_view> keys,
                         std::uint64_t epoch) noexcept {
    return insert_then(keys, keys.size(), epoch);
  }

  // --- epochs ---
  // Makes `epoch` the current one; keys older than the window are gone when this returns.
  // The current epoch again changes nothing.  Epochs may be skipped.  Waits for lookups
  // and inserts that are running, and for other calls of it.
  // Errors: invalid_argument (an epoch that has passed).
  result<void> advance(std::uint64_t epoch) noexcept { return roster_->advance(epoch); }

  std::uint64_t epoch() const noexcept { return roster_->read()->epoch; }
  std::uint64_t retention() const noexcept { return roster_->retention(); }

  // The filter of one epoch, as concurrent::snapshot: to ship it, or to compare replicas.
  // Errors: invalid_argument (not in the window), out_of_memory.
  result<plain> snapshot(std::uint64_t epoch) const noexcept {
    result<plain> copy = error{errc::invalid_argument, "no such epoch"};
    const auto found = in(epoch, [&](const auto&, const F& f) { copy = f.snapshot(); });
    if (!found) return found.error();
    return copy;
  }

  // --- the kill switch, as in live_filter ---
  void kill() noexcept { roster_->killed.store(true, std::memory_order_relaxed); }
  void revive() noexcept { roster_->killed.store(false, std::memory_order_relaxed); }
  bool killed() const noexcept { return roster_->killed.load(std::memory_order_relaxed); }

  // --- properties ---
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

  // The rate of the whole window: 1 - the product of (1 - rate) over its epochs.  Reads
  // every bit.
  double realised_fpr() const noexcept {
    const auto now = roster_->read();
    double any = 0;
    for (const F* f : now->filters())
      if (f != nullptr) any += f->realised_fpr() * (1 - any);
    return any;
  }

  // Reports whether a key with a positive answer was in fact present.
  void confirm(key, bool present) noexcept {
    const auto now = roster_->read();
    now.extra().add(present ? count_of::confirmed_present : count_of::confirmed_absent, 1,
                    now.is_shared());
  }
  void confirm(std::string_view bytes, bool present) noexcept {
    confirm(hash(bytes), present);
  }

  window_status status() const noexcept {
    window_status s{epoch(), retention(), killed(), {}, roster_->size_in_bytes()};
    if (count_) s.counts = sum_counts(roster_->readers(), roster_->max_negatives);
    return s;
  }

 private:
  static constexpr std::size_t batch = window_epochs<F>::batch;

  window_filter(owned<window_roster<F>> roster, bool count) noexcept
      : roster_(std::move(roster)), hasher_(roster_->hasher()), count_(count) {}

  template <class Reading>
  void count(const Reading& now, std::uint64_t maybes,
             std::uint64_t negatives) const noexcept {
    if (!count_) return;
    now.extra().add(count_of::maybes, maybes, now.is_shared());
    now.extra().add(count_of::lookups, maybes + negatives, now.is_shared());
  }
  template <class Reading>
  void count_inserted(const Reading& now, std::uint64_t n) const noexcept {
    if (count_) now.extra().add(count_of::inserted, n, now.is_shared());
  }

  template <class K>
  void insert_now(K k, std::uint64_t n) noexcept {
    const auto now = roster_->read();
    now->filters().front()->insert(k);
    count_inserted(now, n);
  }

  template <class K>
  result<void> insert_then(K k, std::uint64_t n, std::uint64_t epoch) noexcept {
    return in(epoch, [&](const auto& now, F& f) {
      f.insert(k);
      count_inserted(now, n);
    });
  }

  // use(reading, filter of the epoch), inside the reading.
  template <class Use>
  result<void> in(std::uint64_t epoch, Use use) const noexcept {
    for (unsigned n = 0;; ++n) {
      {
        const auto now = roster_->read();
        if (epoch > now->epoch)
          return error{errc::invalid_argument, "an epoch that is yet to come", 0,
                       static_cast<double>(epoch), static_cast<double>(now->epoch)};
        const std::uint64_t age = now->epoch - epoch;
        if (age > retention())
          return error{errc::invalid_argument, "an epoch that has left the window", 0,
                       static_cast<double>(epoch),
                       static_cast<double>(now->epoch - retention())};
        if (F* const f = now->filters()[static_cast<std::size_t>(age)]) {
          use(now, *f);
          return {};
        }
      }
      this_platform::back_off(n);  // skipped just now: advance makes it ready
    }
  }

  // use(keys, where they begin), a batch at a time.
  template <class Use>
  void hashed(std::span<const std::string_view> keys, Use use) const noexcept {
    key ks[batch];
    for (std::size_t at = 0; at < keys.size(); at += batch) {
      const std::size_t n = std::min(batch, keys.size() - at);
      hasher_.hash(keys.subspan(at, n), std::span(ks, n));
      use(std::span<const key>(ks, n), at);
    }
  }

  owned<window_roster<F>> roster_;
  bloomery::hasher hasher_;
  bool count_;
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
