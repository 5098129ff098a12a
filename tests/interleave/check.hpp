// Runs programs over all their executions, tells GoogleTest, and keeps the figures for
// the report that is printed at the end.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "world.hpp"

namespace interleave {

struct verdict {
  std::size_t states = 0;
  std::size_t executions = 0;
  unsigned longest = 0;  // execution, in steps
  std::optional<failure> found;
};

// Every execution, or up to the first that fails.
verdict explore(const std::function<program()>& make);
// The same with executions of at most `most_steps`, and at most so many of them.
verdict explore(const std::function<program()>& make, unsigned most_steps,
                std::size_t most_executions);

// Expects that no execution fails.
void expect_holds(const char* protocol, const char* machine,
                  const std::function<program()>& make);

// Expects that one fails, for the reason `what` (or one that begins so): the protocol
// with `fault` in it.  The shortest schedule that few more executions find is reported.
void expect_caught(const char* protocol, const char* machine, const char* fault,
                   const char* what, const std::function<program()>& make);

std::string text_of(const failure& f);

}  // namespace interleave
