// bloomery.MappedFilter: a filter in a file that is mapped, not read.
#pragma once

#include "python.hpp"

namespace bloomery::py {

void bind_mapped_filter(nb::module_& m);

}  // namespace bloomery::py
