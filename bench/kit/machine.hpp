// Where and how a table of numbers was made.
#pragma once

#include <cstddef>
#include <string>

namespace bloomery::bench {

struct cache_sizes {  // bytes; 0 where the system reports none
  std::size_t l1 = 0, l2 = 0, l3 = 0;
};
cache_sizes caches();

// That programs may still take without swapping; 0 where the system reports none.
std::size_t available_memory();

// A Markdown list: CPU, caches, memory pages, compiler and flags, load.
std::string describe_machine();

}  // namespace bloomery::bench
