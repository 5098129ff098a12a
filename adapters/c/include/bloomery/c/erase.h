// Deleting keys, for kinds with BLOOMERY_CAN_ERASE (c/kinds.h): by receipt, which is safe
// for other keys, or by key, which needs the caller's word.
//
//   bloomery_receipt receipt;
//   bloomery_filter_try_insert_receipt(filter, "alice", 5, &receipt, &error);
//   ... store its 24 bytes beside the record ...
//   bloomery_filter_erase_receipt(filter, &receipt, &error);
//
// A filter stores fingerprints, not keys.  Erasing a key that was never inserted, but
// tests positive, deletes the fingerprint of another key: a false negative.
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/filter.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

// Proof that a key was inserted into this filter: 24 bytes to store as they are, the same
// on every machine.  All zero: of no key.  A filter draws an identity of 64 random bits
// when it issues its first receipt, unless bloomery_options.identity chose one; receipts
// of other filters are refused.  Unless the filter's hash has a secret, anybody can
// compute them: then they protect against mistakes only.
//
// The filter, its copies and its file remember which *numbered* receipts were used: one
// that is used again is not_present, and nothing changes.  Use an unnumbered one once: a
// stored copy that is used again is not_present, unless an equal fingerprint, possibly of
// another key, is in the filter at that time.
typedef struct bloomery_receipt {
  uint8_t bytes[24];
} bloomery_receipt;

#define BLOOMERY_RECEIPT_INIT \
  {                           \
    { 0 }                     \
  }

// Inserts the key and writes its receipt, which is all zero if the call fails.
// Errors: full, too_many_copies, corrupt (bytes of the key are damaged), and nothing has
// changed; unsupported (BLOOMERY_CAN_ERASE).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_try_insert_receipt(bloomery_filter* filter,
                                                                const void* key,
                                                                size_t size,
                                                                bloomery_receipt* receipt,
                                                                bloomery_error* error);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status
bloomery_filter_try_insert_u64_receipt(bloomery_filter* filter, uint64_t number,
                                       bloomery_receipt* receipt, bloomery_error* error);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status
bloomery_filter_try_insert_hash_receipt(bloomery_filter* filter, uint64_t hash,
                                        bloomery_receipt* receipt, bloomery_error* error);

// The same with a numbered receipt.  The record of used ones is at most 64 KiB: where
// more than 4095 separate ranges of numbers have been used, receipts between two of them
// expire, and their keys stay in the filter.  For batches that are erased together.
// Errors: too_large as well (2^64 - 2 were issued, or its file says so).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_try_insert_numbered_receipt(
    bloomery_filter* filter, const void* key, size_t size, bloomery_receipt* receipt,
    bloomery_error* error);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_try_insert_u64_numbered_receipt(
    bloomery_filter* filter, uint64_t number, bloomery_receipt* receipt,
    bloomery_error* error);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_try_insert_hash_numbered_receipt(
    bloomery_filter* filter, uint64_t hash, bloomery_receipt* receipt,
    bloomery_error* error);

// Deletes the copy that the receipt is for.  The receipt is set to zero if the call
// succeeds, and left as it is otherwise.
// Errors: incompatible (a receipt of another filter, a damaged one, or none), not_present
// (it was used before, or has expired), corrupt, out_of_memory, and nothing has changed;
// unsupported (BLOOMERY_CAN_ERASE).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_erase_receipt(bloomery_filter* filter,
                                                           bloomery_receipt* receipt,
                                                           bloomery_error* error);

// Deletes one copy of a key.
// The caller knows that it was inserted, and not erased since.  If it only tests
// positive, another key's fingerprint is deleted, and that key becomes a false negative:
// use receipts where the caller cannot know.
// Errors: not_present, corrupt, and nothing
// has changed; unsupported (BLOOMERY_CAN_ERASE).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_erase_present(bloomery_filter* filter,
                                                           const void* key, size_t size,
                                                           bloomery_error* error);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_erase_present_u64(bloomery_filter* filter,
                                                               uint64_t number,
                                                               bloomery_error* error);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_erase_present_hash(bloomery_filter* filter,
                                                                uint64_t hash,
                                                                bloomery_error* error);

// Many keys of which the caller knows the same, in their order.  erased[i], which may be
// NULL as a whole: 1 if key i was present and one copy of it is gone, otherwise 0.
// `count_erased`, which may be NULL, receives how many were.
// Errors: corrupt (`erased` says which keys before it are gone), unsupported
// (BLOOMERY_CAN_ERASE).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_erase_present_batch(
    bloomery_filter* filter, const void* const* keys, const size_t* sizes, size_t count,
    uint8_t* erased, size_t* count_erased, bloomery_error* error);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_erase_present_packed(
    bloomery_filter* filter, const void* data, const uint64_t* offsets, size_t count,
    uint8_t* erased, size_t* count_erased, bloomery_error* error);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_erase_present_u64_batch(
    bloomery_filter* filter, const uint64_t* numbers, size_t count, uint8_t* erased,
    size_t* count_erased, bloomery_error* error);

// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_erase_present_hash_batch(
    bloomery_filter* filter, const uint64_t* hashes, size_t count, uint8_t* erased,
    size_t* count_erased, bloomery_error* error);

BLOOMERY_C_END
