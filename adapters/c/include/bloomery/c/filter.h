// A filter of any kind of our own, in memory: made, decoded or loaded (c/bytes.h), given
// keys and asked (c/keys.h), combined.
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/info.h>
#include <bloomery/c/options.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

typedef struct bloomery_filter bloomery_filter;

// An empty filter.
// Errors: invalid_argument, unattainable (asked, possible), too_large, out_of_memory,
// unsupported (a hasher, profile or flag that the kind does not take).
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_filter_make(const bloomery_options* options,
                                                  bloomery_filter** filter,
                                                  bloomery_error* error);

// The same kind, layout, hasher and bits; of the container it was read from, nothing.
// Errors: out_of_memory, unsupported (a kind that does not merge).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_copy(const bloomery_filter* filter,
                                                  bloomery_filter** copy,
                                                  bloomery_error* error);

// `filter` may be NULL.
// Threads: must run alone on this filter.
BLOOMERY_API void bloomery_filter_free(bloomery_filter* filter);

// --- whole filters ---

// Afterwards `filter` answers "perhaps" wherever either did.  `other` may be a multiple
// of its size where the kind folds.
// Errors: incompatible (kind, layout or hasher), unsupported (BLOOMERY_CAN_MERGE).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_merge(bloomery_filter* filter,
                                                   const bloomery_filter* other,
                                                   bloomery_error* error);

// The same for two sizes, where the kind folds: `filter` is folded to their greatest
// common divisor first, which raises its rate.
// Errors: incompatible, out_of_memory, unsupported (BLOOMERY_CAN_FOLD).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_fold_and_merge(bloomery_filter* filter,
                                                            const bloomery_filter* other,
                                                            bloomery_error* error);

// Afterwards `filter` answers "perhaps" where both did: for every key of both sets, and
// for some of neither.
// Errors: incompatible, unsupported (BLOOMERY_CAN_INTERSECT).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_intersect(bloomery_filter* filter,
                                                       const bloomery_filter* other,
                                                       bloomery_error* error);

// One block for every `divisor` adjacent ones: the filter of the same keys at that size.
// Errors: invalid_argument (no divisor of the number of blocks), out_of_memory,
// unsupported (BLOOMERY_CAN_FOLD).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_fold(bloomery_filter* filter,
                                                  uint64_t divisor,
                                                  bloomery_error* error);

// Folds as far as the keys that are in it allow at this rate, which the result has by its
// bits.  `divisor`, which may be NULL, is told the one used, 1 if none.
// Errors: invalid_argument (a rate outside (0, 1)), out_of_memory, unsupported.
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_fold_to_rate(bloomery_filter* filter,
                                                          double fpr, uint64_t* divisor,
                                                          bloomery_error* error);

// Forgets every key.
// Errors: unsupported (BLOOMERY_CAN_BUILD).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_filter_clear(bloomery_filter* filter);

// 1: the same kind, layout, hasher and bits; 0: not; negative: minus the status.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API int bloomery_filter_equal(const bloomery_filter* a,
                                       const bloomery_filter* b);

// --- what it is, and what it has become ---

// `parts`: of bloomery_info_parts.
// Errors: invalid_argument, unsupported (an unknown part).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_info(const bloomery_filter* filter,
                                                  uint32_t parts, bloomery_info* info);

// The rate this layout gives once it holds `keys` keys; NaN for no filter.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API double bloomery_filter_expected_fpr(const bloomery_filter* filter,
                                                 uint64_t keys);

// The rate this filter has, from its bits; NaN for no filter.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API double bloomery_filter_realised_fpr(const bloomery_filter* filter);

// each(context, fingerprint, copies) for every fingerprint that the filter stores, which
// must not be changed meanwhile.
// Errors: invalid_argument, unsupported (BLOOMERY_CAN_ITERATE).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_for_each(
    const bloomery_filter* filter,
    void (*each)(void* context, uint64_t fingerprint, uint64_t copies), void* context,
    bloomery_error* error);

// The bits as they lie in memory, `info.size_in_bytes` of them: valid until the filter is
// folded or freed, changed by whatever changes it.  NULL for no filter.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API const void* bloomery_filter_bits(const bloomery_filter* filter,
                                              size_t* size);

BLOOMERY_C_END
