// Versions of the library and of its ABI.
#pragma once

#include <bloomery/c/api.h>

BLOOMERY_C_BEGIN

// The ABI version of these headers: major * 65536 + minor.  Functions, enumerators
// and fields of structs are added under a new minor; a new major is a new file name
// (libbloomery_c.so.MAJOR).
#define BLOOMERY_ABI_MAJOR 1
#define BLOOMERY_ABI_MINOR 0
#define BLOOMERY_ABI_VERSION (BLOOMERY_ABI_MAJOR * 65536u + BLOOMERY_ABI_MINOR)

// The ABI version of the library.  It serves callers compiled with the same major and the
// same or a lower minor version.
// Threads: may run together with every other call.
BLOOMERY_API uint32_t bloomery_abi_version(void);

// The version of the project, as "0.1.0".
// Threads: may run together with every other call.
BLOOMERY_API const char* bloomery_version_string(void);

// The kernels that this process uses: "portable", "avx2", "avx512", "neon".
// Threads: may run together with every other call.
BLOOMERY_API const char* bloomery_kernel_name(void);

BLOOMERY_C_END
