// A filter of any native kind, in memory: made, decoded or loaded (c/bytes.h), filled and
// queried (c/keys.h), combined.
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/info.h>
#include <bloomery/c/options.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

typedef struct bloomery_filter bloomery_filter;

// An empty filter.
// Errors: invalid_argument, unattainable (asked, possible), too_large, out_of_memory,
// unsupported (a hasher, profile or flag that the kind does not support).
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_filter_make(const bloomery_options* options,
                                                  bloomery_filter** filter,
                                                  bloomery_error* error);

// A copy with the same kind, layout, hasher and bits.  The facts of the container that
// the filter was read from are not copied.
// Errors: out_of_memory, unsupported (a kind without copies).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_copy(const bloomery_filter* filter,
                                                  bloomery_filter** copy,
                                                  bloomery_error* error);

// `filter` may be NULL.
// Threads: must run alone on this filter.
BLOOMERY_API void bloomery_filter_free(bloomery_filter* filter);

// --- whole filters ---

// Union: afterwards `filter` answers "possibly present" wherever either did.  `other` may
// be a multiple of its size if the kind folds.  A scalable filter may then have a rate
// above that of its design (BLOOMERY_INFO_ALL: realised_fpr).
// Errors: incompatible (kind, layout or hasher), full (BLOOMERY_CAN_GROW:
// bloomery_filter_grow, and again), too_many_copies, corrupt, out_of_memory, and nothing
// has changed; unsupported (BLOOMERY_CAN_MERGE).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_merge(bloomery_filter* filter,
                                                   const bloomery_filter* other,
                                                   bloomery_error* error);

// The same for two sizes, if the kind folds: `filter` is folded to their greatest
// common divisor first, which raises its rate.
// Errors: incompatible, out_of_memory, unsupported (BLOOMERY_CAN_FOLD).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_fold_and_merge(bloomery_filter* filter,
                                                            const bloomery_filter* other,
                                                            bloomery_error* error);

// Intersection: afterwards `filter` answers "possibly present" where both did: for every
// key of both sets, and for some others.
// Errors: incompatible, unsupported (BLOOMERY_CAN_INTERSECT).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_intersect(bloomery_filter* filter,
                                                       const bloomery_filter* other,
                                                       bloomery_error* error);

// Makes one block from every `divisor` adjacent ones: the filter of the same keys at that
// size.
// Errors: invalid_argument (not a divisor of the number of blocks), out_of_memory,
// unsupported (BLOOMERY_CAN_FOLD).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_fold(bloomery_filter* filter,
                                                  uint64_t divisor,
                                                  bloomery_error* error);

// Folds by the largest divisor that keeps the rate from the bits at or below `fpr`.
// `divisor`, which may be NULL, receives the one used, 1 if none.
// Errors: invalid_argument (a rate outside (0, 1)), out_of_memory, unsupported.
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_fold_to_rate(bloomery_filter* filter,
                                                          double fpr, uint64_t* divisor,
                                                          bloomery_error* error);

// Twice the size and the same answers: room for as many keys again, at a higher rate.
// Receipts issued before are refused from now on.
// Errors: unattainable (no bits are left for it), too_large, corrupt, out_of_memory, and
// nothing has changed; unsupported (BLOOMERY_CAN_GROW).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_grow(bloomery_filter* filter,
                                                  bloomery_error* error);

// Empties the oldest generation, which takes inserts from now on.
// Errors: unsupported (BLOOMERY_CAN_ROTATE).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_rotate(bloomery_filter* filter,
                                                    bloomery_error* error);

// The filter of bits that the same keys make, of another kind: a bit for each counter
// that is not 0.
// Errors: corrupt, out_of_memory, unsupported (BLOOMERY_CAN_PUBLISH).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_publish(const bloomery_filter* filter,
                                                     bloomery_filter** published,
                                                     bloomery_error* error);

// The probability that a key is not found `gap` inserts of other keys after its own.
// Errors: invalid_argument, unsupported (BLOOMERY_CAN_FORGETTING).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_forgetting(const bloomery_filter* filter,
                                                        uint64_t gap, double* share,
                                                        bloomery_error* error);

// Removes every key.
// Errors: unsupported (BLOOMERY_CAN_BUILD).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_clear(bloomery_filter* filter);

// 1: the same kind, layout, hasher and bits; 0: different; negative: minus the status.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API int bloomery_filter_equal(const bloomery_filter* a,
                                       const bloomery_filter* b);

// --- facts and current state ---

// `parts`: bloomery_info_parts, combined with |.
// Errors: invalid_argument, unsupported (an unknown part).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_info(const bloomery_filter* filter,
                                                  uint32_t parts, bloomery_info* info);

// The rate of this layout with `keys` keys; NaN if `filter` is NULL.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API double bloomery_filter_expected_fpr(const bloomery_filter* filter,
                                                 uint64_t keys);

// The current rate of this filter, from its bits; NaN if `filter` is NULL.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API double bloomery_filter_realised_fpr(const bloomery_filter* filter);

// Calls each(context, fingerprint, copies) for every fingerprint that the filter stores.
// The filter must not be changed meanwhile.
// Errors: invalid_argument, unsupported (BLOOMERY_CAN_ITERATE).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_for_each(
    const bloomery_filter* filter,
    void (*each)(void* context, uint64_t fingerprint, uint64_t copies), void* context,
    bloomery_error* error);

// The bits as stored in memory, `info.size_in_bytes` bytes.  The pointer is valid until
// the filter is folded or freed; calls that change the filter change these bytes.  NULL
// if `filter` is NULL.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API const void* bloomery_filter_bits(const bloomery_filter* filter,
                                              size_t* size);

BLOOMERY_C_END
