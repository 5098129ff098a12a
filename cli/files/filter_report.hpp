// What `info` tells of a filter.
#pragma once

#include <optional>

#include "files/query_filter.hpp"
#include "text/json.hpp"

namespace bloomery::cli {

// null: not recorded, or not knowable.  `report`: of a container, all of it checked.
json facts_of(const opened& f, const std::optional<read_report>& report);

// Of a container of which only the header is believed: its hash has a secret.
json facts_of_header(const read_report& report);

}  // namespace bloomery::cli
