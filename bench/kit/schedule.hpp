// Tasks, and where their timings belong.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "kit/figures.hpp"
#include "kit/floor.hpp"
#include "kit/interleave.hpp"

namespace bloomery::bench {

class schedule {
 public:
  void add(task t, timing& into) {
    tasks_.push_back(std::move(t));
    results_.push_back(&into);
  }
  void run(unsigned rounds, const progress& begins = {}) {
    const auto timings = interleave(tasks_, rounds, begins);
    for (std::size_t i = 0; i < results_.size(); ++i) *results_[i] = timings[i];
  }

 private:
  std::vector<task> tasks_;
  std::vector<timing*> results_;
};

inline void add_floor(schedule& s, line_floor& f, floor_times& into) {
  s.add({line_floor::accesses, [&f] { return f.load_plain(); }}, into.load);
  s.add({line_floor::batched_accesses, [&f] { return f.load_batched(); }},
        into.load_batched);
  s.add({line_floor::accesses, [&f] { return f.update_plain(); }}, into.update);
  s.add({line_floor::batched_accesses, [&f] { return f.update_batched(); }},
        into.update_batched);
}

// Two lines per key.
inline void add_two_line_floor(schedule& s, line_floor& f, floor_times& into) {
  s.add({line_floor::accesses, [&f] { return f.load_two_plain(); }}, into.load);
  s.add({line_floor::batched_pairs, [&f] { return f.load_two_batched(); }},
        into.load_batched);
  s.add({line_floor::accesses, [&f] { return f.update_two_plain(); }}, into.update);
  s.add({line_floor::batched_pairs, [&f] { return f.update_two_batched(); }},
        into.update_batched);
}

}  // namespace bloomery::bench
