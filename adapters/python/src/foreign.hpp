// bloomery.ForeignFilter: filters in other systems' formats.
#pragma once

#include "python.hpp"

namespace bloomery::py {

void bind_foreign(nb::module_& m);

}  // namespace bloomery::py
