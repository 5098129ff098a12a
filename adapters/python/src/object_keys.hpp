// _ObjectKeys, the base of bloomery.rbloom.Bloom: add, and `obj in f`, of any object.
#pragma once

#include "python.hpp"

namespace bloomery::py {

void bind_object_keys(nb::module_& m);

}  // namespace bloomery::py
