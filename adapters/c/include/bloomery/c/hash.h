// From bytes to keys: 64 bits, by one of four hashes (spec/hash.md).
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

// The numbers are stored in files.
typedef enum bloomery_hash_id {
  BLOOMERY_HASH_DEFAULT = 0,         // the kind's default, xxh3 for most
  BLOOMERY_HASH_XXH3 = 1,            // XXH3-64 with seed
  BLOOMERY_HASH_FNV1A_SPLITMIX = 2,  // the portable filter's; no seed
  BLOOMERY_HASH_XXH64 = 3,           // XXH64 with seed; Parquet's, with seed 0
  BLOOMERY_HASH_SIPHASH13 = 4        // with a secret: if attackers can choose keys
} bloomery_hash_id;

// The type of keys before they are hashed (spec/hash.md, section 6).  A filter's file
// records it, and a call with other keys than the filter's is refused (incompatible):
// they would never be found.
typedef enum bloomery_source {
  BLOOMERY_SOURCE_BYTES = 0,     // the default
  BLOOMERY_SOURCE_INTEGERS = 1,  // the calls with _u64
  BLOOMERY_SOURCE_HASHES = 2,    // your own hashes, uniform over 64 bits: _hash
  BLOOMERY_SOURCE_INT32 = 3,     // from here on: bytes that you make of values,
  BLOOMERY_SOURCE_INT32BE = 4,   // little-endian or big-endian (BE)
  BLOOMERY_SOURCE_INT64BE = 5,
  BLOOMERY_SOURCE_FLOAT32 = 6,
  BLOOMERY_SOURCE_FLOAT64 = 7,
  BLOOMERY_SOURCE_UTF16 = 8,
  BLOOMERY_SOURCE_ANY = 255  // for readers only: as the file records
} bloomery_source;

// "bytes", "integers", "hashes", "int32" ...; "unknown" for other numbers.
// Threads: may run together with every other call.
BLOOMERY_API const char* bloomery_source_name(uint32_t source);

// Hash function, seed or secret, and source.  All zero: XXH3 with seed 0, of bytes.
typedef struct bloomery_hasher {
  uint32_t struct_size;
  uint32_t id;         // bloomery_hash_id
  uint64_t seed;       // for XXH3 and XXH64; otherwise 0
  uint8_t secret[16];  // for SIPHASH13; otherwise zeros
  uint32_t source;     // bloomery_source
  uint32_t reserved;   // 0
} bloomery_hasher;

#define BLOOMERY_HASHER_INIT \
  { sizeof(bloomery_hasher), 0, 0, {0}, 0, 0 }

// 16 bytes from the operating system's generator, for hasher.secret with
// BLOOMERY_HASH_SIPHASH13.  They are not stored in the filter's file: keep them
// elsewhere.
// Errors: io (a system without a generator); `secret` is then unchanged.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_random_secret(uint8_t secret[16],
                                                    bloomery_error* error);

// "xxh3", "fnv1a-splitmix", "xxh64", "siphash13"; "unknown" for other numbers.
// Threads: may run together with every other call.
BLOOMERY_API const char* bloomery_hash_name(uint32_t hash_id);

// The hash of these bytes, whatever the hasher's source.  `hasher` may be NULL: XXH3 with
// seed 0.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_hash_bytes(const bloomery_hasher* hasher,
                                                 const void* data, size_t size,
                                                 uint64_t* hash);

// The hash of an integer, whatever the hasher's source: a bijective mix under XXH3, its 8
// little-endian bytes under the others.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_hash_u64(const bloomery_hasher* hasher,
                                               uint64_t number, uint64_t* hash);

// The hash of "bloomery": files store it, so that a wrong hash, seed or secret is
// detected.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_hash_check(const bloomery_hasher* hasher,
                                                 uint64_t* check);

// Recomputes known answers of every hash.  A build or machine that gets one wrong must
// not use stored filters.  About a microsecond.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_hash_self_check(bloomery_error* error);

BLOOMERY_C_END
