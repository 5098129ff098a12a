// bloomery.ConcurrentFilter: any number of threads insert and look up at the same time.
#pragma once

#include "python.hpp"

namespace bloomery::py {

void bind_concurrent_filter(nb::module_& m);

}  // namespace bloomery::py
