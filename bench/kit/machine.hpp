// Where and how a table of numbers was made.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace bloomery::bench {

struct cache_sizes {  // bytes; 0 where the system reports none
  std::size_t l1 = 0, l2 = 0, l3 = 0;
};
cache_sizes caches();

// That programs may still take without swapping; 0 where the system reports none.
std::size_t available_memory();

// The average of the last minute: above one, other programs ran too.  None where the
// system reports none.
std::optional<double> load_average();

// Times go into a document only from an idle machine.  Throws std::runtime_error, with
// the load in its message, if `load` is above max_load_to_write.
inline constexpr double max_load_to_write = 0.5;
void require_idle(std::optional<double> load);

// A Markdown list: CPU, caches, memory pages, compiler and flags, load.
std::string describe_machine();

// A further item of that list, or a separate line, when the measurement has ended.  If it
// is above the number of threads that measured, other programs ran too.
std::string describe_load_at_end();

}  // namespace bloomery::bench
