#include <bloomery/detail/sync/shared_pins.hpp>

namespace bloomery::inline v1 {
namespace {

constinit thread_local shared_pin* first_of_thread
    __attribute__((tls_model("initial-exec"))) = nullptr;

}  // namespace

void shared_pin::enter(const void* slot) noexcept {
  slot_ = slot;
  next_ = first_of_thread;
  link_ = &first_of_thread;
  if (next_ != nullptr) next_->link_ = &next_;
  first_of_thread = this;
}

void shared_pin::leave() noexcept {
  *link_ = next_;
  if (next_ != nullptr) next_->link_ = link_;
}

bool shared_pin::is_of_this_thread() const noexcept {
  for (const shared_pin* p = first_of_thread; p != nullptr; p = p->next_)
    if (p == this) return true;
  return false;
}

unsigned shared_pin::count(const void* slot) noexcept {
  unsigned n = 0;
  for (const shared_pin* p = first_of_thread; p != nullptr; p = p->next_)
    n += p->slot_ == slot;
  return n;
}

}  // namespace bloomery::inline v1
