// A candidate with its filters of one size, and what is measured of them.
#pragma once

#include <memory>

#include "comparison/candidates.hpp"
#include "comparison/query_sets.hpp"
#include "comparison/row.hpp"
#include "comparison/threads.hpp"
#include "kit/schedule.hpp"

namespace bloomery::bench {

class sized_candidate {
 public:
  sized_candidate(const candidate& c, const query_sets& q, double fpr)
      : calls_(c.calls), erases_(c.erases), forgets_(c.forgets), sets_(q), fpr_(fpr) {
    figures.name = c.name;
    figures.about = c.about;
    figures.ours = c.ours;
    figures.one_key_only = c.one_key_only;
    figures.keys = q.all.size();
  }

  // A build from nothing, ns per key; the filter before it is dropped.  Throws
  // std::runtime_error if there is no memory.
  double build(unsigned threads);
  bool builds_in_parallel() const noexcept { return calls_.build_takes_threads != 0; }

  // Throws std::runtime_error if a key is lost or batched and single lookups disagree.
  // Fills in what the filter is, and makes the second filter, to insert into.
  void check();

  void add_tasks(schedule& s, thread_group& both);
  void take_latencies();

  row figures;

 private:
  using handle = std::shared_ptr<void>;  // with the peer's own `free`
  handle own(void* filter) const;
  double build_once(unsigned threads);
  void add_lookups(schedule& s);
  void add_inserts(schedule& s);
  void add_erases(schedule& s);

  const bloomery_peer& calls_;
  erase_calls erases_;
  bool forgets_;
  const query_sets& sets_;
  double fpr_;
  handle full_, scratch_;
};

}  // namespace bloomery::bench
