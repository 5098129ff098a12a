// The same bits by NEON, part of every AArch64.
#include "kernel/block_loops.hpp"

#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__) && \
    !defined(BLOOMERY_PORTABLE)
namespace bloomery::kernel {

constinit const block_kernel block_neon = kernel_of<block_probe::neon>("neon");

}  // namespace bloomery::kernel
#endif
