// A list of levels that threads make longer while others read it.
//
// A level is published by one compare-and-exchange of its pointer (release), when it is
// whole.  Levels are read from `known_` on (acquire), a number that lags behind, up to
// the first that is not there.  Who happens-after a thread that used a level finds
// it: that thread read the pointer, or a number stored after the pointer, and by
// coherence nobody after it reads an older one.  The number may go back by one when two
// threads store it; the pointers are then found one by one.  Nothing is freed before the
// end, so readers need neither locks nor pins.
//
// Several threads may make the next level; one of them wins, and the others discard
// theirs.  So a thread that is preempted while it makes one does not hold up the others,
// nor leave them to overfill the last.  Usually one does it: who cannot claim the level
// waits a little, a bounded number of times.
// tests/interleave/chain_test.cpp runs this over every interleaving.
#pragma once

#include <atomic>

#include <bloomery/detail/sync/platform.hpp>

namespace bloomery::inline v1 {

template <class Level, unsigned most, class Platform = this_platform>
class shared_chain {
 public:
  // Before anybody else uses it.
  void begin(Level* level) noexcept {
    const unsigned n = known_.load(std::memory_order_relaxed);
    level_[n].store(level, std::memory_order_relaxed);
    claimed_.store(n + 1, std::memory_order_relaxed);
    known_.store(n + 1, std::memory_order_relaxed);
  }

  unsigned size() const noexcept {
    unsigned n = known_.load(std::memory_order_acquire);
    while (has(n)) ++n;
    return n;
  }
  // REQUIRES: i < a size() that this thread has read
  Level& operator[](unsigned i) const noexcept {
    return *level_[i].load(std::memory_order_acquire);
  }

  // Whether there is a level after the first n.
  bool has(unsigned n) const noexcept {
    return n < most && level_[n].load(std::memory_order_acquire) != nullptr;
  }
  // Whether this thread is the first to make it; the others had better wait a little.
  bool claim(unsigned n) noexcept {
    unsigned seen = n;
    return claimed_.compare_exchange_strong(seen, n + 1, std::memory_order_relaxed,
                                            std::memory_order_relaxed);
  }
  // It could not be made: another may try.
  void give_up(unsigned n) noexcept { claimed_.store(n, std::memory_order_relaxed); }
  // False: another thread's is there, and `level` is still the caller's.
  // REQUIRES: n is a size() that this thread has read, below `most`
  bool offer(unsigned n, Level* level) noexcept {
    Level* none = nullptr;
    if (!level_[n].compare_exchange_strong(none, level, std::memory_order_release,
                                           std::memory_order_relaxed))
      return false;
    known_.store(n + 1, std::memory_order_release);
    return true;
  }

 protected:
  typename Platform::template atomic<Level*> level_[most]{};
  typename Platform::template atomic<unsigned> known_{0};
  typename Platform::template atomic<unsigned> claimed_{0};
};

}  // namespace bloomery::inline v1
