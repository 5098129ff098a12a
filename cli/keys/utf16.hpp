// UTF-8 text as Java sees it.
#pragma once

#include <string>
#include <string_view>

namespace bloomery::cli {

// Appends the little-endian UTF-16 units of `text`; false, with nothing appended, if it
// is not UTF-8.
bool append_utf16(std::string_view text, std::string& bytes);

}  // namespace bloomery::cli
