// How many lines files have, without taking them apart: an upper bound of their keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bloomery::cli {

// Reads regular files to their ends, from where standard input stands, and leaves its
// position alone.  Nothing if one of them is no regular file, cannot be read or looks
// compressed: it must be read as keys to know.
std::optional<std::uint64_t> count_lines(const std::vector<std::string>& files,
                                         char terminator);

}  // namespace bloomery::cli
