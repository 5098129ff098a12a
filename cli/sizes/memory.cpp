#include "sizes/memory.hpp"

#include <unistd.h>

#include <limits>

namespace bloomery::cli {

double machine_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || bytes <= 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(pages) * static_cast<double>(bytes);
}

}  // namespace bloomery::cli
