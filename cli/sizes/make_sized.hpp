// From "so many keys at such a rate" to an empty filter, or to one line that says what
// was requested, what it would need and the nearest request that works.
#pragma once

#include <cstdint>

#include <bloomery/any_filter.hpp>
#include <bloomery/kinds.hpp>

namespace bloomery::cli {

// What is wrong for any number of keys, found before they are read.  Throws failure.
void check_size_request(const kind_info& what, const size_request& size);

// Warns where the format barely keeps the rate.  Throws failure: no such rate, or more
// memory than there is.  REQUIRES: keys > 0, check_size_request has passed
void check_size(const kind_info& what, std::uint64_t keys, const size_request& size);

// An empty filter, checked so.  Throws failure.
// REQUIRES: keys > 0, check_size_request has passed, the kind can insert
any_filter make_sized(const kind_info& what, std::uint64_t keys, const size_request& size,
                      const hasher& hash);

// Warns of a filter that was not sized by its rate and has a useless one.
void warn_if_useless(const any_filter& filter, std::uint64_t keys,
                     const size_request& size);

}  // namespace bloomery::cli
