// From "so many keys at such a rate" to an empty filter, or to one line that says what
// was asked, what it would need and the nearest thing that works.
#pragma once

#include <cstdint>

#include "sizes/kinds.hpp"

namespace bloomery::cli {

// What is wrong whatever the number of keys, found before any is read.  Throws failure.
void check_size_request(const kind& what, const size_request& size);

// An empty filter.  Throws failure: no such rate, or more memory than there is.
// REQUIRES: keys > 0, check_size_request has passed
any_filter make_sized(const kind& what, std::uint64_t keys, const size_request& size,
                      const hasher& hash);

}  // namespace bloomery::cli
