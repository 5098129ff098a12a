// `rcu_ptr` and `rcu_domain` with a fault in them: the few lines that matter, copied.
#include <array>
#include <memory>

#include <gtest/gtest.h>

#include "check.hpp"
#include "machine.hpp"
#include "toy_filter.hpp"

namespace interleave::rcu_ptr_broken_test {
namespace {

constexpr const char* protocol = "published";

enum class fault {
  none,
  no_heavy_fence,
  no_light_fence,  // where it is a full one
  relaxed_pin,
  load_not_sc,
  no_wait,
  waits_first,
  unpins_relaxed,
  replaces_relaxed,
  first_slot_only,
  waits_for_even_only,  // a shared slot is taken for one thread's
};

template <class Platform, fault Fault>
struct pointer {
  static constexpr auto sc = std::memory_order_seq_cst;
  // A writer that waits for the pin before may meet this one instead.
  static constexpr auto announce = Fault == fault::relaxed_pin ? relaxed
                                   : Platform::strict          ? sc
                                                               : release;
  static constexpr auto observe = Platform::strict ? sc : acquire;
  static constexpr auto load_order =
      Fault == fault::load_not_sc ? acquire : (Platform::strict ? sc : acquire);
  static constexpr auto leave = Fault == fault::unpins_relaxed ? relaxed : release;
  static constexpr auto replace_order = Fault == fault::replaces_relaxed ? relaxed
                                        : Platform::strict               ? sc
                                                                         : acq_rel;

  // The last is shared by the threads from `own` on.
  explicit pointer(unsigned own_slots) : own(own_slots) {}
  unsigned own;
  std::array<atomic<std::uint64_t>, 3> turns;
  atomic<plain<int>*> value{interleave::make<plain<int>>("table", 1)};

  void read() {
    const unsigned me = Platform::thread_number();
    const bool is_shared = me >= own;
    atomic<std::uint64_t>& turn = turns[is_shared ? own : me];
    if (is_shared)
      turn.fetch_add(1, announce);
    else
      turn.store(turn.load(relaxed) + 1, announce);
    if constexpr (Fault != fault::no_light_fence) Platform::light_fence();
    require(value.load(load_order)->get() > 0, "a table that is not there");
    if (is_shared)
      turn.fetch_sub(1, leave);
    else
      turn.store(turn.load(relaxed) + 1, leave);
  }

  void wait() {
    if constexpr (Fault == fault::no_wait) return;
    if constexpr (Fault != fault::no_heavy_fence) Platform::heavy_fence();
    for (unsigned i = 0; i < own; ++i) {
      const std::uint64_t turn = turns[i].load(observe);
      if (turn % 2 != 0)
        for (unsigned n = 0; turns[i].load(observe) == turn; ++n) Platform::back_off(n);
      if constexpr (Fault == fault::first_slot_only) return;
    }
    for (unsigned n = 0; !is_empty(turns[own].load(observe)); ++n) Platform::back_off(n);
  }
  static bool is_empty(std::uint64_t readers) {
    return Fault == fault::waits_for_even_only ? readers % 2 == 0 : readers == 0;
  }

  void replace() {
    if constexpr (Fault == fault::waits_first) wait();
    auto* const next = interleave::make<plain<int>>("table", 2);
    const auto* const old = value.exchange(next, replace_order);
    if constexpr (Fault != fault::waits_first) wait();
    interleave::free(old);
  }
};

template <class Platform, fault Fault>
program one_reads_twice() {
  const auto p = std::make_shared<pointer<Platform, Fault>>(1);
  return {{{"reader",
            [p] {
              p->read();
              p->read();
            }},
           {"writer", [p] { p->replace(); }}}};
}

template <class Platform, fault Fault>
program two_readers(unsigned own) {
  const auto p = std::make_shared<pointer<Platform, Fault>>(own);
  return {{{"reader", [p] { p->read(); }},
           {"reader", [p] { p->read(); }},
           {"writer", [p] { p->replace(); }}}};
}

constexpr const char* freed_early = "freed too early";
constexpr const char* not_made = "use of an object before it is known to be made";

template <class Platform, fault Fault>
void caught(const char* name, const char* what, unsigned own = 2) {
  expect_caught(protocol, Platform::name, name, what,
                [own] { return two_readers<Platform, Fault>(own); });
}

// What is broken below is right without the fault.
TEST(PublishedBroken, TheCopyIsRight) {
  const auto holds = []<class Platform>(Platform) {
    for (const unsigned own : {0U, 1U, 2U})
      expect_holds("published, copy", Platform::name,
                   [own] { return two_readers<Platform, fault::none>(own); });
    expect_holds("published, copy", Platform::name,
                 one_reads_twice<Platform, fault::none>);
  };
  holds(strict_machine());
  holds(membarrier_machine());
  holds(staged_machine());
  holds(full_fence_machine());
}

TEST(PublishedBroken, NoHeavyFence) {
  caught<membarrier_machine, fault::no_heavy_fence>("no heavy fence", freed_early);
  caught<full_fence_machine, fault::no_heavy_fence>("no heavy fence", freed_early);
}

TEST(PublishedBroken, NoLightFence) {
  caught<full_fence_machine, fault::no_light_fence>("no light fence", freed_early);
}

TEST(PublishedBroken, RelaxedPin) {
  caught<strict_machine, fault::relaxed_pin>("pin not seq_cst", freed_early);
  caught<strict_machine, fault::relaxed_pin>("pin of a shared slot not seq_cst",
                                             freed_early, 0);
  caught<strict_machine, fault::load_not_sc>("load not seq_cst", freed_early);
}

// The writer saw the first pin, and next the second: that tells it nothing of what was
// read between, unless the second pin is a release, too.
TEST(PublishedBroken, RelaxedPinAfterAnUnpin) {
  const auto twice = []<class Platform>(Platform) {
    expect_caught(protocol, Platform::name, "relaxed pin after an unpin", freed_early,
                  one_reads_twice<Platform, fault::relaxed_pin>);
  };
  twice(membarrier_machine());
  twice(staged_machine());
  twice(full_fence_machine());
}

TEST(PublishedBroken, NoWait) {
  caught<strict_machine, fault::no_wait>("no wait", freed_early);
  caught<membarrier_machine, fault::no_wait>("no wait", freed_early);
}

TEST(PublishedBroken, WaitsFirst) {
  caught<strict_machine, fault::waits_first>("looks at slots, then replaces",
                                             freed_early);
  caught<membarrier_machine, fault::waits_first>("looks at slots, then replaces",
                                                 freed_early);
}

TEST(PublishedBroken, UnpinsRelaxed) {
  caught<strict_machine, fault::unpins_relaxed>("relaxed unpin", freed_early);
  caught<membarrier_machine, fault::unpins_relaxed>("relaxed unpin", freed_early);
}

TEST(PublishedBroken, ReplacesRelaxed) {
  caught<strict_machine, fault::replaces_relaxed>("relaxed replace", not_made);
  caught<membarrier_machine, fault::replaces_relaxed>("relaxed replace", not_made);
}

TEST(PublishedBroken, FirstSlotOnly) {
  caught<strict_machine, fault::first_slot_only>("waits for the first slot only",
                                                 freed_early);
  caught<membarrier_machine, fault::first_slot_only>("waits for the first slot only",
                                                     freed_early);
}

TEST(PublishedBroken, SharedSlotByParity) {
  caught<membarrier_machine, fault::waits_for_even_only>(
      "shared slot taken for one's own", freed_early, 0);
}

}  // namespace
}  // namespace interleave::rcu_ptr_broken_test
