// The weak memory: every location is the list of all writes to it, and a load may return
// any of them that its thread does not know to be outdated.
//
// C++20's rules ([atomics.order], [intro.races]), with three differences:
// - a write goes to the end of its location's modification order at once (real ones may
//   slip in before writes that nobody has read yet);
// - a load happens when its thread gets there, never early ("load buffering" is not
// shown);
// - the total order S of seq_cst operations is the order in which they are run.
// seq_cst operations bind only each other and fences, as in the standard: a relaxed load
// may still pass the seq_cst store before it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "view.hpp"

namespace interleave {

constexpr bool acquires(std::memory_order o) {
  return o == std::memory_order_acquire || o == std::memory_order_acq_rel ||
         o == std::memory_order_seq_cst || o == std::memory_order_consume;
}
constexpr bool releases(std::memory_order o) {
  return o == std::memory_order_release || o == std::memory_order_acq_rel ||
         o == std::memory_order_seq_cst;
}
constexpr bool is_sc(std::memory_order o) { return o == std::memory_order_seq_cst; }

struct message {
  std::uint64_t value;
  view known;  // what a thread learns that acquires it
};

struct thread_views {
  view now;    // what it knows
  view heard;  // what it will know after an acquire fence: views of messages it read
  view told;   // what its relaxed stores pass on: what it knew at its last release fence
};

class memory {
 public:
  // Forgets everything.
  void reset();

  // Before the threads start there is one message a location, and everyone knows it.
  void set_first(unsigned id, std::uint64_t value);
  std::uint64_t last_value(unsigned id) const { return writes_[id].back().value; }
  unsigned last(unsigned id) const {
    return static_cast<unsigned>(writes_[id].size()) - 1;
  }
  std::uint64_t value(unsigned id, unsigned index) const {
    return writes_[id][index].value;
  }

  // The oldest message that thread t may read.
  unsigned oldest(unsigned t, unsigned id, std::memory_order o) const {
    const unsigned known = threads_[t].now.at[id];
    return is_sc(o) ? std::max<unsigned>(known, sc_.at[id]) : known;
  }
  std::uint64_t read(unsigned t, unsigned id, unsigned index, std::memory_order o);
  void write(unsigned t, unsigned id, std::uint64_t value, std::memory_order o);
  // Reads the last message and writes behind it.  It continues a release sequence.
  std::uint64_t update(unsigned t, unsigned id, std::uint64_t value, std::memory_order o);
  // atomic_thread_fence(seq_cst).
  void fence(unsigned t);
  // The same in t at the wish of another.  t is somewhere between two steps, so none of
  // its uses of plain memory is taken to be before the fence.
  void fence_from_outside(unsigned t);

  // From now on t does not read what is older.
  void raise(unsigned t, unsigned id, unsigned to) {
    threads_[t].now.raise(id, to);
    threads_[t].heard.raise(id, to);
  }
  bool knows(unsigned t, unsigned of, unsigned clock) const {
    return threads_[t].now.at[clock_of(of)] >= clock;
  }
  // The next moment of t's own clock.
  unsigned tick(unsigned t) {
    const unsigned c = threads_[t].now.at[clock_of(t)] + 1U;
    raise(t, clock_of(t), c);
    return c;
  }

  // Calls take(words, count) with all that tells two memories apart for the threads in
  // the mask `running`.  Messages that none of them can read any more count for nothing.
  template <class Take>
  void for_each_part(unsigned running, Take take) const;

 private:
  std::array<std::vector<message>, max_locations> writes_;
  std::array<thread_views, max_threads> threads_;
  view sc_;  // of each location, the last message in S or known to a fence in S
};

template <class Take>
void memory::for_each_part(unsigned running, Take take) const {
  // What all of them know of a location; clocks have no messages to count from.
  view base;
  std::fill_n(base.at.begin(), max_locations, std::uint8_t{0xFF});
  for (unsigned t = 0; t < max_threads; ++t) {
    if ((running >> t & 1) == 0) continue;
    for (unsigned i = 0; i < max_locations; ++i)
      base.at[i] = std::min(base.at[i], threads_[t].now.at[i]);
  }
  const auto take_view = [&](const view& v) {
    view n;
    for (std::size_t i = 0; i < n.at.size(); ++i)
      n.at[i] = static_cast<std::uint8_t>(std::max(v.at[i], base.at[i]) - base.at[i]);
    take(n.at.data(), n.at.size());
  };
  for (unsigned t = 0; t < max_threads; ++t) {
    if ((running >> t & 1) == 0) continue;
    take_view(threads_[t].now);
    take_view(threads_[t].heard);
    take_view(threads_[t].told);
  }
  take_view(sc_);
  for (unsigned id = 0; id < max_locations; ++id) {
    for (std::size_t i = base.at[id]; i < writes_[id].size(); ++i) {
      take(&writes_[id][i].value, sizeof(std::uint64_t));
      take_view(writes_[id][i].known);
    }
    const std::uint64_t end = 0x9E3779B97F4A7C15 + id;
    take(&end, sizeof end);
  }
}

}  // namespace interleave
