// Memory without synchronisation, objects and their lives, and how a failure is told.
#include "world.hpp"

namespace interleave {

std::optional<world::place> world::object_at(const void* address) const {
  const auto* const p = static_cast<const std::byte*>(address);
  for (unsigned m = 0; m <= outside; ++m)
    for (unsigned n = 0; n < objects_[m].size(); ++n) {
      const object& o = objects_[m][n];
      if (p >= o.begin && p < o.begin + o.size) return place{m, n};
    }
  return std::nullopt;
}

void* world::add_object(const char* name, std::size_t size, std::size_t align,
                        void (*destroy)(void*)) {
  arena& a = (*arenas_)[me_];
  const std::size_t from = (a.used + align - 1) / align * align;
  if (from + size > a.bytes.size()) fail("more memory than an arena has");
  a.used = from + size;
  std::byte* const begin = a.bytes.data() + from;
  const unsigned made = me_ == outside ? 0 : tick();
  objects_[me_].push_back({name, begin, size, destroy, me_, made});
  return begin;
}

// The running thread touches an object: it must be there, and whoever frees it must know.
void world::use(const std::optional<place>& o) {
  if (!o || me_ == outside) return;
  object& used = at(*o);
  if (used.freed) fail("freed too early: it is used");
  if (used.maker != outside && !memory_.knows(me_, used.maker, used.made))
    fail("use of an object before it is known to be made");
  used.used[me_] = static_cast<std::uint8_t>(tick());
}

void world::free_object(const void* p) {
  if (me_ == outside) return;
  const std::optional<place> found = object_at(p);
  if (!found) return fail("free of what was not made");
  object& o = at(*found);
  log({me_, "free", o.name, found->number, 0, 0, false, false, false});
  if (o.freed) fail("freed twice");
  for (unsigned t = 0; t < count_; ++t)
    if (!memory_.knows(me_, t, o.used[t]))
      fail("freed too early: another thread may use it");
  o.freed = true;
}

world::place world::add_plain(std::uint64_t bits, const char* name, const void* address) {
  plain_cell c{name, object_at(address), bits};
  if (me_ != outside) {
    c.writer = me_;
    c.written = tick();
  }
  plains_[me_].push_back(c);
  return {me_, static_cast<unsigned>(plains_[me_].size()) - 1};
}

void world::read_plain(place p) {
  if (me_ == outside) return;
  plain_cell& c = plains_[p.maker][p.number];
  log({me_, "read", c.name, p.number, c.bits, 0, true, false, false});
  use(c.object);
  if (c.writer != outside && !memory_.knows(me_, c.writer, c.written))
    fail("data race: a read that does not know of the write");
  c.read[me_] = static_cast<std::uint8_t>(tick());
  note(c.bits);
}

void world::write_plain(place p, std::uint64_t bits) {
  plain_cell& c = plains_[p.maker][p.number];
  if (me_ != outside) {
    log({me_, "write", c.name, p.number, 0, bits, false, true, false});
    use(c.object);
    if (c.writer != outside && !memory_.knows(me_, c.writer, c.written))
      fail("data race: two writes");
    for (unsigned t = 0; t < count_; ++t)
      if (!memory_.knows(me_, t, c.read[t]))
        fail("data race: a write that does not know of the read");
    c.writer = me_;
    c.written = tick();
  }
  c.bits = bits;
}

std::string world::value_text(std::uint64_t v) const {
  for (const auto& of_maker : objects_)
    for (unsigned n = 0; n < of_maker.size(); ++n)
      if (v == reinterpret_cast<std::uintptr_t>(of_maker[n].begin))
        return of_maker[n].name + std::string(" of ") +
               (of_maker[n].maker == outside ? "the beginning"
                                             : program_.threads[of_maker[n].maker].name);
  return std::to_string(v);
}

std::string world::line_of(const event& e) const {
  std::string line = std::string(program_.threads[e.thread].name) + ": " + e.verb;
  if (*e.what != '\0')
    line += std::string(" ") + e.what + " #" + std::to_string(e.number);
  if (e.reads) line += " reads " + value_text(e.read) + (e.stale ? " (stale)" : "");
  if (e.writes) line += " writes " + value_text(e.written);
  return line;
}

}  // namespace interleave
