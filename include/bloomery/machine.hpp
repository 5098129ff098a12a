// What lock-free code runs on: the atomics, fences and threads of this computer.
//
// Protocols between threads are templates over a machine, so that tests/interleave runs
// the very same code on an abstract one, over every interleaving and every value a weak
// memory may show.
//
// With BLOOMERY_STRICT_ATOMICS (a CMake option; for race detectors) nothing leaves the
// letter of the C++ memory model: no fences between threads that only the operating
// system can give, no vector loads of words that others write.
#pragma once

#include <atomic>

#include <bloomery/export.hpp>

namespace bloomery::inline v1 {

struct BLOOMERY_EXPORT this_machine {
  template <class T>
  using atomic = std::atomic<T>;

#if defined(BLOOMERY_STRICT_ATOMICS)
  static constexpr bool strict = true;
#else
  static constexpr bool strict = false;
#endif

  // Two halves of one fence.  A store before light_fence and a load after it do not
  // change places as seen by a thread that runs heavy_fence in between: the frequent side
  // pays nothing (the system call membarrier makes the rare side pay for both).  Where
  // the system has no such call, the light one is a full fence.
  static void light_fence() noexcept {
    if constexpr (strict) return;  // both sides use seq_cst operations instead
    if (light_is_full.load(std::memory_order_relaxed))
      std::atomic_thread_fence(std::memory_order_seq_cst);
    else
      std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  static void heavy_fence() noexcept;

  // Before the first light_fence may be light; any number of times, by anyone.
  static void prepare_fences() noexcept;

  // In a loop that waits for another thread: the n-th time round, from 0.
  static void wait_a_little(unsigned n) noexcept;

  // A small number that no other running thread has; numbers of ended threads are used
  // again.  Beyond `most_thread_numbers` threads at once, all others have that one.
  static unsigned thread_number() noexcept {
    const unsigned n = number_of_this_thread;
    return n != 0 ? n - 1 : number_this_thread();
  }
  static constexpr unsigned most_thread_numbers = 4096;

 private:
  static unsigned number_this_thread() noexcept;

  static std::atomic<bool> light_is_full;
  // From 1; 0: not yet asked for.
  static thread_local constinit unsigned number_of_this_thread
      __attribute__((tls_model("initial-exec")));
};

}  // namespace bloomery::inline v1
