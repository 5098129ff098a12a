// Arrays of the buffer protocol as columns: NumPy arrays, array.array.
#pragma once

#include <memory>

#include "column.hpp"
#include "python.hpp"

namespace bloomery::py {

// Null: the array holds Python objects, to be read one by one.  The buffer must outlive
// the column.  Raises TypeError (another type, byte order or number of dimensions).
std::unique_ptr<column> column_of(const Py_buffer& buffer);

}  // namespace bloomery::py
