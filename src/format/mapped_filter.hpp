// A filter over a mapped payload, behind a row: what detail::map_filter does once the
// number of the kind is resolved to a row.
#pragma once

#include <optional>

#include <bloomery/filter_view.hpp>

#include "format/kind/row.hpp"

namespace bloomery::format {

result<void> map_filter(const kind_calls& row, const input_file& file,
                        const read_options& o,
                        std::optional<detail::mapped_filter>& mapped,
                        void* where) noexcept;

}  // namespace bloomery::format
