// A thread-safe filter: any number of threads insert and look up at once.
//
// A lookup that happens after an insert has returned (the threads were joined, took the
// same lock, passed a message) answers "possibly present".  One that runs in parallel
// with the insert may answer either way.  The bits are those of the plain filter with the
// same keys, whatever the order and the number of threads.  docs/concurrency.md has
// figures and proofs.
//
// Keys, batches and answers are as in c/keys.h.
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/bytes.h>
#include <bloomery/c/filter.h>
#include <bloomery/c/info.h>
#include <bloomery/c/options.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

typedef struct bloomery_concurrent bloomery_concurrent;

// How inserts are synchronised.  Lookups are wait-free under both.
typedef enum bloomery_policy {
  BLOOMERY_POLICY_WAIT_FREE = 0,  // a bounded number of steps, whatever others do
  BLOOMERY_POLICY_LOCKED = 1  // block and split-block: a short lock; two to three times
                              // the throughput
} bloomery_policy;

// An empty filter.
// Errors: as bloomery_filter_make; unsupported (LOCKED for another kind).
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_make(const bloomery_options* options,
                                                      uint32_t policy,
                                                      bloomery_concurrent** filter,
                                                      bloomery_error* error);

// Takes over the filter `*plain` and sets it to NULL.  If an argument is refused,
// `*plain` stays; if there is no memory, it is freed.
// Errors: out_of_memory; unsupported (LOCKED for another kind).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_concurrent_adopt(bloomery_filter** plain,
                                                       uint32_t policy,
                                                       bloomery_concurrent** filter,
                                                       bloomery_error* error);

// `filter` may be NULL.
// Threads: must run alone on this filter.
BLOOMERY_API void bloomery_concurrent_free(bloomery_concurrent* filter);

// --- keys ---

// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_insert(bloomery_concurrent* filter,
                                                        const void* key, size_t size);

// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_insert_u64(bloomery_concurrent* filter,
                                                            uint64_t number);

// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_insert_hash(bloomery_concurrent* filter,
                                                             uint64_t hash);

// Inserts the key and returns whether this call was the first: of any number of threads
// that call it with the same new key at most one gets 1.  0: the key tested positive
// already.  Negative: minus the status.
// Threads: may run together with every other call.
BLOOMERY_API int bloomery_concurrent_insert_if_absent(bloomery_concurrent* filter,
                                                      const void* key, size_t size);

// Threads: may run together with every other call.
BLOOMERY_API int bloomery_concurrent_insert_u64_if_absent(bloomery_concurrent* filter,
                                                          uint64_t number);

// Threads: may run together with every other call.
BLOOMERY_API int bloomery_concurrent_insert_hash_if_absent(bloomery_concurrent* filter,
                                                           uint64_t hash);

// Threads: may run together with every other call.
BLOOMERY_API int bloomery_concurrent_may_contain(const bloomery_concurrent* filter,
                                                 const void* key, size_t size);

// Threads: may run together with every other call.
BLOOMERY_API int bloomery_concurrent_may_contain_u64(const bloomery_concurrent* filter,
                                                     uint64_t number);

// Threads: may run together with every other call.
BLOOMERY_API int bloomery_concurrent_may_contain_hash(const bloomery_concurrent* filter,
                                                      uint64_t hash);

// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_insert_batch(bloomery_concurrent* filter,
                                                              const void* const* keys,
                                                              const size_t* sizes,
                                                              size_t count);

// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_insert_packed(
    bloomery_concurrent* filter, const void* data, const uint64_t* offsets, size_t count);

// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_insert_u64_batch(
    bloomery_concurrent* filter, const uint64_t* numbers, size_t count);

// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_insert_hash_batch(
    bloomery_concurrent* filter, const uint64_t* hashes, size_t count);

// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_may_contain_batch(
    const bloomery_concurrent* filter, const void* const* keys, const size_t* sizes,
    size_t count, uint8_t* answers);

// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_may_contain_packed(
    const bloomery_concurrent* filter, const void* data, const uint64_t* offsets,
    size_t count, uint8_t* answers);

// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_may_contain_u64_batch(
    const bloomery_concurrent* filter, const uint64_t* numbers, size_t count,
    uint8_t* answers);

// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_may_contain_hash_batch(
    const bloomery_concurrent* filter, const uint64_t* hashes, size_t count,
    uint8_t* answers);

// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_hash(const bloomery_concurrent* filter,
                                                      const void* key, size_t size,
                                                      uint64_t* hash);

// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_hash_u64(
    const bloomery_concurrent* filter, uint64_t number, uint64_t* hash);

// --- whole filters ---

// A plain copy: contains every key whose insert happened before the call.  Keys inserted
// meanwhile may be in it, missing, or partly set.  No thread is blocked.
// Errors: out_of_memory.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_snapshot(
    const bloomery_concurrent* filter, bloomery_filter** plain, bloomery_error* error);

// The same into a container file, without a second filter in memory.
// Errors: invalid_argument, out_of_memory, io.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_save(
    const bloomery_concurrent* filter, const bloomery_write_options* options,
    const char* path, bloomery_error* error);

// Afterwards this filter has every key of the plain one, as if they had been inserted.  A
// reading call on `plain`.
// Errors: incompatible.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_merge(bloomery_concurrent* filter,
                                                       const bloomery_filter* plain,
                                                       bloomery_error* error);

// Removes every key.
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_concurrent_clear(bloomery_concurrent* filter);

// As bloomery_filter_info, computed from bits that may change meanwhile.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_concurrent_info(const bloomery_concurrent* filter,
                                                      uint32_t parts,
                                                      bloomery_info* info);

BLOOMERY_C_END
