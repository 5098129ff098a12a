// The definition: plain C++ on 32-bit words.
#include "kernel/block_loops.hpp"

namespace bloomery::kernel {

constinit const block_kernel block_portable =
    kernel_of<block_probe::portable>("portable");

}  // namespace bloomery::kernel
