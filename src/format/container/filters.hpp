// Filters in containers, behind a row: what detail::read_filter and its like do once the
// number of the kind is resolved to a row.
#pragma once

#include <bloomery/container.hpp>

#include "format/container/reader.hpp"
#include "format/kind/row.hpp"

namespace bloomery::format {

// Makes the filter at `where`, if there is no error.
result<void> read_filter(const kind_calls& row, const container_source& from,
                         const read_options& o, read_report* report,
                         void* where) noexcept;

result<pages> encode_filter(const kind_calls& row, const void* filter,
                            const write_notes& notes) noexcept;

}  // namespace bloomery::format
