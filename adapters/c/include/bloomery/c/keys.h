// Inserting keys into a filter, and looking them up.
//
// A key is bytes, an integer, or a hash that was computed before (bloomery_filter_hash,
// or the caller's own hash, uniform over 64 bits).  The three are different keys: a
// filter is made for one of them (bloomery_hasher, source), and calls with another are
// refused as incompatible.  A call with _hash also accepts the result of
// bloomery_filter_hash.
//
// Batches are given as
//   _batch       `count` pointers and `count` sizes
//   _packed      keys back to back: key i is data[offsets[i]] .. data[offsets[i + 1]],
//                so `count` + 1 offsets, in ascending order (equal ones allowed)
//   _u64_batch   `count` integers
//   _hash_batch  `count` hashes
// and are checked before anything changes: a batch that is refused has inserted nothing.
// Memory latency overlaps within a batch, so it is several times as fast as single calls.
//
// A lookup of one key returns 1 for "possibly present", 0 for "definitely not present",
// and minus the status for a failed call, which as a condition counts as "possibly
// present".  Lookups of many keys write 1 or 0 for each key.
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/filter.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

// A kind without a plain insert (BLOOMERY_CAN_INSERT) returns unsupported.

// --- one key ---

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_insert(bloomery_filter* filter,
                                                    const void* key, size_t size);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_insert_u64(bloomery_filter* filter,
                                                        uint64_t number);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_insert_hash(bloomery_filter* filter,
                                                         uint64_t hash);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API int bloomery_filter_may_contain(const bloomery_filter* filter,
                                             const void* key, size_t size);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API int bloomery_filter_may_contain_u64(const bloomery_filter* filter,
                                                 uint64_t number);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API int bloomery_filter_may_contain_hash(const bloomery_filter* filter,
                                                  uint64_t hash);

// The hash of these bytes, and of this integer, for this filter and every other with an
// equal hasher.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_hash(const bloomery_filter* filter,
                                                  const void* key, size_t size,
                                                  uint64_t* hash);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_hash_u64(const bloomery_filter* filter,
                                                      uint64_t number, uint64_t* hash);

// --- many keys ---

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_insert_batch(bloomery_filter* filter,
                                                          const void* const* keys,
                                                          const size_t* sizes,
                                                          size_t count);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_insert_packed(bloomery_filter* filter,
                                                           const void* data,
                                                           const uint64_t* offsets,
                                                           size_t count);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_insert_u64_batch(bloomery_filter* filter,
                                                              const uint64_t* numbers,
                                                              size_t count);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_insert_hash_batch(bloomery_filter* filter,
                                                               const uint64_t* hashes,
                                                               size_t count);

// Uses `threads` threads, or one if the kind cannot use more; the same bits either way.
// Errors: invalid_argument (no threads).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_insert_hash_batch_by(bloomery_filter* filter,
                                                                  const uint64_t* hashes,
                                                                  size_t count,
                                                                  uint32_t threads);

// answers[i]: 1 or 0 for key i.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status
bloomery_filter_may_contain_batch(const bloomery_filter* filter, const void* const* keys,
                                  const size_t* sizes, size_t count, uint8_t* answers);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_may_contain_packed(
    const bloomery_filter* filter, const void* data, const uint64_t* offsets,
    size_t count, uint8_t* answers);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_may_contain_u64_batch(
    const bloomery_filter* filter, const uint64_t* numbers, size_t count,
    uint8_t* answers);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_may_contain_hash_batch(
    const bloomery_filter* filter, const uint64_t* hashes, size_t count,
    uint8_t* answers);

// --- calls that only some kinds have (c/kinds.h) ---

// Inserts the key if there is room.  If the key is refused, nothing has changed.
// Errors: full, too_many_copies, unsupported (BLOOMERY_CAN_TRY_INSERT).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_try_insert(bloomery_filter* filter,
                                                        const void* key, size_t size,
                                                        bloomery_error* error);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_try_insert_u64(bloomery_filter* filter,
                                                            uint64_t number,
                                                            bloomery_error* error);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_try_insert_hash(bloomery_filter* filter,
                                                             uint64_t hash,
                                                             bloomery_error* error);

// Many keys, in their order, until one is refused.  `inserted`, which may be NULL,
// receives how many were inserted; the refused key and those after it were not.
// Errors: as try_insert.
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_try_insert_batch(
    bloomery_filter* filter, const void* const* keys, const size_t* sizes, size_t count,
    size_t* inserted, bloomery_error* error);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_try_insert_packed(
    bloomery_filter* filter, const void* data, const uint64_t* offsets, size_t count,
    size_t* inserted, bloomery_error* error);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_try_insert_u64_batch(bloomery_filter* filter,
                                                                  const uint64_t* numbers,
                                                                  size_t count,
                                                                  size_t* inserted,
                                                                  bloomery_error* error);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_try_insert_hash_batch(
    bloomery_filter* filter, const uint64_t* hashes, size_t count, size_t* inserted,
    bloomery_error* error);

// Inserts the key and returns whether it was new: 1: it was definitely not present; 0: it
// tested positive already.  Negative: minus the status, for example unsupported
// (BLOOMERY_CAN_INSERT_IF_ABSENT).
// Threads: must run alone on this filter.
BLOOMERY_API int bloomery_filter_insert_if_absent(bloomery_filter* filter,
                                                  const void* key, size_t size);

// Threads: must run alone on this filter.
BLOOMERY_API int bloomery_filter_insert_u64_if_absent(bloomery_filter* filter,
                                                      uint64_t number);

// Threads: must run alone on this filter.
BLOOMERY_API int bloomery_filter_insert_hash_if_absent(bloomery_filter* filter,
                                                       uint64_t hash);

// How often a key was inserted: never too low; UINT64_MAX if it is unknown, because a
// counter has stopped.
// Errors: unsupported (BLOOMERY_CAN_COUNT).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_count(const bloomery_filter* filter,
                                                   const void* key, size_t size,
                                                   uint64_t* copies,
                                                   bloomery_error* error);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_count_u64(const bloomery_filter* filter,
                                                       uint64_t number, uint64_t* copies,
                                                       bloomery_error* error);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_count_hash(const bloomery_filter* filter,
                                                        uint64_t hash, uint64_t* copies,
                                                        bloomery_error* error);

BLOOMERY_C_END
