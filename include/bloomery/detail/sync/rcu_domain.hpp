// Who reads right now: lets a writer know when nobody can hold what it replaced.
//
// A reader pins (or, for one short use, visits), loads a pointer, uses what it points to,
// unpins: two stores to its own line, no lock and no retry.  A writer replaces the
// pointer, calls synchronize, and may then reuse or free the old thing: everyone who
// pinned before has left, and everyone who pins later finds the new pointer.  (Userspace
// RCU with one slot a thread: Desnoyers et al., "User-Level Implementations of Read-Copy
// Update", 2012.)
//
// Progress: pins are wait-free.  synchronize waits for pins that were there when it
// was called, not for later ones.
// Threads: a lasting pin keeps its thread's number (thread_numbers.hpp), so that a
// thread_local may hold it.
// Fork: in the child the pins of the thread that forked go on; those of all others, which
// are not there, have ended.
// Proof: tests/interleave runs this code over every interleaving of small programs.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/probe/words.hpp>
#include <bloomery/detail/sync/mended_array.hpp>
#include <bloomery/detail/sync/platform.hpp>
#include <bloomery/detail/sync/thread_numbers.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// Extra: what else a thread keeps in its line, such as counters.
template <class Extra, class Platform = this_platform>
class rcu_domain {
 public:
  struct alignas(64) slot {
    // Odd while the thread is inside.  In the last two slots, shared by all threads
    // without their own slot, the number of threads inside.
    typename Platform::template atomic<std::uint64_t> turn{0};
    // Pins that its thread holds beyond the first; only that thread looks.
    typename Platform::template plain<std::uint32_t> nested{0};
    std::uint32_t number = 0;  // of its thread
    // Pins so far, nested ones not counted: the other turns were visits.  For statistics
    // only, so no step of any protocol.
    std::atomic<std::uint64_t> pins{0};
    [[no_unique_address]] Extra extra{};
  };

  class lasting_pin;

  // While it lives nothing that was reachable when it was made is freed.  Belongs to the
  // thread that made it, which may hold several, and ends them itself (asserted); it
  // cannot be moved.
  // REQUIRES: no code of the user runs meanwhile; for that there is lasting_pin
  class pin {
   public:
    explicit pin(const rcu_domain& all) noexcept : slot_(all.mine()) {
      if (slot_ == nullptr) [[unlikely]] {
        slot_ = all.shared_slot(all.phase_.load(std::memory_order_relaxed));
        slot_->turn.fetch_add(1, announce);
        shared_ = true;
      } else if (const std::uint64_t turn = slot_->turn.load(std::memory_order_relaxed);
                 turn % 2 == 0) {
        slot_->pins.store(slot_->pins.load(std::memory_order_relaxed) + 1,
                          std::memory_order_relaxed);
        slot_->turn.store(turn + 1, announce);
      } else {
        slot_->nested.set(slot_->nested.get() + 1);
      }
      Platform::light_fence();
    }
    ~pin() {
      if (shared_) [[unlikely]]
        slot_->turn.fetch_sub(1, std::memory_order_release);
      else
        leave();
    }
    pin(const pin&) = delete;

    Extra& extra() const noexcept { return slot_->extra; }
    bool is_shared() const noexcept { return shared_; }  // others write `extra` too

   private:
    BLOOMERY_INLINE void leave() noexcept {
      assert(static_cast<std::int32_t>(slot_->number) ==
                 Platform::thread_number_if_any() &&
             "a pin ends in the thread that made it");
      if (const std::uint32_t n = slot_->nested.get(); n != 0) [[unlikely]]
        return slot_->nested.set(n - 1);
      slot_->turn.store(slot_->turn.load(std::memory_order_relaxed) + 1,
                        std::memory_order_release);
    }

    friend class lasting_pin;

    slot* slot_;
    bool shared_ = false;
  };

  // One during which code of the user runs: it may end the thread (the pin lies in a
  // thread_local), fork, or replace what is read.
  class lasting_pin : number_hold<Platform>, public pin {
   public:
    explicit lasting_pin(const rcu_domain& all) noexcept : pin(all) {
      if (this->is_shared()) [[unlikely]]
        Platform::shared_pins::enter(this->slot_);
    }
    ~lasting_pin() {
      if (!this->is_shared()) [[likely]]
        return;
      assert(Platform::shared_pins::count(this->slot_) != 0 &&
             "a pin ends in the thread that made it");
      Platform::shared_pins::leave(this->slot_);
    }
  };

  // One short use at the lowest price: use(extra), inside.  It must make no pin, and its
  // line is its thread's own.  Where only a pin will do, otherwise(): this thread has no
  // slot of its own or is pinned already, fences are not light, or visits were closed.
  template <class Use, class Otherwise>
  BLOOMERY_INLINE auto visit(Use use, Otherwise otherwise) const noexcept {
    const std::int32_t me = Platform::thread_number_if_any();
    if (me >= gate_.load(std::memory_order_relaxed)) [[unlikely]]
      return otherwise();
    slot& s = slots_[static_cast<std::uint32_t>(me)];
    // Kept: reading it back from memory at the end would take its time.
    const std::uint64_t turn = s.turn.load(std::memory_order_relaxed);
    if (turn % 2 != 0) [[unlikely]]
      return otherwise();
    s.turn.store(turn + 1, announce);
    Platform::light_fence_of_visit();
    const auto answer = use(s.extra);
    s.turn.store(turn + 2, std::memory_order_release);
    return answer;
  }
  // From now on visits are empty; those that began before go on.  And open again.  One
  // store each, so that the last call wins.
  void close_visits() noexcept { gate_.store(closed, std::memory_order_relaxed); }
  void open_visits() noexcept {
    gate_.store(fences_are_light_ ? static_cast<std::int32_t>(own_) : 0,
                std::memory_order_relaxed);
  }
  bool visits_are_closed() const noexcept {
    return gate_.load(std::memory_order_relaxed) == closed;
  }

  // Room for the threads with the numbers 0 .. own - 1, as far as there are numbers; more
  // share one slot, which costs them two locked instructions a pin.
  // Errors: out_of_memory.
  static result<rcu_domain> make(unsigned own) noexcept {
    own = std::min(own, Platform::max_thread_numbers);
    rcu_domain made;
    made.fences_are_light_ = Platform::prepare_fences();
    made.slots_ = mended_array<slot, Platform>(std::size_t{own} + 2, mend);
    if (made.slots_.empty())
      return error{errc::out_of_memory, "no memory for the slots of readers"};
    for (unsigned i = 0; i < own + 2; ++i) made.slots_[i].number = i;
    made.own_ = own;
    made.open_visits();
    return made;
  }

  // REQUIRES: nobody uses it
  rcu_domain(rcu_domain&& other) noexcept
      : slots_(std::move(other.slots_)),
        own_(other.own_),
        fences_are_light_(other.fences_are_light_) {
    open_visits();
  }

  // The order in which a reader must load the pointer, and a writer replace it.
  static constexpr std::memory_order load_order =
      Platform::strict ? std::memory_order_seq_cst : std::memory_order_acquire;
  static constexpr std::memory_order replace_order =
      Platform::strict ? std::memory_order_seq_cst : std::memory_order_acq_rel;

  // Returns when every pin that was made before the pointer was replaced has ended.
  // REQUIRES: this thread holds none; the pointer was replaced in `replace_order`
  void synchronize() const noexcept {
    Platform::heavy_fence();
    for (unsigned i = 0; i < own_; ++i) {
      const slot& s = slots_[i];
      const std::uint64_t turn = s.turn.load(observe);
      if (turn % 2 == 0) continue;
      for (unsigned n = 0; s.turn.load(observe) == turn; ++n) Platform::back_off(n);
    }
    // Threads that come meanwhile use the other of the two, so that each gets empty.
    for (int side = 0; side < 2; ++side) {
      const unsigned old = phase_.fetch_add(1, std::memory_order_relaxed);
      for (unsigned n = 0; shared_slot(old)->turn.load(observe) != 0; ++n)
        Platform::back_off(n);
    }
  }

  // Whether this thread holds a (lasting) pin: then it must not wait for itself.
  bool pinned_here() const noexcept {
    if (const slot* const s = mine())
      if (s->turn.load(std::memory_order_relaxed) % 2 != 0) return true;
    return Platform::shared_pins::count(shared_slot(0)) != 0 ||
           Platform::shared_pins::count(shared_slot(1)) != 0;
  }

  // use(extra, visits) for each slot, with no more than the visits that have ended there.
  // Counters may change meanwhile.
  template <class Use>
  void for_each(Use use) const {
    for (unsigned i = 0; i < own_ + 2; ++i) {
      const slot& s = slots_[i];
      // In this order the difference is never too large.
      const std::uint64_t turns = s.turn.load(std::memory_order_acquire) / 2;
      const std::uint64_t pins = s.pins.load(std::memory_order_acquire);
      use(s.extra, i < own_ && turns > pins ? turns - pins : 0);
    }
  }

 private:
  // Release, although it begins something: a writer that waits for the end of the turn
  // before may find this one in its place.
  static constexpr std::memory_order announce =
      Platform::strict ? std::memory_order_seq_cst : std::memory_order_release;
  static constexpr std::memory_order observe =
      Platform::strict ? std::memory_order_seq_cst : std::memory_order_acquire;

  rcu_domain() noexcept = default;

  // In the child of a fork: only the thread that forked is left.
  static void mend(std::span<slot> slots, const fork_survivor& s) noexcept {
    const std::size_t own = slots.size() - 2;
    for (std::size_t i = 0; i < std::min<std::size_t>(own, s.end); ++i) {
      if (i == s.number) continue;
      slots[i].nested.set(0);
      if (const auto turn = slots[i].turn.load(std::memory_order_relaxed); turn % 2 != 0)
        slots[i].turn.store(turn + 1, std::memory_order_relaxed);
    }
    if (!Platform::shared_pins::are_told_apart()) return;
    for (slot& one : slots.last(2))
      one.turn.store(Platform::shared_pins::count(&one), std::memory_order_relaxed);
  }

  // Null: this thread shares one.
  slot* mine() const noexcept {
    const unsigned me = Platform::thread_number();
    return me < own_ ? slots_.data() + me : nullptr;
  }
  slot* shared_slot(unsigned phase) const noexcept {
    return slots_.data() + own_ + phase % 2;
  }

  mended_array<slot, Platform> slots_;
  unsigned own_ = 0;
  // Threads with smaller numbers may visit.
  static constexpr std::int32_t closed = -1;
  typename Platform::template atomic<std::int32_t> gate_{0};
  bool fences_are_light_ = false;
  // Which of the two shared slots new readers use: the lowest bit.
  mutable typename Platform::template atomic<unsigned> phase_{0};
};

}  // namespace bloomery::inline v1
