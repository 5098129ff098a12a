// The name that was probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bloomery::cli {

// The known name with the fewest edits from `typed` (a character more, less or another,
// or two swapped), if they are at most a third of its characters, rounded up; or the only
// one that begins with `typed`.  Empty: none, or several that are as near.
std::string nearest_name(std::string_view typed, const std::vector<std::string>& known);

// "; did you mean 'query'?", or nothing.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known);

}  // namespace bloomery::cli
