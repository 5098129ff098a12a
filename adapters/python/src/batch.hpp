// Many keys as Python has them, piece by piece.
//
//   a list or tuple              looked through and hashed first: wrong ones change
//   nothing an Arrow array or stream     where it lies (__arrow_c_array__,
//   __arrow_c_stream__) a NumPy array, array.array   integers, fixed bytes (S, V), text
//   (U): the buffer protocol whatever else has __array__  the same any iterable some
//   thousand keys at a time
#pragma once

#include <functional>

#include <bloomery/hasher.hpp>

#include "column.hpp"
#include "python.hpp"

namespace bloomery::py {

// Called under the GIL, which it may release while it reads the column.
using take_column = std::function<void(const column&)>;

// Raises TypeError (an element that is no key, an array of another type), SourceError
// (keys of another source than the hasher's), and what the iterable raises.  What was
// taken before then has been taken: of a list, tuple or single array nothing.
void for_each_column(nb::handle keys, const hasher& h, const take_column& take);

// The same for filters that hash the bytes themselves: every column is one of texts.
void for_each_text_column(nb::handle keys, const take_column& take);

// The source of keys that are such a batch: integers if it begins with one, or is an
// array of them, otherwise bytes.  An iterator cannot be looked into: bytes.
key_source source_of(nb::handle keys);

}  // namespace bloomery::py
