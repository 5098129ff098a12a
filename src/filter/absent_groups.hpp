// Many keys inserted in order, each with the answer whether it was absent: for the source
// files of the filters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include <bloomery/key.hpp>

namespace bloomery {

// Keys that are looked up before the first of them is inserted: their lines, 64 KiB of
// two per key, are still in the L2 cache then.
inline constexpr std::size_t absent_group = 512;

// A batched lookup overlaps the latency of memory, and what it finds stays found: bits
// are only ever set.  The keys that it does not find are tested once more, one by one,
// because an equal key, or one whose bits complete theirs, may precede them in the group.
//
// look_up(keys, found) answers a batch; insert_if_absent(key) is the one-key call.
template <class LookUp, class InsertIfAbsent>
void insert_by_groups(std::span<const key> ks, std::span<bool> absent, LookUp look_up,
                      InsertIfAbsent insert_if_absent) noexcept {
  for (std::size_t at = 0; at < ks.size(); at += absent_group) {
    const auto some = ks.subspan(at, std::min(absent_group, ks.size() - at));
    const auto answers = absent.subspan(at, some.size());
    look_up(some, answers);
    for (std::size_t i = 0; i < some.size(); ++i)
      answers[i] = !answers[i] && insert_if_absent(some[i]);
  }
}

}  // namespace bloomery
