// What there is: kinds and dialects; and what a size would be.
#pragma once

#include "python.hpp"

namespace bloomery::py {

void bind_tables(nb::module_& m);

}  // namespace bloomery::py
