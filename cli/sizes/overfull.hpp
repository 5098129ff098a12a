// Warns of a filter that holds more keys than it was made for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <bloomery/any_filter.hpp>
#include <bloomery/foreign_filter.hpp>

namespace bloomery::cli {

// What is wrong with a filter that keeps its rate by growing, where its levels hold more
// keys than their shares, as after a union: "about N keys are more than ...".
std::optional<std::string> overfull_levels(const any_filter& filter);

// `remedy` says what to do about it.  Silent where no capacity is known.
void warn_if_overfull(const any_filter& filter, std::string_view remedy);
void warn_if_overfull(const foreign_filter& filter, std::uint64_t capacity,
                      std::string_view remedy);

}  // namespace bloomery::cli
