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
#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/sync/fork_watch.hpp>
#include <bloomery/detail/sync/shared_pins.hpp>
#include <bloomery/detail/sync/thread_numbers.hpp>

namespace bloomery::inline v1 {

struct BLOOMERY_EXPORT this_platform {
  template <class T>
  using atomic = std::atomic<T>;

  // A variable that only one thread at a time uses, in an order that the protocol sees
  // to.
  template <class T>
  class plain {
   public:
    plain() noexcept = default;
    explicit plain(T v) noexcept : value_(v) {}
    T get() const noexcept { return value_; }
    void set(T v) noexcept { value_ = v; }

   private:
    T value_{};
  };

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
  // REQUIRES: the process has not forbidden itself membarrier since, by seccomp say
  static void heavy_fence() noexcept;
  // The light one where it is known to be light.
  static void light_fence_of_visit() noexcept {
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }

  // Asked before the first light_fence, which until then is a full one: whether it is
  // light from now on.  Any number of times, by anyone.
  static bool prepare_fences() noexcept;

  // Backs off in a loop that waits for another thread; n counts its rounds from 0.
  static void back_off(unsigned n) noexcept;

  // A small number that no other running thread has; numbers of ended threads are used
  // again (thread_numbers.hpp).  Beyond `max_thread_numbers` threads at once, all others
  // have that one; so has a thread whose number was given back as it ended.
  static unsigned thread_number() noexcept {
    const std::int32_t n = number_of_this_thread.number;
    return n != no_number ? static_cast<unsigned>(n) : number_this_thread();
  }
  // The same without asking for one: no_number, the largest, if it has none yet.
  static std::int32_t thread_number_if_any() noexcept {
    return number_of_this_thread.number;
  }
  static constexpr std::int32_t no_number = held_number::none;
  static constexpr unsigned max_thread_numbers = 4096;
  // Between these it stays this thread's, even if the thread ends.  REQUIRES: it has one
  static void hold_number() noexcept { number_of_this_thread.hold(); }
  static void release_number() noexcept {
    if (number_of_this_thread.release()) [[unlikely]]
      give_back_number();
  }

  // --- fork: fork_watch.hpp ---
  using fork_watch = bloomery::fork_watch;
  using shared_pins = bloomery::shared_pins;
  // Asked before a fork_watch is made.  False: no memory for it.
  static bool prepare_for_fork() noexcept { return fork_watch::prepare(); }
  // In the child, when it has one thread.
  static void begin_child() noexcept;
  // No other thread has it, as long as this one runs; kept by the thread that forks.
  static const void* thread_identity() noexcept { return &number_of_this_thread; }

 private:
  static unsigned number_this_thread() noexcept;
  static void give_back_number() noexcept;

  static std::atomic<bool> light_is_full;
  static thread_local constinit held_number number_of_this_thread
      __attribute__((tls_model("initial-exec")));
};

}  // namespace bloomery::inline v1
