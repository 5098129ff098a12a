#include <bloomery/detail/sync/shared_pins.hpp>

namespace bloomery::inline v1 {
namespace {

struct entry {
  const void* slot;
  unsigned pins;
};

struct pins_of_thread {
  entry of[shared_pins::max_slots];
  unsigned used;
  unsigned others;

  entry* find(const void* slot) noexcept {
    for (unsigned i = 0; i < used; ++i)
      if (of[i].slot == slot) return &of[i];
    return nullptr;
  }
};

constinit thread_local pins_of_thread mine
    __attribute__((tls_model("initial-exec"))) = {};

}  // namespace

void shared_pins::enter(const void* slot) noexcept {
  if (entry* const e = mine.find(slot))
    ++e->pins;
  else if (mine.used < max_slots)
    mine.of[mine.used++] = {slot, 1};
  else
    ++mine.others;
}

void shared_pins::leave(const void* slot) noexcept {
  entry* const e = mine.find(slot);
  if (e == nullptr)
    --mine.others;
  else if (--e->pins == 0)
    *e = mine.of[--mine.used];
}

unsigned shared_pins::count(const void* slot) noexcept {
  const entry* const e = mine.find(slot);
  return mine.others + (e != nullptr ? e->pins : 0);
}

bool shared_pins::are_told_apart() noexcept { return mine.others == 0; }

}  // namespace bloomery::inline v1
