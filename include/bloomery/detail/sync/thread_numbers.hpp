// Small numbers for threads, each of which belongs to one thread at a time.
//
// Slots of readers are found by these numbers (rcu_domain.hpp), so a number must not pass
// to another thread while anything of its thread is left in a slot.  It has holders: the
// thread itself, from its first question to the destructors of its thread_locals, and
// each reader that it made.  The last one to let go gives the number back.  (A reader in
// a thread_local may well be the last: which destructor runs first depends on which
// thread_local was used first.)
// Proof: tests/interleave runs this code over every interleaving of small programs.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace bloomery::inline v1 {

// What a thread knows of its own number; no other thread looks.
struct held_number {
  static constexpr std::int32_t none = 0x7fffffff;  // the largest: not assigned yet

  std::int32_t number = none;
  std::uint32_t holders = 0;

  void hold() noexcept { ++holders; }
  // True to the last holder, who gives the number back.
  bool release() noexcept { return --holders == 0; }
};

template <class Platform>
class number_pool {
 public:
  static constexpr unsigned max = Platform::max_thread_numbers;

  // The lowest that is free, so that arrays over threads stay short; `max` if none is.
  // The thread is its first holder.
  void take(held_number& mine) noexcept {
    mine.number = static_cast<std::int32_t>(lowest_free());
    mine.holders = 1;
  }
  // From now on the thread has the number that all without one have.
  // REQUIRES: nobody holds it
  void give_back(held_number& mine) noexcept {
    const auto n = static_cast<unsigned>(mine.number);
    mine.number = static_cast<std::int32_t>(max);
    if (n >= max) return;
    // The next thread that takes it sees what its thread did in slots.
    taken_[n / 64].fetch_and(~bit(n), std::memory_order_release);
  }

  // --- in the child of a fork, where only one thread is left ---
  // All that are taken are smaller.
  unsigned end() const noexcept {
    for (std::size_t w = words; w-- > 0;)
      if (const std::uint64_t seen = taken_[w].load(std::memory_order_relaxed); seen != 0)
        return static_cast<unsigned>(64 * w) +
               static_cast<unsigned>(std::bit_width(seen));
    return 0;
  }
  void keep_only(const held_number& mine) noexcept {
    for (std::size_t w = 0; w < words; ++w) {
      const auto n = static_cast<std::uint32_t>(mine.number);
      taken_[w].store(n / 64 == w ? bit(n) : 0, std::memory_order_relaxed);
    }
  }

 private:
  static constexpr std::size_t words = (max + 63) / 64;
  static constexpr std::uint64_t bit(unsigned n) noexcept {
    return std::uint64_t{1} << n % 64;
  }

  unsigned lowest_free() noexcept {
    for (unsigned w = 0; w < words; ++w) {
      std::uint64_t seen = taken_[w].load(std::memory_order_relaxed);
      while (seen != ~std::uint64_t{0}) {
        const unsigned n = 64 * w + static_cast<unsigned>(std::countr_one(seen));
        if (n >= max) return max;
        seen = taken_[w].fetch_or(bit(n), std::memory_order_acquire);
        if ((seen & bit(n)) == 0) return n;
      }
    }
    return max;
  }

  // One bit for each number that is taken.
  typename Platform::template atomic<std::uint64_t> taken_[words]{};
};

// While it lives the number of its thread stays with the thread, even if that ends.
template <class Platform>
class number_hold {
 public:
  number_hold() noexcept {
    (void)Platform::thread_number();
    Platform::hold_number();
  }
  ~number_hold() { Platform::release_number(); }
  number_hold(const number_hold&) = delete;
};

}  // namespace bloomery::inline v1
