// What a builder says of its filter, checked before a file is replaced by one that every
// reader would refuse.
#pragma once

#include <bloomery/container.hpp>

#include "format/kind/row.hpp"

namespace bloomery::format {

// `row`: of the kind; null where it has none.
// Errors: invalid_argument (a rate outside [0, 1); more than 8 sentinels; sentinels or a
// count of keys where the kind carries none).
result<void> check_builder_notes(const write_notes& notes,
                                 const kind_calls* row) noexcept;

// The first of `sentinels` that the filter denies; their number if there is none.
std::size_t first_missing(const kind_calls& row, const void* filter,
                          std::span<const key> sentinels) noexcept;

// Errors: as above, and invalid_argument (a sentinel that is not in the filter; asked:
// its place).  REQUIRES: nobody changes the filter meanwhile
result<void> check_builder_notes(const write_notes& notes, const kind_calls& row,
                                 const void* filter) noexcept;

}  // namespace bloomery::format
