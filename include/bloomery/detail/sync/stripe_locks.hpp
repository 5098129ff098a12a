// Many small locks over a large thing: each guards the parts whose number falls to it.
//
// Held for a few nanoseconds at a time.  A thread that finds one taken spins, then gives
// its processor away: blocking, not wait-free.  Two keys meet by chance in one of
// `count` cases.
//
// A lock is taken in the name of the process.  In the child of a fork that has another
// name, so those that threads of the parent held are free there.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include <bloomery/detail/sync/platform.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

template <class Platform = this_platform>
class stripe_lock {
 public:
  void lock() noexcept {
    const std::uint32_t us = Platform::process_number();
    for (unsigned n = 0; taken_.exchange(us, std::memory_order_acquire) == us;)
      while (taken_.load(std::memory_order_relaxed) == us) Platform::wait_a_little(n++);
  }
  // What was done under the lock is seen by the next who takes it.
  void unlock() noexcept { taken_.store(0, std::memory_order_release); }

  // In the child of a fork, at its beginning: whether another held it there.  Not again.
  bool was_taken_at_fork() noexcept {
    return taken_.exchange(0, std::memory_order_relaxed) != 0;
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
    made.locks_.reset(new (std::nothrow) stripe_lock<Platform>[count]);
    if (made.locks_ == nullptr || !Platform::prepare_for_fork())
      return error{errc::out_of_memory, "no memory for locks"};
    made.mask_ = count - 1;
    return made;
  }

  // The lock of part number i.
  stripe_lock<Platform>& of(std::uint64_t i) const noexcept { return locks_[i & mask_]; }

 private:
  stripe_locks() noexcept = default;

  std::unique_ptr<stripe_lock<Platform>[]> locks_;
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
