// The same cells by AVX2.
#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

// Shared with code for other CPUs, so outside the target attributes.
#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/kind/counting/shape.hpp>
#include <bloomery/key.hpp>

#include "base/target.hpp"
#include "kind/counting/kernel/table.hpp"

#define BLOOMERY_KERNEL_AVX2
BLOOMERY_TARGET("avx2,bmi,bmi2,prfchw")
#include <bloomery/detail/kind/counting/avx2.hpp>

#include "kind/counting/kernel/loops.hpp"

namespace bloomery::kernel {

constinit const counting_kernel counting_avx2 =
    counting_loops_of<cell_probe::avx2>::table("avx2");

}  // namespace bloomery::kernel
BLOOMERY_TARGET_END
#endif
