// Builds a filter from all keys, sized for exactly the distinct ones.
//
//   bloomery_builder_make(&options, &builder, NULL);      options.keys may be 0
//   while (...) bloomery_builder_add(builder, key, size);
//   bloomery_builder_finish(builder, 1, &filter, NULL);
//   bloomery_filter_save(filter, BLOOMERY_FORM_CONTAINER, NULL, path, NULL);
//
// For every kind, and the only way to make a kind that is built from all keys at once
// (BLOOMERY_CAN_BUILD).  Takes 8 bytes for each distinct key and 12 MiB.  The filter
// keeps what the builder knows: the target rate, the number of distinct keys, and
// sentinels.  Its container is written with them, unless keys were inserted or erased
// since.
//
// Keys and batches are as in c/keys.h.  Errors of adding: invalid_argument;
// out_of_memory; part of a batch may then have been added.
//
// Keys that do not fit in memory are sorted in temporary files if the builder has limits
// (bloomery_builder_make_limited); the filter is the same.  Errors of adding are then
// also io (the disk is full) and too_large (too many keys for the memory limit).
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/filter.h>
#include <bloomery/c/options.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

typedef struct bloomery_builder bloomery_builder;

// `options` as for bloomery_filter_make, except that keys may be 0: the filter is then
// sized for the distinct keys.
// Errors: as bloomery_filter_make.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_builder_make(const bloomery_options* options,
                                                   bloomery_builder** builder,
                                                   bloomery_error* error);

// Memory for a build.
typedef struct bloomery_build_limits {
  uint32_t struct_size;
  uint32_t flags;         // 0
  uint64_t memory;        // bytes for keys and filter together, at least 1 MiB
  const char* directory;  // of temporary files; NULL: the current one
  // Called while keys are sorted and taken from disk: bytes done, and the total.
  void (*progress)(void* context, uint64_t done, uint64_t all);
  void* context;
} bloomery_build_limits;

#define BLOOMERY_BUILD_LIMITS_INIT \
  { sizeof(bloomery_build_limits), 0, 0, NULL, NULL, NULL }

// The same with a memory limit: keys beyond it go to temporary files without a name,
// which are gone with the builder or the process.  What a kind needs while it is built
// comes on top.
// Errors: as bloomery_filter_make; invalid_argument (less than 1 MiB), io.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_builder_make_limited(
    const bloomery_options* options, const bloomery_build_limits* limits,
    bloomery_builder** builder, bloomery_error* error);

// Distinct keys added so far.
// Errors: invalid_argument (no threads), out_of_memory, io.
// Threads: must run alone on this filter, which here is the builder.
BLOOMERY_API bloomery_status bloomery_builder_count(bloomery_builder* builder,
                                                    uint32_t threads, uint64_t* count,
                                                    bloomery_error* error);

// `builder` may be NULL.
// Threads: must run alone on this filter, which here is the builder.
BLOOMERY_API void bloomery_builder_free(bloomery_builder* builder);

// Threads: must run alone on this filter, which here is the builder.
BLOOMERY_API bloomery_status bloomery_builder_add(bloomery_builder* builder,
                                                  const void* key, size_t size);

// Threads: must run alone on this filter, which here is the builder.
BLOOMERY_API bloomery_status bloomery_builder_add_u64(bloomery_builder* builder,
                                                      uint64_t number);

// Threads: must run alone on this filter, which here is the builder.
BLOOMERY_API bloomery_status bloomery_builder_add_hash(bloomery_builder* builder,
                                                       uint64_t hash);

// Threads: must run alone on this filter, which here is the builder.
BLOOMERY_API bloomery_status bloomery_builder_add_batch(bloomery_builder* builder,
                                                        const void* const* keys,
                                                        const size_t* sizes,
                                                        size_t count);

// Threads: must run alone on this filter, which here is the builder.
BLOOMERY_API bloomery_status bloomery_builder_add_packed(bloomery_builder* builder,
                                                         const void* data,
                                                         const uint64_t* offsets,
                                                         size_t count);

// Threads: must run alone on this filter, which here is the builder.
BLOOMERY_API bloomery_status bloomery_builder_add_u64_batch(bloomery_builder* builder,
                                                            const uint64_t* numbers,
                                                            size_t count);

// Threads: must run alone on this filter, which here is the builder.
BLOOMERY_API bloomery_status bloomery_builder_add_hash_batch(bloomery_builder* builder,
                                                             const uint64_t* hashes,
                                                             size_t count);

// Makes a filter of all keys, with `threads` threads if the kind can use them; the same
// bits for any number.  Afterwards the builder holds no keys, whether the call succeeded
// or not, and can be used again.
// Errors: invalid_argument (no threads), unattainable, too_large (also: the filter does
// not fit the memory limit), full, out_of_memory, io.
// Threads: must run alone on this filter, which here is the builder.
BLOOMERY_API bloomery_status bloomery_builder_finish(bloomery_builder* builder,
                                                     uint32_t threads,
                                                     bloomery_filter** filter,
                                                     bloomery_error* error);

// Distinct keys that the filter's builder counted; 0: it had no builder, its keys have
// changed since, or its kind keeps no count.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API uint64_t bloomery_filter_built_keys(const bloomery_filter* filter);

BLOOMERY_C_END
