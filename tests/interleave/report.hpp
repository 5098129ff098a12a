// The tables printed when the tests have run.
#pragma once

#include <cstddef>

#include "check.hpp"

namespace interleave {

void add_to_report(const char* protocol, const char* machine, const verdict& v);
void add_to_report(const char* protocol, const char* machine, const char* fault,
                   std::size_t executions, const failure& shortest);

}  // namespace interleave
