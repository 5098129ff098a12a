// Facts and current state of a filter.
#pragma once

#include <bloomery/c/api.h>

BLOOMERY_C_BEGIN

// What to compute beside the layout, which costs nothing.
enum bloomery_info_parts {
  BLOOMERY_INFO_LAYOUT = 0,
  BLOOMERY_INFO_COUNTS = 1,  // ones, fill, estimated_keys, padding, stuck_cells: reads
                             // every bit
  BLOOMERY_INFO_RATES = 2,   // both rates; half a second for a small portable filter
  BLOOMERY_INFO_ALL = 3
};

// What filters of all kinds have.  What some kinds have, bloomery_filter_field
// (c/fields.h) reports by name: this struct does not grow.
typedef struct bloomery_info {
  uint32_t struct_size;
  uint32_t kind;     // bloomery_kind
  uint32_t profile;  // byte 11 of its header: of block kinds and counting, otherwise 0
  uint32_t hashes;   // byte 20 of its header: k, where the kind has one; bits of a tag, a
                     // remainder or a fingerprint; of scalable, its levels
  uint64_t bits;     // m
  uint64_t blocks;   // of kinds that are sized in blocks or lines, otherwise 0
  uint64_t size_in_bytes;     // of the bits
  uint64_t capacity;          // keys it was sized for; 0: not recorded
  uint32_t hash_id;           // bloomery_hash_id
  uint32_t container;         // 1: read from a container; see bloomery_filter_container
  uint64_t seed;              // 0 where the hash takes none
  uint64_t hash_check;        // the hash of "bloomery"
  uint64_t damaged_chunks;    // of the container it was read from; they answer "possibly
                              // present"
  uint64_t ones;              // COUNTS, otherwise 0
  double fill;                // COUNTS, otherwise NaN: of bits, cells or slots
  double estimated_keys;      // COUNTS, otherwise NaN; infinite if every bit is set
  double expected_fpr;        // RATES: what it was sized for, when full; otherwise, or if
                              // `capacity` is 0, NaN
  double realised_fpr;        // RATES: the current rate, from its bits; otherwise NaN
  uint32_t padding_is_clear;  // COUNTS: 0 if bits are set that no key can set
  uint32_t parts;             // those of bloomery_info_parts that were computed
  uint32_t source;            // bloomery_source: the type of its keys
  uint32_t reserved;          // 0
  uint64_t identity;     // of kinds with BLOOMERY_CAN_ERASE: bloomery_options.identity
  uint64_t stuck_cells;  // COUNTS, otherwise 0: counters that have stopped, of kinds that
                         // count in cells
} bloomery_info;

#define BLOOMERY_INFO_INIT                                                             \
  {                                                                                    \
    sizeof(bloomery_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
        0, 0, 0                                                                        \
  }

BLOOMERY_C_END
