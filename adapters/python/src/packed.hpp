// bloomery.PackedSet and PackedWriter: many small filters in one file.
#pragma once

#include "python.hpp"

namespace bloomery::py {

void bind_packed(nb::module_& m);

}  // namespace bloomery::py
