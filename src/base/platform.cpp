#include <bloomery/detail/sync/platform.hpp>

#include <chrono>
#include <cstdint>
#include <thread>

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace bloomery::inline v1 {
namespace {

bool membarrier_call([[maybe_unused]] int command) noexcept {
#if defined(__linux__) && defined(SYS_membarrier)
  return syscall(SYS_membarrier, command, 0, 0) == 0;
#else
  return false;
#endif
}

// Whether heavy_fence reaches into other threads.  Asked before any fence is light.
enum class membarrier_state : std::uint8_t { not_asked, refused, registered };
constinit std::atomic<membarrier_state> membarrier_is{membarrier_state::not_asked};

membarrier_state register_membarrier() noexcept {
#if defined(__linux__) && defined(SYS_membarrier)
  const bool yes = membarrier_call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
#else
  const bool yes = false;
#endif
  const auto state = yes ? membarrier_state::registered : membarrier_state::refused;
  membarrier_is.store(state, std::memory_order_relaxed);
  return state;
}

bool registered() noexcept {
  auto state = membarrier_is.load(std::memory_order_relaxed);
  if (state == membarrier_state::not_asked) state = register_membarrier();
  return state == membarrier_state::registered;
}

constinit number_pool<this_platform> numbers;

// Lets the thread's own hold of its number go when it ends.
struct end_of_thread {
  ~end_of_thread() { this_platform::release_number(); }
};

}  // namespace

constinit std::atomic<bool> this_platform::light_is_full{true};
constinit thread_local held_number this_platform::number_of_this_thread;

bool this_platform::prepare_fences() noexcept {
  if (strict || !registered()) return false;
  light_is_full.store(false, std::memory_order_relaxed);
  return true;
}

void this_platform::heavy_fence() noexcept {
#if !defined(BLOOMERY_STRICT_ATOMICS)  // both sides use seq_cst operations instead
  std::atomic_thread_fence(std::memory_order_seq_cst);
#if defined(__linux__) && defined(SYS_membarrier)
  if (registered()) membarrier_call(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
#endif
#endif
}

// A holder that keeps its processor is done in nanoseconds; one that lost it needs ours;
// one that takes its time is not worth burning a processor for.
void this_platform::back_off(unsigned n) noexcept {
  constexpr unsigned short_waits = 64, yields = 1000;
  if (n >= short_waits + yields)
    return std::this_thread::sleep_for(std::chrono::microseconds(50));
  if (n >= short_waits) return std::this_thread::yield();
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

unsigned this_platform::number_this_thread() noexcept {
  thread_local end_of_thread at_its_end;
  (void)&at_its_end;  // from here on it is destroyed
  numbers.take(number_of_this_thread);
  return static_cast<unsigned>(number_of_this_thread.number);
}

void this_platform::give_back_number() noexcept {
  numbers.give_back(number_of_this_thread);
}

void this_platform::begin_child() noexcept {
  // Linux hands the registration on to children, and does not promise it.
  if (membarrier_is.load(std::memory_order_relaxed) == membarrier_state::registered &&
      register_membarrier() != membarrier_state::registered)
    light_is_full.store(true, std::memory_order_relaxed);
  fork_watch::mend_all(
      {static_cast<unsigned>(number_of_this_thread.number), numbers.end()});
  numbers.keep_only(number_of_this_thread);
}

}  // namespace bloomery::inline v1
