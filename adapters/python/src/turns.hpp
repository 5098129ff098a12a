// Who may use a filter while calls run without Python's lock (the GIL).
//
// The library's rule is: calls that read may run together, a call that changes the filter
// runs alone.  A call that holds the GIL from beginning to end needs only to know that
// nobody is at work without it; one that gives the GIL up takes a turn first.  The state
// is read and changed under the GIL alone, so a check is one comparison.  A thread that
// has to wait gives up the GIL meanwhile.
//
// A fork copies the memory and one thread.  A turn of another thread would never end in
// the child, and what it was changing would stay half done, so os.fork waits until no
// turn is taken, and no new one begins until it is done.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <new>

#include "python.hpp"

namespace bloomery::py {

// What the turns of all filters share.  Under the GIL, but for the wait.
class all_turns {
 public:
  static all_turns& get() noexcept {
    static all_turns all;
    return all;
  }

  // A thread that has a turn may take another: the fork waits for the first anyway.
  bool wait_for_fork() const noexcept { return forks_ != 0 && held_ == 0; }
  void begin() noexcept { ++running_, ++held_; }
  void end() noexcept {
    --running_, --held_;
    notify();
  }
  // Until a turn ends, or a fork is done.
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
  void after_fork_in_parent() noexcept {
    --forks_;
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
  int running_ = 0;                          // turns
  static inline thread_local int held_ = 0;  // of them, by this thread
  std::uint64_t ended_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
};

class turns {
 public:
  // Under the GIL: return once such a call may run.  It holds the GIL until it is done.
  void before_read() noexcept {
    while (state_ < 0) [[unlikely]] all_turns::get().wait();
  }
  void before_write() noexcept {
    while (state_ != 0) [[unlikely]] all_turns::get().wait();
  }

 private:
  friend class read_turn;
  friend class write_turn;
  friend class merge_turn;

  void begin_read() noexcept {
    all_turns& all = all_turns::get();
    while (state_ < 0 || all.wait_for_fork()) all.wait();
    ++state_;
    all.begin();
  }
  void begin_write() noexcept {
    all_turns& all = all_turns::get();
    while (state_ != 0 || all.wait_for_fork()) all.wait();
    state_ = -1;
    all.begin();
  }
  void end() noexcept {
    state_ = state_ < 0 ? 0 : state_ - 1;
    all_turns::get().end();
  }

  int state_ = 0;  // -1: one call changes it; n > 0: n calls read it
};

// Taken and given back under the GIL, which the call may release in between.
class read_turn {
 public:
  explicit read_turn(turns& t) noexcept : turns_(t) { turns_.begin_read(); }
  ~read_turn() { turns_.end(); }
  read_turn(const read_turn&) = delete;
  read_turn& operator=(const read_turn&) = delete;

 private:
  turns& turns_;
};

class write_turn {
 public:
  explicit write_turn(turns& t) noexcept : turns_(t) { turns_.begin_write(); }
  ~write_turn() { turns_.end(); }
  write_turn(const write_turn&) = delete;
  write_turn& operator=(const write_turn&) = delete;

 private:
  turns& turns_;
};

// Changes one and reads another: both at once, so that two calls cannot wait for each
// other.
class merge_turn {
 public:
  merge_turn(turns& changed, turns& read) noexcept : changed_(changed), read_(read) {
    all_turns& all = all_turns::get();
    while (changed_.state_ != 0 || read_.state_ < 0 || all.wait_for_fork()) all.wait();
    changed_.begin_write();
    if (&changed_ != &read_) read_.begin_read();
  }
  ~merge_turn() {
    if (&changed_ != &read_) read_.end();
    changed_.end();
  }
  merge_turn(const merge_turn&) = delete;
  merge_turn& operator=(const merge_turn&) = delete;

 private:
  turns& changed_;
  turns& read_;
};

}  // namespace bloomery::py
