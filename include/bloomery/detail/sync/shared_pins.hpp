// Which pins this thread has in slots that it shares with others: from the slot alone
// nobody could tell.
//
// So a thread does not wait for itself, and the child of a fork knows who is left in such
// a slot.  A list of the thread's own, through its pins.
#pragma once

#include <bloomery/export.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT shared_pin {
 public:
  shared_pin() noexcept = default;
  shared_pin(const shared_pin&) = delete;

  void enter(const void* slot) noexcept;
  // REQUIRES: the thread that entered
  void leave() noexcept;

  bool is_of_this_thread() const noexcept;

  // Pins of this thread in that slot.
  static unsigned count(const void* slot) noexcept;

 private:
  // Set by enter: most pins never do.
  const void* slot_;
  shared_pin* next_;
  shared_pin** link_;  // what points here
};

}  // namespace bloomery::inline v1
