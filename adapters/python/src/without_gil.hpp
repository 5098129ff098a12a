// Work without Python's lock (the GIL), and forks.
//
// A fork copies the memory and one thread.  What another thread was doing would never end
// in the child: a filter stays half changed, a chunk of a file is never done.
// So os.fork waits until nobody is at work without the GIL, and no new work begins until
// it is done.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <new>

#include "python.hpp"

namespace bloomery::py {

// All of it, whatever it works on.  Under the GIL, but for the wait.
class gil_free_work {
 public:
  // Never destroyed: threads may still wait when the process ends.
  static gil_free_work& get() noexcept {
    static gil_free_work& all = *new gil_free_work;
    return all;
  }

  // A thread at work may begin more: the fork waits for the first anyway.
  bool wait_for_fork() const noexcept { return forks_ > 0 && held_ == 0; }
  void begin() noexcept { ++running_, ++held_; }
  void end() noexcept {
    --running_, --held_;
    notify();
  }
  // Until some work ends, or a fork is done.
  void wait() noexcept {
    const std::uint64_t seen = ended_;
    nb::gil_scoped_release release;
    std::unique_lock hold(mutex_);
    changed_.wait(hold, [&] { return ended_ != seen; });
  }

  void before_fork() noexcept {
    ++forks_;
    while (running_ != held_) wait();
  }
  // A fork that began before this module was imported ends here, too.
  void after_fork_in_parent() noexcept {
    if (forks_ > 0) --forks_;
    notify();
  }
  // A thread that waited and does not exist here may have held the mutex.
  void after_fork_in_child() noexcept {
    new (&mutex_) std::mutex;
    new (&changed_) std::condition_variable;
    forks_ = 0;
    running_ = held_;
  }

 private:
  void notify() noexcept {
    {
      const std::lock_guard hold(mutex_);
      ++ended_;
    }
    changed_.notify_all();
  }

  int forks_ = 0;                            // that are to come
  int running_ = 0;                          // pieces of work
  static inline thread_local int held_ = 0;  // of them, by this thread
  std::uint64_t ended_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
};

// Under the GIL at both ends.
class work_without_gil {
 public:
  work_without_gil() noexcept {
    gil_free_work& all = gil_free_work::get();
    while (all.wait_for_fork()) all.wait();
    all.begin();
  }
  ~work_without_gil() { gil_free_work::get().end(); }
  work_without_gil(const work_without_gil&) = delete;
  work_without_gil& operator=(const work_without_gil&) = delete;
};

// use(), without the GIL: for what touches no Python object and raises nothing.
template <class Use>
auto without_gil(Use use) {
  const work_without_gil work;
  const nb::gil_scoped_release release;
  return use();
}

}  // namespace bloomery::py
