// Many small locks over a large thing: each guards the parts whose number falls to it.
//
// Held for a few nanoseconds at a time.  A thread that finds one taken spins, then gives
// its processor away: blocking, not wait-free.  Two keys meet by chance in one of
// `count` cases.
//
// In the child of a fork those that threads of the parent held are free.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/sync/mended_array.hpp>
#include <bloomery/detail/sync/platform.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

template <class Platform = this_platform>
class stripe_lock {
 public:
  void lock() noexcept {
    for (unsigned n = 0; taken_.exchange(1, std::memory_order_acquire) != 0;)
      while (taken_.load(std::memory_order_relaxed) != 0) Platform::back_off(n++);
  }
  // The next thread that takes the lock sees what was done under it.
  void unlock() noexcept { taken_.store(0, std::memory_order_release); }

  // In the child of a fork, before anybody uses it: it is free, as who held it is not
  // there.  Whether somebody did.
  bool mend() noexcept {
    const bool was = taken_.load(std::memory_order_relaxed) != 0;
    if (was) taken_.store(0, std::memory_order_relaxed);  // else its page stays shared
    return was;
  }

 private:
  typename Platform::template atomic<std::uint32_t> taken_{0};
};

template <class Platform = this_platform>
class stripe_locks {
 public:
  // Errors: out_of_memory.  REQUIRES: count is a power of two
  static result<stripe_locks> make(std::size_t count) noexcept {
    stripe_locks made;
    made.locks_ = mended_array<stripe_lock<Platform>, Platform>(count, mend);
    if (made.locks_.empty()) return error{errc::out_of_memory, "no memory for locks"};
    made.mask_ = count - 1;
    return made;
  }

  // The lock of part number i.
  stripe_lock<Platform>& of(std::uint64_t i) const noexcept { return locks_[i & mask_]; }

 private:
  stripe_locks() noexcept = default;

  static void mend(std::span<stripe_lock<Platform>> locks,
                   const fork_survivor&) noexcept {
    for (auto& one : locks) one.mend();
  }

  mended_array<stripe_lock<Platform>, Platform> locks_;
  std::size_t mask_ = 0;
};

// Holds one lock while it lives.
template <class Platform>
class stripe_guard {
 public:
  explicit stripe_guard(stripe_lock<Platform>& l) noexcept : lock_(l) { lock_.lock(); }
  ~stripe_guard() { lock_.unlock(); }
  stripe_guard(const stripe_guard&) = delete;

 private:
  stripe_lock<Platform>& lock_;
};

}  // namespace bloomery::inline v1
