// The definition: on every CPU.
#include "kind/quotient/kernel/loops.hpp"

namespace bloomery::kernel {

extern const quotient_kernel quotient_portable;
constinit const quotient_kernel quotient_portable =
    quotient_loops<broadword_select>::named("portable");

}  // namespace bloomery::kernel
