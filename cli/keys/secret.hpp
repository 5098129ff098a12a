// The secret of a keyed hash.  It is read from a file, so that it shows in no list of
// processes and no history.
#pragma once

#include <string>

#include <bloomery/hasher.hpp>

namespace bloomery::cli {

// 16 bytes, or 32 hex digits with or without a newline.  Throws failure.
hasher::secret read_secret(const std::string& path);

}  // namespace bloomery::cli
