// A property that does not hold ends the process, which is how a fuzzer learns of it.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace fuzz {

inline void check(bool holds, const char* otherwise) {
  if (holds) return;
  std::fprintf(stderr, "property broken: %s\n", otherwise);
  std::abort();
}

}  // namespace fuzz
