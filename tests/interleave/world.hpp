// One program being run: its threads, its memory, and what it does wrong.
//
// Every operation on an atomic is a step: the thread says what it is about to do and
// pauses until the search picks it.  What lies between two steps is the thread's own and
// runs with the first.  Uses of unsynchronised memory are no steps either: a race is
// found in any order, because two uses race when neither thread knows of the other's.
//
// A thread must be a function of the values it reads: threads share nothing but atomics,
// plains and objects of make().  (A place for results that one thread writes, and only
// the end reads, is fine.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiber.hpp"
#include "memory.hpp"
#include "search.hpp"

namespace interleave {

struct thread {
  const char* name;
  std::function<void()> run;
};

// What an execution runs; its objects are made anew each time.
struct program {
  std::vector<thread> threads;
  std::function<void()> at_end = [] {};  // when all threads have ended, if they do
};

struct failure {
  std::string what;
  std::vector<std::string> schedule;  // a line a step
  unsigned steps = 0;
};

enum class action : std::uint8_t { load, store, update, fence, heavy_fence, wait, none };

class world {
 public:
  explicit world(unsigned max_steps) : max_steps_(max_steps) {}
  // The one that runs: what atomics belong to.
  static world& now() { return *now_; }

  // One execution.
  void run(const std::function<program()>& make, search& s);
  const std::optional<failure>& failed() const { return failure_; }
  unsigned steps() const { return steps_; }
  bool cut_short() const { return cut_short_; }  // after `max_steps`

  // Operations of the running thread on atomics.
  unsigned add_location(std::uint64_t value, const char* name, const void* address);
  void remove_location(unsigned id);
  std::uint64_t load(unsigned id, std::memory_order o);
  void store(unsigned id, std::uint64_t value, std::memory_order o);
  std::uint64_t update(unsigned id, std::memory_order o,
                       const std::function<std::uint64_t(std::uint64_t)>& change);
  // Whether it wrote; `seen`: the value expected, then the value read.
  bool compare_exchange(unsigned id, std::uint64_t& seen, std::uint64_t value,
                        std::memory_order won, std::memory_order lost);
  void fence();
  void fence_of(unsigned thread);  // another
  void fence_of_all();             // in one step
  void wait();                     // until something read since the last wait has changed
  void forget_reads();             // as if they were before the last wait

  // Memory without synchronisation.  A cell is known by its maker and number.
  struct place {
    unsigned maker, number;
  };
  place add_plain(std::uint64_t bits, const char* name, const void* address);
  void read_plain(place p);
  void write_plain(place p, std::uint64_t bits);

  // Objects that threads make and free.
  void* add_object(const char* name, std::size_t size, std::size_t align,
                   void (*destroy)(void*));
  void free_object(const void* p);

  void require(bool holds, const char* what) {
    if (!holds) fail(what);
  }
  unsigned me() const { return me_; }
  unsigned threads() const { return count_; }

 private:
  static constexpr unsigned outside = max_threads;  // before the threads, and after them
  using clocks = std::array<std::uint8_t, max_threads>;

  struct next_step {
    action what = action::none;
    unsigned id = 0;
    bool sc = false;
  };
  struct location {
    const char* name = nullptr;
    std::optional<place> object;
  };
  struct plain_cell {
    const char* name;
    std::optional<place> object;
    std::uint64_t bits;
    unsigned writer = outside, written = 0;  // who, and when by its clock
    clocks read{};
  };
  struct object {
    const char* name;
    std::byte* begin;
    std::size_t size;
    void (*destroy)(void*);
    unsigned maker, made;
    bool freed = false;
    clocks used{};
  };
  struct event {
    unsigned thread;
    const char* verb;
    const char* what;
    unsigned number;
    std::uint64_t read, written;
    bool reads, writes, stale;
  };
  struct arena {
    alignas(64) std::array<std::byte, std::size_t{16} << 10> bytes;
    std::size_t used = 0;
  };

  void step_through(search& s);
  void pause_before(next_step n);
  bool is_running(unsigned t) const { return (running_ >> t & 1) != 0; }
  bool enabled(unsigned t) const;
  bool commute(unsigned t, unsigned u) const;
  state_key state() const;
  unsigned tick();
  void note(std::uint64_t read);
  void note_read(unsigned id, unsigned index);
  void use(const std::optional<place>& o);
  std::optional<place> object_at(const void* address) const;
  object& at(place p) { return objects_[p.maker][p.number]; }
  void log(const event& e) { events_.push_back(e); }
  std::string line_of(const event& e) const;
  std::string value_text(std::uint64_t v) const;
  void fail(const char* what);
  void clear();

  static inline world* now_ = nullptr;

  memory memory_;
  search* search_ = nullptr;
  std::array<fiber, max_threads> fibers_;
  program program_;
  unsigned count_ = 0, running_ = 0, me_ = outside;
  unsigned steps_ = 0, max_steps_;
  bool cut_short_ = false;
  std::array<next_step, max_threads> next_{};
  std::array<std::uint64_t, max_threads> history_{};  // of values read, as a hash
  // The message of each location read since the last wait.
  std::array<std::array<std::uint8_t, max_locations>, max_threads> last_read_{};
  std::array<std::uint64_t, max_threads> reads_{};
  std::array<location, max_locations> locations_{};
  std::array<unsigned, max_threads> next_location_{}, end_location_{};
  std::uint64_t taken_ = 0;  // locations, as a mask
  std::array<std::vector<plain_cell>, max_threads + 1> plains_;
  std::array<std::vector<object>, max_threads + 1> objects_;
  std::unique_ptr<std::array<arena, max_threads + 1>> arenas_ =
      std::make_unique<std::array<arena, max_threads + 1>>();
  std::vector<event> events_;
  std::optional<failure> failure_;
};

}  // namespace interleave
