// What `info` reports about a filter.
#pragma once

#include <optional>

#include "files/query_filter.hpp"
#include "text/json.hpp"

namespace bloomery::cli {

// null: not recorded, or not knowable.  `report`: of a container, after every checksum.
json filter_report(const query_filter& f, const std::optional<read_report>& report);

// The report on a container whose bits cannot be interpreted: its hash has a secret.
json header_report(const read_report& report);

}  // namespace bloomery::cli
