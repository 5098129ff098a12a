// The calls of bloomery.Filter, by what they are for.
#pragma once

#include "filter.hpp"
#include "python.hpp"

namespace bloomery::py {

using filter_class = nb::class_<filter_object>;

// Raises SourceError, TypeError.
key key_for(const filter_object& f, nb::handle o);

// add, insert and add_if_absent, which Python calls without looking at arguments first.
extern PyMethodDef filter_key_methods[];

void bind_making(filter_class& c);                   // filter_make.cpp
void bind_keys(filter_class& c);                     // filter_keys.cpp
void bind_erasing(nb::module_& m, filter_class& c);  // filter_erase.cpp; and Receipt
void bind_whole(filter_class& c);                    // filter_whole.cpp
void bind_special(filter_class& c);                  // filter_special.cpp

}  // namespace bloomery::py
