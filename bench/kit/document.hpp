// Numbers in a document come from the program, never from a keyboard.
#pragma once

#include <string>
#include <string_view>

namespace bloomery::bench {

// Replaces what stands between the lines
//   <!-- NAME: begin -->
//   <!-- NAME: end -->
// of the file.  Throws std::runtime_error if it has no such lines or cannot be written.
void write_between_markers(const std::string& path, const std::string& name,
                           std::string_view text);

}  // namespace bloomery::bench
