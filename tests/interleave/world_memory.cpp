// The operations of threads on memory, each a step or part of one.
#include <bit>
#include <utility>
#include <vector>

#include "world.hpp"

namespace interleave {

unsigned world::add_location(std::uint64_t value, const char* name, const void* address) {
  unsigned id = 0;
  if (me_ == outside) {
    id = static_cast<unsigned>(std::countr_one(taken_));
  } else {
    id = next_location_[me_]++;
    if (id >= end_location_[me_]) fail("more locations than the machine has");
  }
  if (id >= max_locations) fail("more locations than the machine has");
  taken_ |= std::uint64_t{1} << id;
  locations_[id] = {name, object_at(address)};
  memory_.set_first(id, value);
  return id;
}

void world::remove_location(unsigned id) {
  // Threads do not use the numbers of others again, so that numbers stay the same.
  if (count_ == 0) taken_ &= ~(std::uint64_t{1} << id);
}

void world::note_read(unsigned id, unsigned index) {
  note(memory_.value(id, index));
  last_read_[me_][id] = static_cast<std::uint8_t>(index);
  reads_[me_] |= std::uint64_t{1} << id;
}

std::uint64_t world::load(unsigned id, std::memory_order o) {
  if (me_ == outside) return memory_.last_value(id);
  pause_before({action::load, id, is_sc(o)});
  use(locations_[id].object);
  const unsigned newest = memory_.last(id);
  const unsigned index =
      newest - search_->choose(newest - memory_.oldest(me_, id, o) + 1);
  note_read(id, index);
  const std::uint64_t v = memory_.read(me_, id, index, o);
  log({me_, "load", locations_[id].name, id, v, 0, true, false, index != newest});
  return v;
}

void world::store(unsigned id, std::uint64_t value, std::memory_order o) {
  if (me_ == outside) return memory_.set_first(id, value);
  pause_before({action::store, id, is_sc(o)});
  use(locations_[id].object);
  if (memory_.last(id) >= 250) fail("more writes to a location than the machine keeps");
  note(0);
  memory_.write(me_, id, value, o);
  log({me_, "store", locations_[id].name, id, 0, value, false, true, false});
}

std::uint64_t world::update(unsigned id, std::memory_order o,
                            const std::function<std::uint64_t(std::uint64_t)>& change) {
  if (me_ == outside) {
    const std::uint64_t before = memory_.last_value(id);
    memory_.set_first(id, change(before));
    return before;
  }
  pause_before({action::update, id, is_sc(o)});
  use(locations_[id].object);
  const unsigned index = memory_.last(id);
  if (index >= 250) fail("more writes to a location than the machine keeps");
  const std::uint64_t old = memory_.value(id, index);
  const std::uint64_t changed = change(old);
  note_read(id, index);
  memory_.update(me_, id, changed, o);
  // Its own write is no news to it.
  last_read_[me_][id] = static_cast<std::uint8_t>(index + 1);
  log({me_, "update", locations_[id].name, id, old, changed, true, true, false});
  return old;
}

bool world::compare_exchange(unsigned id, std::uint64_t& seen, std::uint64_t value,
                             std::memory_order won, std::memory_order lost) {
  if (me_ == outside) {
    const std::uint64_t old = memory_.last_value(id);
    const bool same = old == std::exchange(seen, old);
    if (same) memory_.set_first(id, value);
    return same;
  }
  pause_before({action::update, id, is_sc(won) || is_sc(lost)});
  use(locations_[id].object);
  // To lose is to load any message with another value; only the last can be exchanged.
  std::vector<unsigned> readable;
  const unsigned newest = memory_.last(id);
  for (unsigned i = newest + 1; i-- > memory_.oldest(me_, id, lost);)
    if (i == newest || memory_.value(id, i) != seen) readable.push_back(i);
  const unsigned index =
      readable[search_->choose(static_cast<unsigned>(readable.size()))];
  note_read(id, index);
  const bool wins = index == newest && memory_.value(id, index) == seen;
  const std::uint64_t old = memory_.value(id, index);
  if (wins) {
    if (newest >= 250) fail("more writes to a location than the machine keeps");
    memory_.update(me_, id, value, won);
    last_read_[me_][id] = static_cast<std::uint8_t>(index + 1);
  } else {
    memory_.read(me_, id, index, lost);
  }
  seen = old;
  log({me_, wins ? "exchange" : "compare", locations_[id].name, id, old, value, true,
       wins, index != newest});
  return wins;
}

void world::fence() {
  if (me_ == outside) return;
  pause_before({action::fence, 0, true});
  note(0);
  memory_.fence(me_);
  log({me_, "fence", "", 0, 0, 0, false, false, false});
}

void world::fence_of(unsigned t) {
  if (me_ == outside) return;
  pause_before({action::heavy_fence, 0, true});
  note(0);
  memory_.fence_from_outside(t);
  log({me_, "fence in", program_.threads[t].name, t, 0, 0, false, false, false});
}

void world::fence_of_all() {
  if (me_ == outside) return;
  pause_before({action::heavy_fence, 0, true});
  note(0);
  // Twice: the first may have to learn what the last knew.
  for (int round = 0; round < 2; ++round) {
    memory_.fence(me_);
    for (unsigned t = 0; t < count_; ++t)
      if (t != me_) memory_.fence_from_outside(t);
  }
  log({me_, "heavy fence", "", 0, 0, 0, false, false, false});
}

void world::wait() {
  if (me_ == outside) return;
  pause_before({action::wait, 0, false});
  // Something changed: the next round reads news of at least one location.
  std::vector<unsigned> changed;
  for (std::uint64_t rest = reads_[me_]; rest != 0; rest &= rest - 1) {
    const auto id = static_cast<unsigned>(std::countr_zero(rest));
    if (memory_.last(id) > last_read_[me_][id]) changed.push_back(id);
  }
  const unsigned id = changed[search_->choose(static_cast<unsigned>(changed.size()))];
  memory_.raise(me_, id, last_read_[me_][id] + 1U);
  note(id);
  forget_reads();
}

void world::forget_reads() {
  if (me_ != outside) reads_[me_] = 0;
}

}  // namespace interleave
