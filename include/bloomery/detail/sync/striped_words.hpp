// The words of a filter in stripes that each have a version, and copies of one moment.
//
// Pieces: which words a stripe is made of.
//   for_each(s, use)   use(first, count) for each sequence of words of stripe s
//
// copy   Each stripe is copied by the thread that takes the copy, or before that by the
//        first writer that is about to change it.  Threads that changed a stripe before
//        that belong to the copy with all they did under the locks they held; no others
//        do.
//
// Proof: tests/interleave runs this code over every interleaving of small programs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/sync/mended_array.hpp>
#include <bloomery/detail/sync/platform.hpp>
#include <bloomery/detail/sync/stripe_locks.hpp>
#include <bloomery/detail/sync/version_stripe.hpp>

namespace bloomery::inline v1 {

template <class Words, class Platform, class Pieces>
class striped_words {
 public:
  using stripe = version_stripe<Platform>;

  // Answers after the last attempt so far.
  std::uint64_t given_up() const noexcept {
    return control_[0].given_up.load(std::memory_order_relaxed);
  }
  void give_up() const noexcept {
    control_[0].given_up.fetch_add(1, std::memory_order_relaxed);
  }

  // The words of one moment during the call.  Has all that happens-before it.  Blocks no
  // reader; a writer waits while the stripe it needs is copied.  One at a time.
  // False: a stripe is torn (version_stripe.hpp); the copy is of no use.
  bool copy(typename Words::copied to) const noexcept {
    control& c = control_[0];
    const stripe_guard one_at_a_time(c.copying);
    c.to.set(to);
    c.epoch.store(c.epoch.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    const std::uint64_t now = c.epoch.load(std::memory_order_relaxed);
    bool whole = true;
    for (std::size_t s = 0; s < count_; ++s) {
      if (!stripes_[s].lock()) {
        whole = false;
        continue;  // the others, so that nobody writes to `to` when it is gone
      }
      keep(s, now);
      stripes_[s].unlock_unchanged();
    }
    return whole;
  }

  std::size_t stripe_count() const noexcept { return count_; }
  const Words& words() const noexcept { return words_; }

 protected:
  // The copy that a stripe was last kept for.
  using mark = typename Platform::template plain<std::uint64_t>;

  struct alignas(64) control {
    stripe_lock<Platform> copying;
    typename Platform::template plain<typename Words::copied> to{};
    typename Platform::template atomic<std::uint64_t> epoch{0};  // copies begun
    typename Platform::template atomic<std::uint64_t> given_up{0};

    // A copy that another thread was making is not finished; its memory stays.
    static void mend(std::span<control> all, const fork_survivor&) noexcept {
      all[0].copying.mend();
    }
  };

  explicit striped_words(Words all) noexcept : words_(std::move(all)) {}

  // False: no memory for them.  `mend`: what becomes, in the child of a fork, of stripes
  // that were held.
  bool make_stripes(std::size_t count, Pieces pieces,
                    typename mended_array<stripe, Platform>::mender mend) noexcept {
    count_ = count;
    pieces_ = pieces;
    stripes_ = {count_, mend};
    marks_ = {count_, [](std::span<mark>, const fork_survivor&) noexcept {}};
    control_ = {1, control::mend};
    return !stripes_.empty() && !marks_.empty() && !control_.empty();
  }

  // Copies begun.  A writer reads it once, when it has all its locks: who comes after the
  // copying thread in any of them knows of the copy; who does not know of it is before
  // the copying thread in all of them.
  std::uint64_t epoch() const noexcept {
    return control_[0].epoch.load(std::memory_order_acquire);
  }
  // Before stripe s is changed: copy number `now` gets it as it is.
  // REQUIRES: the lock of s
  void keep(std::size_t s, std::uint64_t now) const noexcept {
    if (marks_[s].get() == now) return;
    pieces_.for_each(s, [&](std::uint64_t first, std::uint64_t count) noexcept {
      words_.copy(control_[0].to.get(), first, count);
    });
    marks_[s].set(now);
  }

  Words words_;
  Pieces pieces_{};
  std::size_t count_ = 0;
  mended_array<stripe, Platform> stripes_;
  mended_array<mark, Platform> marks_;
  mended_array<control, Platform> control_;
};

}  // namespace bloomery::inline v1
