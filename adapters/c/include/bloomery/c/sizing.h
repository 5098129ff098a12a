// The size of a filter for given options, and whether its format can reach the rate.
// Pure arithmetic: nothing is allocated.
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/options.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

// The layout that bloomery_filter_make would use.
typedef struct bloomery_layout {
  uint32_t struct_size;
  uint32_t kind;
  uint32_t hashes;   // k
  uint32_t profile;  // of block kinds; otherwise 0
  uint64_t bits;     // m
  uint64_t blocks;   // of block kinds; otherwise 0
  uint64_t size_in_bytes;
  double expected_fpr;  // when full; of all levels or generations, where it has several;
                        // NaN if options->keys is 0
} bloomery_layout;

#define BLOOMERY_LAYOUT_INIT \
  { sizeof(bloomery_layout), 0, 0, 0, 0, 0, 0, 0 }

// The layout for these options.  For a portable filter also if _make would refuse the
// rate: check it with bloomery_portable_promise.
// Errors: invalid_argument, unattainable, too_large, unsupported.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_size(const bloomery_options* options,
                                           bloomery_layout* layout,
                                           bloomery_error* error);

// The bits per key of `count` filters that together take at most `bits` and waste the
// fewest reads, the sum of lookups times rate: of runs, or of levels that are one run
// each. Filter i is of a kind (bloomery_kind), has keys[i] keys; lookups[i] of
// keys that it does not have reach it, in any unit; NULL: 1 each.  bits_per_key[i] is 0
// where no filter is best.  `wasted_reads` may be NULL. Errors: invalid_argument (a
// number that is negative or not finite), unsupported (a kind that is not known),
// out_of_memory. Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_budget(const uint32_t* kinds, const uint64_t* keys,
                                             const double* lookups, size_t count,
                                             double bits, double* bits_per_key,
                                             double* wasted_reads, bloomery_error* error);

// Why a portable filter cannot reach a rate.
typedef enum bloomery_promise_cause {
  BLOOMERY_PROMISE_KEPT = 0,            // within 1.1 times the target rate
  BLOOMERY_PROMISE_DOUBLE_HASHING = 1,  // too few bits: the floor of double hashing
  BLOOMERY_PROMISE_SHORT_HALVES = 2     // too many bits for 32-bit halves
} bloomery_promise_cause;

// The true rate of a portable filter, beside the target rate.
typedef struct bloomery_promise {
  uint32_t struct_size;
  uint32_t cause;  // bloomery_promise_cause
  double asked_fpr;
  double true_fpr;
  double ratio;         // true over target
  uint32_t is_kept;     // 1: at most 1.1 times the target
  uint32_t is_refused;  // 1: more than 4 times the target, and at least 100 keys
} bloomery_promise;

#define BLOOMERY_PROMISE_INIT \
  { sizeof(bloomery_promise), 0, 0, 0, 0, 0, 0 }

// Errors: invalid_argument (bits or hashes 0, a rate outside (0, 1)).
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_portable_promise(uint64_t bits, uint32_t hashes,
                                                       uint64_t keys, double asked_fpr,
                                                       bloomery_promise* promise,
                                                       bloomery_error* error);

// About the smallest rate that the portable format, sized by rate, can reach for this
// number of keys.  1 if there is none.
// Threads: may run together with every other call.
BLOOMERY_API double bloomery_portable_smallest_kept_fpr(uint64_t keys);

// The rate of this portable layout with this number of keys; NaN if bits or hashes are
// 0.
// Threads: may run together with every other call.
BLOOMERY_API double bloomery_portable_expected_fpr(uint64_t bits, uint32_t hashes,
                                                   uint64_t keys);

BLOOMERY_C_END
