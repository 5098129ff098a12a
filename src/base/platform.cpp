#include <bloomery/detail/sync/platform.hpp>

#include <bit>
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
bool registered() noexcept {
#if defined(__linux__) && defined(SYS_membarrier)
  static const bool yes = membarrier_call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  return yes;
#else
  return false;
#endif
}

// One bit a number that is taken.
constexpr unsigned numbers_a_word = 64;
std::atomic<std::uint64_t> taken[this_platform::max_thread_numbers / numbers_a_word];

// Gives the number back when the thread ends.
struct holder {
  unsigned number = this_platform::max_thread_numbers;
  ~holder() {
    // What the thread still does, in destructors that run after this one, shares a slot.
    this_platform::forget_number();
    if (number >= this_platform::max_thread_numbers) return;
    const std::uint64_t bit = std::uint64_t{1} << number % numbers_a_word;
    taken[number / numbers_a_word].fetch_and(~bit, std::memory_order_release);
  }
};

// The lowest that is free, so that arrays over threads stay short.
unsigned take_a_number() noexcept {
  for (unsigned w = 0; w < std::size(taken); ++w) {
    std::uint64_t seen = taken[w].load(std::memory_order_relaxed);
    while (seen != ~std::uint64_t{0}) {
      const auto free = static_cast<unsigned>(std::countr_one(seen));
      const std::uint64_t bit = std::uint64_t{1} << free;
      seen = taken[w].fetch_or(bit, std::memory_order_acquire);
      if ((seen & bit) == 0) return w * numbers_a_word + free;
    }
  }
  return this_platform::max_thread_numbers;
}

}  // namespace

constinit std::atomic<bool> this_platform::light_is_full{true};
constinit thread_local std::int32_t this_platform::number_of_this_thread = no_number;

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
void this_platform::wait_a_little(unsigned n) noexcept {
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

void this_platform::forget_number() noexcept {
  number_of_this_thread = static_cast<std::int32_t>(max_thread_numbers);
}

unsigned this_platform::number_this_thread() noexcept {
  thread_local holder mine;
  mine.number = take_a_number();
  number_of_this_thread = static_cast<std::int32_t>(mine.number);
  return mine.number;
}

}  // namespace bloomery::inline v1
