// Standard input as the file of a filter.
#pragma once

#include <bloomery/container.hpp>

namespace bloomery::cli {

// A regular file is opened as it is.  A pipe is read whole into memory: a container only
// as far as its header says, and one byte more, which is refused later; anything else up
// to half of the machine's memory.  Throws failure: a terminal, too large, read before.
result<input_file> open_standard_input();

}  // namespace bloomery::cli
