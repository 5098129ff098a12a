// File names in commands that a user would paste.
#pragma once

#include <string>
#include <string_view>

namespace bloomery::cli {

// The name as a POSIX shell reads it: itself if nothing in it is special, otherwise in
// single quotes.  A name that begins with a dash gets "./" in front: it is no option.
std::string shell_quoted(std::string_view name);

}  // namespace bloomery::cli
