// The command that makes filters like one, from other keys: what refusals advise.
#pragma once

#include <cstdint>
#include <string>

#include "files/loaded_filter.hpp"

namespace bloomery::cli {

// "bloomery build KEYS --kind bloom --capacity 3000 --fpr 0.01 -o OUT": the kind, the
// options that the filter shows, its hash and its keys.  `fpr`: 0: its own.  Filters that
// one such command makes can be merged, if their kind can.
// Empty: the tool does not write this form.
std::string rebuild_command(const loaded_filter& like, std::uint64_t capacity,
                            double fpr = 0);

}  // namespace bloomery::cli
