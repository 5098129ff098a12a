// A Bloom filter that Redis dumped in pieces (BF.SCANDUMP), one file each.
#pragma once

#include <string>

#include <bloomery/pages.hpp>

namespace bloomery::cli {

// The pieces in `folder`, joined: the file named "header" or "*.header", then the others
// by the last number in their names.  Names that leave the order open are refused, and so
// is a number after "iter" or "pos" that is not 1 and the bytes of data so far.
// Throws failure.
pages read_dump(const std::string& folder);

}  // namespace bloomery::cli
