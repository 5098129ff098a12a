// The kinds of filters, and what each can do.
#pragma once

#include <bloomery/c/api.h>

BLOOMERY_C_BEGIN

// The numbers are stored in files.  spec/kinds.json has the facts of each, and
// tools/kind_tables.py adds the constants of new kinds.
typedef enum bloomery_kind {
  BLOOMERY_KIND_DEFAULT = 0,      // block
  BLOOMERY_KIND_PORTABLE = 1,     // the same bytes in every language
  BLOOMERY_KIND_BLOCK = 2,        // one cache line per key: the fastest
  BLOOMERY_KIND_SPLIT_BLOCK = 3,  // Apache Parquet's bits
  BLOOMERY_KIND_BLOOM = 4,        // the classic filter: very small rates
  BLOOMERY_KIND_PARTITIONED = 5,  // one slice per probe
  BLOOMERY_KIND_CUCKOO = 6,       // keys can be erased
  BLOOMERY_KIND_COUNTING = 7,     // counters: keys can be erased
  BLOOMERY_KIND_RIBBON = 8,       // the smallest: only built, never changed
  BLOOMERY_KIND_FUSE = 9,         // built once from all keys: small and fast
  BLOOMERY_KIND_XOR = 10,         // built once from all keys: the ancestor of fuse
  BLOOMERY_KIND_SCALABLE = 11,    // grows with its keys.
  BLOOMERY_KIND_STABLE = 12,      // forgets old keys by chance: streams.
  BLOOMERY_KIND_WINDOW = 13,      // forgets all but the last keys.
  BLOOMERY_KIND_QUOTIENT = 14,    // erase, count, list, merge.
  BLOOMERY_KIND_FOREIGN = 128,    // in containers only: another system's bytes
  BLOOMERY_KIND_PACKED = 129,     // in containers only: many small filters
  // In containers only: many small filters of a kind with BLOOMERY_CAN_BUILD.
  BLOOMERY_KIND_PACKED_STATIC = 130
} bloomery_kind;

// Calls that only some kinds have.  Other kinds return BLOOMERY_UNSUPPORTED; the message
// names the kinds that have the call.
typedef enum bloomery_capability {
  BLOOMERY_CAN_INSERT = 0,      // and never refuses a key
  BLOOMERY_CAN_TRY_INSERT = 1,  // may be full; a refused key has changed nothing
  BLOOMERY_CAN_INSERT_IF_ABSENT = 2,
  BLOOMERY_CAN_ERASE = 3,
  BLOOMERY_CAN_COUNT = 4,  // copies of one key
  BLOOMERY_CAN_MERGE = 5,
  BLOOMERY_CAN_FOLD = 6,
  BLOOMERY_CAN_INTERSECT = 7,
  BLOOMERY_CAN_ITERATE = 8,
  BLOOMERY_CAN_BUILD = 9,        // only built from all keys at once (c/builder.h)
  BLOOMERY_CAN_ROTATE = 10,      // forgets its oldest generation.
  BLOOMERY_CAN_GROW = 11,        // doubles when it is full.
  BLOOMERY_CAN_FORGETTING = 12,  // knows which share of keys it forgets.
  BLOOMERY_CAN_PUBLISH = 13      // becomes a filter of bits.
} bloomery_capability;

// The number of kinds of filters that this library makes.
// Threads: may run together with every other call.
BLOOMERY_API size_t bloomery_kind_count(void);

// The number of the `i`-th kind, the default first; 0 if there are no more.
// Threads: may run together with every other call.
BLOOMERY_API uint32_t bloomery_kind_at(size_t i);

// "portable", "block", ..., "foreign", "packed"; "unknown" for other numbers.
// Threads: may run together with every other call.
BLOOMERY_API const char* bloomery_kind_name(uint32_t kind);

// The number of the kind of that name, as bloomery_kind_name gives it; 0 if this library
// makes no filters of that name, or it is NULL.
// Threads: may run together with every other call.
BLOOMERY_API uint32_t bloomery_kind_find(const char* name);

// The unit of a filter's size for the kind: "bits", "blocks"; "unknown" for numbers that
// are not a filter's.
// Threads: may run together with every other call.
BLOOMERY_API const char* bloomery_kind_units(uint32_t kind);

// 1: filters of the kind have the calls of this bloomery_capability; 0: they do not, or
// not in this version.
// Threads: may run together with every other call.
BLOOMERY_API int bloomery_kind_can(uint32_t kind, uint32_t capability);

BLOOMERY_C_END
