// Filters that cannot be changed, because they were built from all keys at once.
#pragma once

#include <string_view>

#include <bloomery/any_filter.hpp>

namespace bloomery::cli {

// Throws failure if the filter is of such a kind, naming those that have the call.
// `what`: "keys cannot be added to".
template <capability call>
void refuse_static(std::string_view path, const any_filter& f, std::string_view what);

}  // namespace bloomery::cli
