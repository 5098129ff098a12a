// Warns of a filter that holds more keys than it was made for.
#pragma once

#include <string_view>

#include <bloomery/any_filter.hpp>

namespace bloomery::cli {

// `remedy` says what to do about it.  Silent where no capacity is recorded.
void warn_if_overfull(const any_filter& filter, std::string_view remedy);

}  // namespace bloomery::cli
