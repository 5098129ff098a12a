// What must be put right in the child of a fork, where only the thread that forked is
// left: slots of readers who do not exist, rebuilds that nobody runs.
//
// A list of all such objects, and one handler of pthread_atfork, which runs in the child
// before fork() returns there.  Nothing is locked in the parent: fork() waits for nobody,
// and cannot meet another's locks in the wrong order.  Instead the list can be walked
// wherever a thread was cut off, as each change of it is one store.
//
// Not for children of vfork(), _Fork() or a bare clone(), which runs no handlers.
#pragma once

#include <atomic>

#include <bloomery/detail/export.hpp>

namespace bloomery::inline v1 {

// The only thread of the child.
struct fork_survivor {
  unsigned number;  // of the thread
  unsigned end;     // the numbers of those that are gone are smaller
};

class BLOOMERY_EXPORT fork_watch {
 public:
  using mender = void (*)(fork_watch&, const fork_survivor&) noexcept;

  // `mend` is called in each child that is forked from now on.
  explicit fork_watch(mender mend) noexcept;
  ~fork_watch();
  fork_watch(const fork_watch&) = delete;

  // False: no memory for the handler.  Any number of times, by anyone, before the first
  // fork_watch is made.
  static bool prepare() noexcept;

  // In the child.
  static void mend_all(const fork_survivor& s) noexcept;

 private:
  mender mend_;
  std::atomic<fork_watch*> next_{nullptr};
  std::atomic<fork_watch*>* link_ = nullptr;  // what points here
};

}  // namespace bloomery::inline v1
