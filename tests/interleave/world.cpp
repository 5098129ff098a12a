// Executions: who steps next, and what a state is.  The operations are in
// world_memory.cpp.
#include "world.hpp"

#include <bit>
#include <cstring>

namespace interleave {

void world::clear() {
  memory_.reset();
  running_ = steps_ = count_ = 0;
  cut_short_ = false;
  me_ = outside;
  next_ = {};
  history_ = {};
  reads_ = {};
  locations_ = {};
  taken_ = 0;
  for (auto& p : plains_) p.clear();
  for (auto& o : objects_) o.clear();
  for (auto& a : *arenas_) a.used = 0;
  events_.clear();
  failure_.reset();
}

void world::run(const std::function<program()>& make, search& s) {
  now_ = this;
  search_ = &s;
  clear();
  s.begin();
  program_ = make();
  count_ = static_cast<unsigned>(program_.threads.size());
  running_ = (1U << count_) - 1;
  // Numbers of locations that threads make must not depend on who comes first.
  const auto first = static_cast<unsigned>(std::bit_width(taken_));
  for (unsigned t = 0; t < count_; ++t) {
    next_location_[t] = first + (max_locations - first) * t / count_;
    end_location_[t] = first + (max_locations - first) * (t + 1) / count_;
  }
  for (me_ = 0; me_ < count_ && !failure_; ++me_) {
    fibers_[me_].start(program_.threads[me_].run);
    if (fibers_[me_].ended()) running_ &= ~(1U << me_);
  }
  step_through(s);
  me_ = outside;
  if (!failure_ && running_ == 0) program_.at_end();
  for (auto& of_maker : objects_)
    for (object& o : of_maker) o.destroy(o.begin);
  program_ = {};
}

void world::step_through(search& s) {
  unsigned asleep = 0, last = search::none;
  while (!failure_ && running_ != 0) {
    unsigned can = 0;
    for (unsigned t = 0; t < count_; ++t)
      if (is_running(t) && enabled(t)) can |= 1U << t;
    if (can == 0) return fail("deadlock: every thread waits");
    if (steps_ == max_steps_) {
      cut_short_ = true;
      return;
    }
    const unsigned t = s.pick(can, asleep, last, [&] { return state(); });
    if (t == search::none) return;
    const unsigned tried = s.asleep();
    asleep = 0;
    for (unsigned u = 0; u < count_; ++u)
      if ((tried >> u & 1) != 0 && u != t && commute(t, u)) asleep |= 1U << u;
    ++steps_;
    me_ = last = t;
    fibers_[t].resume();
    if (fibers_[t].ended()) running_ &= ~(1U << t);
    me_ = outside;
  }
}

void world::pause_before(next_step n) {
  next_[me_] = n;
  fiber::pause();
}

bool world::enabled(unsigned t) const {
  if (next_[t].what != action::wait) return true;
  for (std::uint64_t rest = reads_[t]; rest != 0; rest &= rest - 1) {
    const auto id = static_cast<unsigned>(std::countr_zero(rest));
    if (memory_.last(id) > last_read_[t][id]) return true;
  }
  return false;
}

// Whether the next steps of t and u end in the same state in either order, and neither
// gives the other choices or takes them.
bool world::commute(unsigned t, unsigned u) const {
  const next_step &a = next_[t], &b = next_[u];
  if (a.what == action::heavy_fence || b.what == action::heavy_fence) return false;
  if (a.what == action::wait && b.what == action::wait) return true;
  if (a.what == action::wait || b.what == action::wait) {
    const unsigned waits = a.what == action::wait ? t : u;
    const next_step& other = next_[waits == t ? u : t];
    return other.what == action::fence || (reads_[waits] >> other.id & 1) == 0;
  }
  if (a.what == action::fence || b.what == action::fence)
    return !(a.what == action::fence && b.what == action::fence) && !a.sc && !b.sc;
  if (a.id != b.id) return true;
  return a.what == action::load && b.what == action::load && !(a.sc && b.sc);
}

state_key world::state() const {
  state_key k;
  for (unsigned t = 0; t < count_; ++t) {
    k.add(history_[t]);
    k.add(is_running(t) ? 1 : 0);
    for (std::uint64_t rest = reads_[t]; rest != 0; rest &= rest - 1) {
      const auto id = static_cast<unsigned>(std::countr_zero(rest));
      k.add(memory_.last(id) - last_read_[t][id]);  // news it can wait for
    }
  }
  memory_.for_each_part(running_, [&](const void* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; i += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, static_cast<const std::byte*>(bytes) + i, sizeof word);
      k.add(word);
    }
  });
  const auto add_clocks = [&](const clocks& c) {
    std::uint64_t word = 0;
    static_assert(sizeof word == sizeof c);
    std::memcpy(&word, c.data(), sizeof word);
    k.add(word);
  };
  for (unsigned m = 0; m <= outside; ++m) {
    for (const plain_cell& p : plains_[m]) {
      k.add(p.bits);
      k.add(p.writer * 256 + p.written);
      add_clocks(p.read);
    }
    for (const object& o : objects_[m]) {
      k.add(o.freed ? 1 : 0);
      add_clocks(o.used);
    }
  }
  return k;
}

void world::note(std::uint64_t read) {
  history_[me_] = (history_[me_] ^ read) * 0x9FB21C651E98DF25 + 0xD6E8FEB86659FD93;
  history_[me_] ^= history_[me_] >> 31;
}

unsigned world::tick() {
  const unsigned c = memory_.tick(me_);
  if (c >= 250) fail("more uses of plain memory than the machine counts");
  return c;
}

void world::fail(const char* what) {
  if (!failure_) {
    failure_.emplace(failure{what, {}, steps_});
    for (const event& e : events_) failure_->schedule.push_back(line_of(e));
  }
  if (me_ != outside)
    for (;;) fiber::pause();  // it is not resumed
}

}  // namespace interleave
