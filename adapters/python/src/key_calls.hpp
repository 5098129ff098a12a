// Keys in and out, the same for filters, mapped files and concurrent filters.
//
// A Target has `hash` (its hasher), `access` (turns) and
//   ask(keys, answers)            lookups
//   add(keys) -> added_keys       inserts, up to the first key that is refused
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

#include "answers.hpp"
#include "batch.hpp"
#include "list_column.hpp"
#include "one_key.hpp"
#include "raise.hpp"
#include "slots.hpp"
#include "turns.hpp"
#include "unchanged.hpp"

namespace bloomery::py {

// How many keys of a batch are in, and why not the next one.
struct added_keys {
  std::size_t count = 0;
  std::optional<error> refused = std::nullopt;
};

// use(keys, answers) for each group, with room for its answers in `to`; false ends it.
template <class Use>
void answer_groups(const column& c, const hasher& h, bool* to, Use use) {
  std::array<bool, group_size> some;
  for_each_group(c, h,
                 [&](std::span<const key> ks, std::size_t first, const bool* valid) {
                   bool* const here = valid == nullptr ? to + first : some.data();
                   const bool goes_on = use(ks, std::span(here, ks.size()));
                   if (valid != nullptr)
                     spread(std::span<const bool>(here, ks.size()), valid, to + first);
                   return goes_on;
                 });
}

// `h`: the hasher of the Target; or, of keys that were hashed before, one of hashes.
template <class Target>
answers ask_all(Target& t, const hasher& h, nb::handle keys) {
  answers out;
  for_each_column(keys, h, [&](const column& c) {
    bool* const to = out.extend(c);
    const read_turn turn(t.access);
    const nb::gil_scoped_release release;
    answer_groups(c, h, to, [&](std::span<const key> ks, std::span<bool> here) {
      t.ask(ks, here);
      return true;
    });
  });
  check_unchanged(t);
  return out;
}

// use(keys) -> added_keys, for one span of all keys that are hashed already, otherwise
// for each group.
template <class Use>
added_keys add_groups(const column& c, const hasher& h, Use use) {
  if (c.holds() == column::sort::hashed)
    return use(static_cast<const hashed_column&>(c).all());
  added_keys all;
  for_each_group(c, h, [&](std::span<const key> ks, std::size_t, const bool*) {
    const added_keys some = use(ks);
    all.count += some.count;
    all.refused = some.refused;
    return !some.refused;
  });
  return all;
}

// Raises the exception that is being handled, with the number of keys that are in.
[[noreturn]] void raise_after(std::size_t keys_done, nb::python_error& e);

template <class Target>
answers ask_all(Target& t, nb::handle keys) {
  return ask_all(t, t.hash, keys);
}

template <class Target>
void add_all(Target& t, const hasher& h, nb::handle keys) {
  std::size_t done = 0;
  try {
    for_each_column(keys, h, [&](const column& c) {
      added_keys added;
      {
        const write_turn turn(t.access);
        const nb::gil_scoped_release release;
        added = add_groups(c, h, [&](std::span<const key> ks) { return t.add(ks); });
      }
      done += added.count;
      if (added.refused) raise(*added.refused);
    });
  } catch (nb::python_error& e) {
    raise_after(done, e);
  }
}

// `key in f`
template <class Target>
int contains(PyObject* self, PyObject* o) noexcept {
  Target* const t = instance<Target>(self);
  key k;
  if (t == nullptr || !hash_key(t->hash, o, k)) return -1;
  t->access.before_read();
  const bool found = t->ask(k);
  if constexpr (watching<Target>) {
    if (!t->file.unchanged()) [[unlikely]] {
      try {
        t->file.check();
      } catch (nb::python_error& e) {
        e.restore();
      }
      return -1;
    }
  }
  return found;
}

}  // namespace bloomery::py
