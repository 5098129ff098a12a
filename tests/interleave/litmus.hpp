// Litmus tests: programs of a few steps, by which memory models are told apart.
//
// outcomes() collects what all executions of one read.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "check.hpp"
#include "machine.hpp"

namespace interleave::litmus {

using order = std::memory_order;
inline constexpr order relaxed = std::memory_order_relaxed,
                       acquire = std::memory_order_acquire,
                       release = std::memory_order_release,
                       sc = std::memory_order_seq_cst;

struct cells {
  atomic<int> x{0, "x"}, y{0, "y"};
  std::string result = "....";  // a digit a load
};

inline void keep(cells& c, std::size_t at, int v) {
  c.result[at] = static_cast<char>('0' + v);
}

using body = std::function<void(cells&)>;

inline std::set<std::string> outcomes(
    std::initializer_list<body> bodies, const body& at_end = [](cells&) {}) {
  std::set<std::string> all;
  const verdict v = explore([&] {
    const auto c = std::make_shared<cells>();
    program p;
    for (const body& b : bodies) p.threads.push_back({"thread", [c, &b] { b(*c); }});
    p.at_end = [c, &all, &at_end] {
      at_end(*c);
      all.insert(c->result);
    };
    return p;
  });
  EXPECT_FALSE(v.found) << text_of(*v.found);
  return all;
}

// x = 1; r = y  beside  y = 1; r = x.
inline std::set<std::string> store_buffering(order o, const std::function<void()>& first,
                                             const std::function<void()>& second) {
  return outcomes({[&, o](cells& c) {
                     c.x.store(1, o);
                     first();
                     keep(c, 0, c.y.load(o));
                   },
                   [&, o](cells& c) {
                     c.y.store(1, o);
                     second();
                     keep(c, 1, c.x.load(o));
                   }});
}

inline const std::set<std::string> all_of_two = {"00..", "01..", "10..", "11.."};
inline const std::set<std::string> no_zeros = {"01..", "10..", "11.."};

}  // namespace interleave::litmus
