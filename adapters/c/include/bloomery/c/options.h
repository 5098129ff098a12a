// Options for a new filter: kind, size, rate, hasher.
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/hash.h>
#include <bloomery/c/kinds.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

// How a block filter lays out a key.
typedef enum bloomery_profile {
  BLOOMERY_PROFILE_BY_RATE = 0,    // chosen by the rate
  BLOOMERY_PROFILE_HALF_LINE = 1,  // 32 bytes: from 3 % up
  BLOOMERY_PROFILE_LINE = 2,       // 64 bytes: 0.05 % to 3 %
  BLOOMERY_PROFILE_TWO_LINES = 3,  // twice 64 bytes: below 0.05 %
  BLOOMERY_PROFILE_SPLIT = 4,      // Parquet's; split-block only
  BLOOMERY_PROFILE_LANES16 = 5     // 16 bytes: what counting filters are published as
} bloomery_profile;

enum bloomery_option_flags {
  BLOOMERY_FORCE = 1,  // portable: build even if the format cannot reach `fpr`
  BLOOMERY_FOLDABLE =
      2,  // block: up to 1 % larger, so that fold has many divisors to use
  // scalable: every level has the whole rate, which grows with them
  BLOOMERY_DYNAMIC = 4
};

// What determines the size.
typedef enum bloomery_size_by {
  BLOOMERY_SIZE_BY_RATE = 0,          // keys, fpr
  BLOOMERY_SIZE_BY_BITS_PER_KEY = 1,  // keys, bits_per_key
  BLOOMERY_SIZE_BY_MEMORY = 2,        // keys, memory
  BLOOMERY_SIZE_EXACT = 3  // kinds that count blocks or lines (bloomery_kind_units):
                           // blocks, and for kind block the profile; all others: bits of
                           // the whole filter, and hashes.  keys is only recorded.
} bloomery_size_by;

// One option of a kind: bloomery_options_set writes it, nobody else.
typedef struct bloomery_setting {
  uint32_t option;
  uint32_t reserved;
  uint64_t value;
} bloomery_setting;

enum { BLOOMERY_MAX_SETTINGS = 8 };

// Options without a field here are set by bloomery_options_set: this struct does not
// grow.  Fields that the rule does not use are 0.  Only kind stable may
// have a rate beside any other rule: what it forgets then follows from the size.
typedef struct bloomery_options {
  uint32_t struct_size;
  uint32_t kind;  // bloomery_kind
  uint64_t keys;  // expected number of distinct keys
  double fpr;     // target rate with all keys inserted, between 0 and 1
  double bits_per_key;
  uint64_t memory;  // bytes
  uint64_t bits;    // m
  uint64_t blocks;
  uint32_t hashes;   // k
  uint32_t size_by;  // bloomery_size_by
  uint32_t profile;  // bloomery_profile, for kind block
  uint32_t flags;    // bloomery_option_flags
  const bloomery_hasher*
      hasher;         // NULL: the kind's default.  portable and split-block: no other.
  uint64_t identity;  // of kinds with BLOOMERY_CAN_ERASE: distinguishes filters of one
                      // layout and hasher, for receipts (c/erase.h)
  // scalable: `keys` are those of the first level.
  double max_growth;     // keeps the rate up to so many times `keys`; 0: not known
  uint32_t growth;       // a level is so many times the one before: 2, 4, 8, 16; 0: 2
  uint32_t generations;  // window: 2 .. 1024; 0: 4
  // stable and window: how many inserts back it must remember.  The same as
  // `keys`, by its name: one of them, or both equal.
  uint64_t gap;
  // Written by bloomery_options_set.
  bloomery_setting settings[BLOOMERY_MAX_SETTINGS];
} bloomery_options;

// clang-format off
#define BLOOMERY_OPTIONS_INIT \
  { sizeof(bloomery_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0, 0, 0, 0, \
    {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, \
     {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}} }
// clang-format on

// Sets an option of the kind by its name, as bloomery_kind_option lists it: "arity",
// "ribbon_width", "cell_bits", "layout".  `value` is text: a number, "true", "false", or
// one of the option's names.  The last setting of an option counts, also before a field
// of the struct that means the same.  Whether options->kind has the option, and whether
// it can have that value, is checked by the call that takes the options.
// Errors: invalid_argument (no kind has an option of that name; a value of another type;
// more than BLOOMERY_MAX_SETTINGS options).  Then nothing has changed.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_options_set(bloomery_options* options,
                                                  const char* name, const char* value,
                                                  bloomery_error* error);

BLOOMERY_C_END
