// A filter in another system's format: read, queried and written as that system does.
//
// The dialect (spec/dialects.md) is named, never guessed: "guava", "parquet",
// "redisbloom", ... Its keys are bytes, never hashes.  Facts that are not in the
// bytes are options; bloomery_dialect lists them.  The portable dialect is a native
// filter: c/bytes.h.
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/bytes.h>
#include <bloomery/c/container.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

// --- dialects ---

typedef struct bloomery_dialect {
  uint32_t struct_size;
  uint32_t writes;  // 1: new filters can be made
  const char* name;
  const char* summary;
  const char* hash;
  const char* variants;  // separated by blanks; "(r)" after read-only ones
  const char* needs;  // options without which a file cannot be read, separated by blanks
  uint32_t integers;  // bloomery_number_keys: the bytes of a number as a key
  uint32_t texts;     // 1: supports BLOOMERY_KEY_TEXT
  uint32_t signed_seed;  // 1: the seed is a signed number of 32 bits
  uint32_t any_bytes;    // 1: has a bare bitset form, which any bytes may be
} bloomery_dialect;

#define BLOOMERY_DIALECT_INIT \
  { sizeof(bloomery_dialect), 0, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0 }

// The bytes of a number as a key, by how its system hashes numbers (spec/dialects.md).
typedef enum bloomery_number_keys {
  BLOOMERY_NUMBERS_PLAIN = 0,          // those of its type; no BLOOMERY_KEY_INTEGER
  BLOOMERY_NUMBERS_OWN_WIDTH = 1,      // those of its type
  BLOOMERY_NUMBERS_COLUMN_WIDTH = 2,   // the same, but 8 if the file has the width
  BLOOMERY_NUMBERS_WIDENED = 3,        // 8, by its sign
  BLOOMERY_NUMBERS_WIDENED_REALS = 4,  // the same; reals as doubles
  BLOOMERY_NUMBERS_ZERO_EXTENDED = 5   // 8, zeros in front whatever its sign
} bloomery_number_keys;

// Threads: may run together with every other call.
BLOOMERY_API size_t bloomery_dialect_count(void);

// Dialect `i` in the order of spec/dialects.md.
// Errors: invalid_argument.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_dialect_at(size_t i, bloomery_dialect* dialect);

// Whether bytes may be of dialect `i`: 0 no, 1 its header agrees, 2 it has the magic;
// negative: minus the status.  A bare bitset has no header to recognise.
// Threads: may run together with every other call.
BLOOMERY_API int bloomery_dialect_could_be(size_t i, const void* data, size_t size);

// --- filters ---

typedef struct bloomery_foreign bloomery_foreign;

// The type of a key before it became bytes, for dialects that treat it specially.
typedef enum bloomery_key_form {
  BLOOMERY_KEY_BYTES = 0,
  BLOOMERY_KEY_TEXT = 1,    // Rust's str
  BLOOMERY_KEY_INTEGER = 2  // little-endian bytes of a number
} bloomery_key_form;

// Which fields of the options are set, beside variant, form and keys.
enum bloomery_foreign_given {
  BLOOMERY_GIVEN_BITS = 1,
  BLOOMERY_GIVEN_HASHES = 2,
  BLOOMERY_GIVEN_SEED = 4,
  BLOOMERY_GIVEN_PART = 8,
  BLOOMERY_GIVEN_FPR = 16,
  BLOOMERY_GIVEN_BITS_PER_KEY = 32,
  BLOOMERY_GIVEN_GROWTH = 64
};

typedef struct bloomery_foreign_options {
  uint32_t struct_size;
  uint32_t given;       // bloomery_foreign_given
  const char* variant;  // NULL: by the bytes, or the dialect's first
  uint64_t bits;        // if the bytes do not determine m
  uint64_t seed;
  uint64_t part;  // one of several filters in a file; otherwise all of them
  uint32_t hashes;
  uint32_t form;       // bloomery_key_form
  uint64_t max_bytes;  // load: refuse a larger file; 0: any size
  uint64_t keys;       // make: number of keys, sized as the other system does
  double fpr;          // make: at most one of fpr and bits_per_key
  double bits_per_key;
  uint32_t growth;    // make: RedisBloom's expansion
  uint32_t reserved;  // 0
} bloomery_foreign_options;

#define BLOOMERY_FOREIGN_OPTIONS_INIT \
  { sizeof(bloomery_foreign_options), 0, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

// `options` may be NULL here.
// Errors: corrupt, unsupported, invalid_argument (no such dialect; an option is missing
// or unknown), out_of_memory.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status
bloomery_foreign_decode(const char* dialect, const void* data, size_t size,
                        const bloomery_foreign_options* options,
                        bloomery_foreign** filter, bloomery_error* error);

// Errors: as decode, too_large, io.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_foreign_load(
    const char* dialect, const char* path, const bloomery_foreign_options* options,
    bloomery_foreign** filter, bloomery_error* error);

// An empty filter.
// Errors: as decode, too_large; unsupported (the dialect is read-only).
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status
bloomery_foreign_make(const char* dialect, const bloomery_foreign_options* options,
                      bloomery_foreign** filter, bloomery_error* error);

// `filter` may be NULL.
// Threads: must run alone on this filter.
BLOOMERY_API void bloomery_foreign_free(bloomery_foreign* filter);

// 1 possibly present, 0 definitely not present; negative: minus the status.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API int bloomery_foreign_may_contain(const bloomery_foreign* filter,
                                              const void* key, size_t size);

// As in c/keys.h.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_foreign_may_contain_batch(
    const bloomery_foreign* filter, const void* const* keys, const size_t* sizes,
    size_t count, uint8_t* answers);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_foreign_may_contain_packed(
    const bloomery_foreign* filter, const void* data, const uint64_t* offsets,
    size_t count, uint8_t* answers);

// Errors: unsupported (read-only), out_of_memory, unattainable (full).
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_foreign_insert(bloomery_foreign* filter,
                                                     const void* key, size_t size,
                                                     bloomery_error* error);

// Union: afterwards `filter` answers "possibly present" wherever either did.
// Errors: incompatible, unsupported.
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_foreign_merge(bloomery_foreign* filter,
                                                    const bloomery_foreign* other,
                                                    bloomery_error* error);

// --- bytes ---

// The bytes of the other system's format.  `variant`: another form of the same bits;
// NULL: the filter's own.
// Errors: out_of_memory, unsupported, invalid_argument (no such variant), corrupt.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_foreign_encode(const bloomery_foreign* filter,
                                                     const char* variant,
                                                     bloomery_buffer** buffer,
                                                     bloomery_error* error);

// Atomic and durable.
// Errors: as encode, io.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_foreign_save(const bloomery_foreign* filter,
                                                   const char* path,
                                                   bloomery_error* error);

// Reads it from a container, which adds checksums; the bytes inside are unchanged.
// Errors: corrupt, unsupported, incompatible, too_large, out_of_memory.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_foreign_unwrap(const void* data, size_t size,
                                                     const bloomery_read_options* options,
                                                     bloomery_foreign** filter,
                                                     bloomery_error* error);

// Errors: as unwrap, io.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status
bloomery_foreign_load_wrapped(const char* path, const bloomery_read_options* options,
                              bloomery_foreign** filter, bloomery_error* error);

// Errors: as encode.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_foreign_wrap(const bloomery_foreign* filter,
                                                   const bloomery_write_options* options,
                                                   bloomery_buffer** buffer,
                                                   bloomery_error* error);

// Errors: as wrap, io.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_foreign_save_wrapped(
    const bloomery_foreign* filter, const bloomery_write_options* options,
    const char* path, bloomery_error* error);

// --- facts and current state ---

typedef struct bloomery_foreign_facts {
  uint32_t struct_size;
  uint32_t hashes;      // of the first part
  const char* dialect;  // constant strings
  char variant[16];
  char hash[32];
  uint64_t bits;  // cells, of all parts
  uint64_t seed;
  uint64_t capacity;        // 0: not recorded
  uint64_t parts;           // filters in the file
  uint64_t size_in_bytes;   // of the image
  double fill;              // COUNTS, otherwise NaN
  double estimated_keys;    // COUNTS, otherwise NaN
  double realised_fpr;      // RATES, otherwise NaN
  uint64_t damaged_chunks;  // of the container it was read from
} bloomery_foreign_facts;

#define BLOOMERY_FOREIGN_FACTS_INIT \
  { sizeof(bloomery_foreign_facts), 0, NULL, {0}, {0}, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

// `parts`: bloomery_info_parts (c/info.h), combined with |.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_foreign_info(const bloomery_foreign* filter,
                                                   uint32_t parts,
                                                   bloomery_foreign_facts* info);

// One of several filters in a file.
typedef struct bloomery_foreign_part {
  uint32_t struct_size;
  uint32_t hashes;
  uint64_t offset;  // of its cells in the file
  uint64_t length;
  uint64_t bits;
  char name[112];  // "row group 0, column id"
} bloomery_foreign_part;

#define BLOOMERY_FOREIGN_PART_INIT                   \
  {                                                  \
    sizeof(bloomery_foreign_part), 0, 0, 0, 0, { 0 } \
  }

// Errors: invalid_argument (there is no part `i`).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_foreign_part_at(const bloomery_foreign* filter,
                                                      uint64_t i,
                                                      bloomery_foreign_part* part);

BLOOMERY_C_END
