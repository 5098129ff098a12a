// The definition: on every CPU.
#include "kernel/quotient_loops.hpp"

namespace bloomery::kernel {

extern const quotient_kernel quotient_portable;
constinit const quotient_kernel quotient_portable =
    quotient_loops<broadword_select>::named("portable");

}  // namespace bloomery::kernel
