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

struct limits {
  unsigned steps = 1000;  // of one execution
  std::size_t executions = ~std::size_t{0};
  bool cut = false;    // executions that need more steps are left; else they fail
  bool reduce = true;  // see search.hpp
};

// Every execution, or up to the first that fails.
verdict explore(const std::function<program()>& make, const limits& l = {});

// Expects that no execution fails.
void expect_holds(const char* protocol, const char* machine,
                  const std::function<program()>& make);

// Expects that one fails, for the reason `what` (or one that begins so): the protocol
// with `fault` in it.  The shortest schedule that few more executions find is reported.
void expect_caught(const char* protocol, const char* machine, const char* fault,
                   const char* what, const std::function<program()>& make);

std::string text_of(const failure& f);

}  // namespace interleave
