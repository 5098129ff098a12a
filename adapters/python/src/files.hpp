// Containers from outside: their headers, and whether every byte is right.
#pragma once

#include "python.hpp"

namespace bloomery::py {

void bind_files(nb::module_& m);

}  // namespace bloomery::py
