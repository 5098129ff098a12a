#include <bloomery/detail/sync/fork_watch.hpp>

#include <pthread.h>

#include <bloomery/detail/sync/platform.hpp>
#include <bloomery/detail/sync/stripe_locks.hpp>

namespace bloomery::inline v1 {
namespace {

constinit std::atomic<fork_watch*> first{nullptr};
constinit stripe_lock<> changing;  // the list
constinit std::atomic<bool> prepared{false};

}  // namespace

// Two threads that come first together both register it: run twice, it does no more than
// once.  A lock here could be held at the very fork that does not know the handler yet.
bool fork_watch::prepare() noexcept {
  if (prepared.load(std::memory_order_acquire)) return true;
  if (pthread_atfork(nullptr, nullptr, [] { this_platform::begin_child(); }) != 0)
    return false;
  prepared.store(true, std::memory_order_release);
  return true;
}

fork_watch::fork_watch(mender mend) noexcept : mend_(mend) {
  const stripe_guard held(changing);
  fork_watch* const next = first.load(std::memory_order_relaxed);
  next_.store(next, std::memory_order_relaxed);
  link_ = &first;
  if (next != nullptr) next->link_ = &next_;
  first.store(this, std::memory_order_release);  // here it is in the list
}

fork_watch::~fork_watch() {
  const stripe_guard held(changing);
  fork_watch* const next = next_.load(std::memory_order_relaxed);
  link_->store(next, std::memory_order_release);  // here it is out of the list
  if (next != nullptr) next->link_ = link_;
}

void fork_watch::mend_all(const fork_survivor& s) noexcept {
  changing.mend();
  std::atomic<fork_watch*>* link = &first;
  while (fork_watch* const w = link->load(std::memory_order_acquire)) {
    w->link_ = link;  // a thread that changed the list may have been cut off before this
    w->mend_(*w, s);
    link = &w->next_;
  }
}

}  // namespace bloomery::inline v1
