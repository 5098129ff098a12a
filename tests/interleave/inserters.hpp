// Threads that insert, and one that asks for what it heard of: for every way to insert.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "toy_filter.hpp"
#include "world.hpp"

namespace interleave {

inline constexpr const char* false_negative = "an insert that happened before is denied";

template <class Filter>
struct shared {
  Filter filter;
  std::array<signal, 3> done;
};

// Each key is inserted by a thread of its own.  Key: what Filter takes.
template <class Filter, class Key>
std::function<program()> inserters(std::vector<Key> keys) {
  return [keys] {
    const auto s = std::make_shared<shared<Filter>>();
    program p;
    for (std::size_t i = 0; i < keys.size(); ++i)
      p.threads.push_back({"inserter", [s, i, k = keys[i]] {
                             s->filter.insert(k);
                             s->done[i].send();
                           }});
    p.threads.push_back({"reader", [s, keys] {
                           for (std::size_t i = 0; i < keys.size(); ++i)
                             if (s->done[i].received() != 0)
                               require(s->filter.may_contain(keys[i]), false_negative);
                         }});
    p.at_end = [s, keys] {
      for (const Key& k : keys) require(s->filter.may_contain(k), false_negative);
    };
    return p;
  };
}

}  // namespace interleave
