// A lock that counts the changes made under it, so that readers need not take it.
//
// Even: free.  Odd: a writer holds it.  A reader loads the version, reads the data, and
// compares: the same even version means that it read one state, between two writers
// (a seqlock; Boehm, "Can Seqlocks Get Along With Programming Language Memory Models?",
// MSPC 2012).  Without fences, so that race detectors understand it:
//
//   a writer stores the data in `data_store` order, a reader loads it in `data_load`
//
// A reader that sees a word of a writer then knows that its version was odd, and compares
// unequal.  A reader of several stripes loads each version before the data of its stripe,
// and compares all at the end: what it read is the state of one moment, if writers of
// several stripes take all of them before they change anything.
//
// Progress: readers never wait.  Writers spin, then give their processor away.
// Versions are 64 bits wide: they do not come round.
// In the child of a fork, those that threads of the parent held are free, and changed; or
// torn, for data that half a change leaves without a meaning: never free again, so that
// readers never find it whole, and writers are refused.
// Proof: tests/interleave runs this code over every interleaving of small programs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/sync/mended_array.hpp>
#include <bloomery/detail/sync/platform.hpp>

namespace bloomery::inline v1 {

template <class Platform = this_platform>
class version_stripe {
 public:
  static constexpr std::memory_order data_store = std::memory_order_release;
  static constexpr std::memory_order data_load = std::memory_order_acquire;

  // --- writers ---
  // False: it is torn.
  bool lock() noexcept {
    std::uint64_t v = version_.load(std::memory_order_relaxed);
    for (unsigned n = 0;;) {
      if (v % 2 == 0) {
        if (version_.compare_exchange_weak(v, v + 1, std::memory_order_acquire,
                                           std::memory_order_relaxed))
          return true;
      } else if (v == torn) [[unlikely]] {
        return false;
      } else {
        Platform::back_off(n++);
        v = version_.load(std::memory_order_relaxed);
      }
    }
  }
  // Something changed.
  void unlock() noexcept { leave(+1); }
  // Nothing did: readers that began before need not begin again.
  void unlock_unchanged() noexcept { leave(-1); }

  // --- readers ---
  std::uint64_t version() const noexcept {
    return version_.load(std::memory_order_acquire);
  }
  static constexpr bool is_held(std::uint64_t version) noexcept {
    return version % 2 != 0;
  }
  // After the data, which was loaded in `data_load` order.  Never less than an even
  // version that was seen before.
  std::uint64_t last_version() const noexcept {
    return version_.load(std::memory_order_relaxed);
  }
  bool is_still(std::uint64_t version) const noexcept {
    return last_version() == version;
  }

  // In the child of a fork, before anybody uses it: what was held is free, or torn.
  static void mend(std::span<version_stripe> all, const fork_survivor&) noexcept {
    for (version_stripe& one : all)
      if (const auto v = one.version_.load(std::memory_order_relaxed); is_held(v))
        one.version_.store(v + 1, std::memory_order_relaxed);
  }
  static void tear(std::span<version_stripe> all, const fork_survivor&) noexcept {
    for (version_stripe& one : all)
      if (is_held(one.last_version()))
        one.version_.store(torn, std::memory_order_relaxed);
  }
  bool is_torn() const noexcept { return last_version() == torn; }
  // Alone, when the data is whole again.
  void heal() noexcept {
    if (is_torn()) version_.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint64_t torn = ~std::uint64_t{0};

  void leave(std::int64_t by) noexcept {
    const std::uint64_t held = version_.load(std::memory_order_relaxed);
    version_.store(held + static_cast<std::uint64_t>(by), std::memory_order_release);
  }

  typename Platform::template atomic<std::uint64_t> version_{0};
};

}  // namespace bloomery::inline v1
