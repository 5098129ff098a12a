// Files that are no filters, by their first bytes.
#pragma once

#include <string_view>

namespace bloomery::cli {

// "gzip data", "text"; empty: nothing that is known.
std::string_view known_as(std::string_view head);

// The command that decompresses such data to standard output, or empty.
std::string_view decompressor_of(std::string_view name);

}  // namespace bloomery::cli
