// Arrow arrays as columns of keys, where they lie.
#pragma once

#include <memory>

#include "arrow_abi.hpp"
#include "column.hpp"

namespace bloomery::py {

// Strings, binary, integers, dictionaries of those, and the one column of a table.  The
// array must outlive the column.  Every offset and index is checked first, so that a
// batch that is refused has changed nothing; an array whose buffers are shorter than it
// says cannot be noticed, for Arrow does not record their length. Raises TypeError
// (another type of array, with a hint), ValueError (wrong bytes).
std::unique_ptr<column> column_of(const arrow::schema& schema, const arrow::array& array);

}  // namespace bloomery::py
