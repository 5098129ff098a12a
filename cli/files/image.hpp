// The bytes of a filter as they lie in a file, or in the files of a dump.
#pragma once

#include <string>

#include <bloomery/pages.hpp>

namespace bloomery::cli {

// All bytes of a regular file.  A directory is a dump, as Redis gives one out in pieces:
// the file named "header" or "*.header", then the others by the last number in their
// names, joined; names that leave the order open, or a number after "iter" or "pos" that
// is not 1 and the bytes of data so far, are refused.  Throws failure.
pages image_of(const std::string& path);

}  // namespace bloomery::cli
