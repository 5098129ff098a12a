// Formats that cannot keep every rate: the tool says so before it builds.
#pragma once

#include <cstdint>

#include <bloomery/kinds.hpp>

namespace bloomery::cli {

// Warns where the format barely keeps the rate of a request.  Throws failure where it
// does not, unless the request is forced.  `layout` is what the request comes to.
// REQUIRES: request.is_by_rate()
void check_promise(const kind_info& what, std::uint64_t keys, const size_request& request,
                   const filter_size& layout);

}  // namespace bloomery::cli
