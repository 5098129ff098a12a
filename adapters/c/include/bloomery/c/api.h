// Macros and types that every declaration needs.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define BLOOMERY_API __attribute__((visibility("default")))

#ifdef __cplusplus
#define BLOOMERY_C_BEGIN extern "C" {
#define BLOOMERY_C_END }
#else
#define BLOOMERY_C_BEGIN
#define BLOOMERY_C_END
#endif

BLOOMERY_C_BEGIN

// Sets `struct_size` bytes to zero and the first four of them to `struct_size`: the same
// as the _INIT macro of the struct, for languages without macros.  For NULL, or
// less than four bytes, does nothing.
// Threads: may run together with every other call.
BLOOMERY_API void bloomery_struct_init(void* any_struct, uint32_t struct_size);

BLOOMERY_C_END
