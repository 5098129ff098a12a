// Which lasting pins this thread has in slots that it shares with others: from the slot
// alone that is unknown.
//
// So a thread does not wait for itself, and the child of a fork knows who is left in such
// a slot.  A short list of the thread's own, apart from the pins: a pin whose address is
// known elsewhere would have to live in memory, not in registers.
#pragma once

#include <bloomery/detail/export.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT shared_pins {
 public:
  static void enter(const void* slot) noexcept;
  // REQUIRES: the thread that entered
  static void leave(const void* slot) noexcept;

  // Pins of this thread in that slot.  Those in more than `max_slots` at once are
  // indistinguishable: each counts for every slot.
  static unsigned count(const void* slot) noexcept;
  static bool are_told_apart() noexcept;
  static constexpr unsigned max_slots = 8;
};

}  // namespace bloomery::inline v1
