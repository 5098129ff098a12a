#include "check.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "cases.hpp"
#include "full.hpp"
#include "report.hpp"

namespace interleave {
namespace {

// Executions shorter than `steps`, as far as they are found quickly.
std::optional<failure> shorter(const std::function<program()>& make, unsigned steps) {
  constexpr std::size_t quickly = 20000;
  return explore(make, {.steps = steps - 1, .executions = quickly, .cut = true}).found;
}

}  // namespace

verdict explore(const std::function<program()>& make, const limits& l) {
  verdict v;
  search s(l.reduce);
  world w(l.steps);
  do {
    w.run(make, s);
    ++v.executions;
    v.longest = std::max(v.longest, w.steps());
    v.found = w.failed();
    if (!v.found && w.cut_short() && !l.cut)
      v.found = failure{"an execution that does not end", {}, w.steps()};
  } while (!v.found && v.executions < l.executions && s.advance());
  v.states = s.states();
  return v;
}

void expect_holds(const char* protocol, const char* machine,
                  const std::function<program()>& make) {
  // A sanitizer looks at the checker, which the first executions show it.
  limits l;
  if (bloomery::testing::sanitized) l.executions = 1000;
  const verdict v = explore(make, l);
  EXPECT_FALSE(v.found) << protocol << " on the machine " << machine << ": "
                        << text_of(*v.found);
  bloomery::testing::count_cases("executions", v.executions);
  add_to_report(protocol, machine, v);
}

void expect_caught(const char* protocol, const char* machine, const char* fault,
                   const char* what, const std::function<program()>& make) {
  const verdict v = explore(make);
  EXPECT_TRUE(v.found) << protocol << " with the fault \"" << fault
                       << "\" passes for right: " << v.executions << " executions";
  bloomery::testing::count_cases("executions", v.executions);
  if (!v.found) return;
  failure shortest = *v.found;
  for (auto next = v.found; next && next->what == shortest.what;) {
    shortest = *next;
    next = shorter(make, shortest.steps);
  }
  EXPECT_EQ(shortest.what.rfind(what, 0), 0U)
      << fault << " is caught for another reason: " << text_of(shortest);
  add_to_report(protocol, machine, fault, v.executions, shortest);
}

std::string text_of(const failure& f) {
  std::string text = f.what + ", after " + std::to_string(f.steps) + " steps\n";
  for (const std::string& line : f.schedule) text += "    " + line + "\n";
  return text;
}

}  // namespace interleave
