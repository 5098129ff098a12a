// Who may use a filter while calls run without Python's lock (the GIL).
//
// The library's rule is: calls that read may run together, a call that changes the filter
// runs alone.  A call that holds the GIL from beginning to end needs only to know that
// nobody is at work without it; one that gives the GIL up takes a turn first.  The state
// is read and changed under the GIL alone, so a check is one comparison.  A thread that
// has to wait gives up the GIL meanwhile.
#pragma once

#include "without_gil.hpp"

namespace bloomery::py {

class turns {
 public:
  // Under the GIL: return once such a call may run.  It holds the GIL until it is done.
  void before_read() noexcept {
    while (state_ < 0) [[unlikely]] gil_free_work::get().wait();
  }
  void before_write() noexcept {
    while (state_ != 0) [[unlikely]] gil_free_work::get().wait();
  }

 private:
  friend class read_turn;
  friend class write_turn;
  friend class merge_turn;

  void begin_read() noexcept {
    gil_free_work& all = gil_free_work::get();
    while (state_ < 0 || all.wait_for_fork()) all.wait();
    ++state_;
    all.begin();
  }
  void begin_write() noexcept {
    gil_free_work& all = gil_free_work::get();
    while (state_ != 0 || all.wait_for_fork()) all.wait();
    state_ = -1;
    all.begin();
  }
  void end() noexcept {
    state_ = state_ < 0 ? 0 : state_ - 1;
    gil_free_work::get().end();
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
    gil_free_work& all = gil_free_work::get();
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
