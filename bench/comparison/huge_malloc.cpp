#include "comparison/huge_malloc.hpp"

#include <unistd.h>

#include <cstdlib>

namespace bloomery::bench {

void use_huge_malloc(char** argv) {
  constexpr const char* name = "GLIBC_TUNABLES";
  if (std::getenv(name) != nullptr) return;
  if (setenv(name, "glibc.malloc.hugetlb=1", 0) == 0) execv("/proc/self/exe", argv);
}

}  // namespace bloomery::bench
