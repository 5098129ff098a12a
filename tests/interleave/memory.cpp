#include "memory.hpp"

namespace interleave {

void memory::reset() {
  for (auto& w : writes_) w.clear();
  threads_ = {};
  sc_ = {};
}

void memory::set_first(unsigned id, std::uint64_t value) {
  writes_[id].assign(1, {value, {}});
}

std::uint64_t memory::read(unsigned t, unsigned id, unsigned index, std::memory_order o) {
  const message& m = writes_[id][index];
  thread_views& v = threads_[t];
  raise(t, id, index);
  v.heard.join(m.known);
  if (acquires(o)) v.now.join(m.known);
  if (is_sc(o)) sc_.raise(id, index);
  return m.value;
}

void memory::write(unsigned t, unsigned id, std::uint64_t value, std::memory_order o) {
  const auto index = static_cast<unsigned>(writes_[id].size());
  thread_views& v = threads_[t];
  raise(t, id, index);
  message m{value, releases(o) ? v.now : v.told};
  m.known.raise(id, index);
  writes_[id].push_back(m);
  if (is_sc(o)) sc_.raise(id, index);
}

std::uint64_t memory::update(unsigned t, unsigned id, std::uint64_t value,
                             std::memory_order o) {
  const unsigned before = last(id);
  const std::uint64_t old = read(t, id, before, o);
  write(t, id, value, o);
  writes_[id].back().known.join(writes_[id][before].known);
  return old;
}

void memory::fence(unsigned t) {
  thread_views& v = threads_[t];
  v.heard.join(sc_);
  sc_ = v.now = v.told = v.heard;
}

void memory::fence_from_outside(unsigned t) {
  thread_views& v = threads_[t];
  v.heard.join(sc_);
  v.now = v.heard;
  view passed = v.heard;
  passed.at[clock_of(t)] = 0;
  sc_.join(passed);
  v.told.join(passed);
}

}  // namespace interleave
