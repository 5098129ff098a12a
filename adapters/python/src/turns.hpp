// Who may use a filter while calls run without Python's lock (the GIL).
//
// The library's rule is: calls that read may run together, a call that changes the filter
// runs alone.  A call that holds the GIL from beginning to end needs only to know that
// nobody is at work without it; one that gives the GIL up takes a turn first.  The state
// is read and changed under the GIL alone, so a check is one comparison.  A thread that
// has to wait gives up the GIL meanwhile.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "python.hpp"

namespace bloomery::py {

class turns {
 public:
  // Under the GIL: return once such a call may run.  It holds the GIL until it is done.
  void before_read() noexcept {
    while (state_ < 0) [[unlikely]] wait();
  }
  void before_write() noexcept {
    while (state_ != 0) [[unlikely]] wait();
  }

 private:
  friend class read_turn;
  friend class write_turn;
  friend class merge_turn;

  void begin_read() noexcept {
    before_read();
    ++state_;
  }
  void begin_write() noexcept {
    before_write();
    state_ = -1;
  }
  void end() noexcept {
    state_ = state_ < 0 ? 0 : state_ - 1;
    {
      const std::lock_guard hold(mutex_);
      ++ended_;
    }
    changed_.notify_all();
  }
  void wait() noexcept {
    const std::uint64_t seen = ended_;
    nb::gil_scoped_release release;
    std::unique_lock hold(mutex_);
    changed_.wait(hold, [&] { return ended_ != seen; });
  }

  int state_ = 0;  // -1: one call changes it; n > 0: n calls read it
  std::uint64_t ended_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
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
    while (changed_.state_ != 0 || read_.state_ < 0)
      (changed_.state_ != 0 ? changed_ : read_).wait();
    changed_.state_ = -1;
    if (&changed_ != &read_) ++read_.state_;
  }
  ~merge_turn() {
    changed_.end();
    if (&changed_ != &read_) read_.end();
  }
  merge_turn(const merge_turn&) = delete;
  merge_turn& operator=(const merge_turn&) = delete;

 private:
  turns& changed_;
  turns& read_;
};

}  // namespace bloomery::py
