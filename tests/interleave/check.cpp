#include "check.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "report.hpp"

namespace interleave {
namespace {

// None of our programs comes near; one that does spins without waiting.
constexpr unsigned too_many_steps = 1000;
constexpr std::size_t shrink_executions = 20000;

}  // namespace

verdict explore(const std::function<program()>& make, unsigned most_steps,
                std::size_t most_executions) {
  verdict v;
  search s;
  world w(most_steps);
  do {
    w.run(make, s);
    ++v.executions;
    v.longest = std::max(v.longest, w.steps());
    v.found = w.failed();
    if (!v.found && w.cut_short() && most_steps == too_many_steps)
      v.found = failure{"an execution that does not end", {}, w.steps()};
  } while (!v.found && v.executions < most_executions && s.advance());
  v.states = s.states();
  return v;
}

verdict explore(const std::function<program()>& make) {
  return explore(make, too_many_steps, ~std::size_t{0});
}

void expect_holds(const char* protocol, const char* machine,
                  const std::function<program()>& make) {
  const verdict v = explore(make);
  EXPECT_FALSE(v.found) << protocol << " on the machine " << machine << ": "
                        << text_of(*v.found);
  add_to_report(protocol, machine, v);
}

void expect_caught(const char* protocol, const char* machine, const char* fault,
                   const char* what, const std::function<program()>& make) {
  verdict v = explore(make);
  EXPECT_TRUE(v.found) << protocol << " with the fault \"" << fault
                       << "\" passes for right: " << v.executions << " executions";
  if (!v.found) return;
  const std::size_t executions = v.executions;
  std::optional<failure> shortest = v.found;
  while (v.found && shortest->steps > 0) {
    v = explore(make, shortest->steps - 1, shrink_executions);
    if (v.found && v.found->what == shortest->what)
      shortest = v.found;
    else
      break;
  }
  EXPECT_EQ(shortest->what.rfind(what, 0), 0U)
      << fault << " is caught for another reason: " << text_of(*shortest);
  add_to_report(protocol, machine, fault, executions, *shortest);
}

std::string text_of(const failure& f) {
  std::string text = f.what + ", after " + std::to_string(f.steps) + " steps\n";
  for (const std::string& line : f.schedule) text += "    " + line + "\n";
  return text;
}

}  // namespace interleave
