// Keys in and out of a filter.
//
// A key is bytes, an integer, or a hash that was computed before (bloomery_filter_hash,
// or a hash of the caller's own that is uniform over 64 bits).  The three are different
// keys.
//
// Batches come as
//   _batch       `count` pointers and `count` sizes
//   _packed      keys one behind the other: key i is data[offsets[i]] .. data[offsets[i +
//   1]],
//                so `count` + 1 offsets, none below the one before it
//   _u64_batch   `count` integers
//   _hash_batch  `count` hashes
// and are looked over before anything changes: a batch that is refused has inserted
// nothing. Memory latency overlaps within a batch, so it is several times as fast as
// single calls.
//
// A lookup of one key returns 1 for "perhaps", 0 for "certainly not", and minus the
// status for a call that is wrong, which as a condition counts as "perhaps".  Lookups of
// many write 1 or 0 for each key.
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/filter.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

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

// The key of these bytes, and of this integer, for this filter and every other with an
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

// By `threads` threads, or by one where the kind cannot; the same bits either way.
// Errors: invalid_argument (no threads).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_insert_hash_batch_by(bloomery_filter* filter,
                                                                  const uint64_t* hashes,
                                                                  size_t count,
                                                                  uint32_t threads);

// perhaps[i]: 1 or 0 for key i.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status
bloomery_filter_may_contain_batch(const bloomery_filter* filter, const void* const* keys,
                                  const size_t* sizes, size_t count, uint8_t* perhaps);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_may_contain_packed(
    const bloomery_filter* filter, const void* data, const uint64_t* offsets,
    size_t count, uint8_t* perhaps);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_may_contain_u64_batch(
    const bloomery_filter* filter, const uint64_t* numbers, size_t count,
    uint8_t* perhaps);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_may_contain_hash_batch(
    const bloomery_filter* filter, const uint64_t* hashes, size_t count,
    uint8_t* perhaps);

BLOOMERY_C_END
