// The header of a container (spec/container.md), of whatever kind.
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/filter.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

typedef struct bloomery_container {
  uint32_t struct_size;
  uint32_t version;
  uint32_t kind;     // bloomery_kind
  uint32_t member;   // for a packed set, its members' kind; otherwise as `kind`
  uint32_t profile;  // of block kinds; otherwise 0
  uint32_t flags;
  uint32_t hash_id;  // bloomery_hash_id
  uint32_t hashes;   // k
  uint64_t seed;
  uint64_t hash_check;  // for keyed hashes, the id of the secret
  uint64_t units;       // bits, blocks, or members
  uint64_t capacity;    // 0: not recorded
  uint64_t keys;        // distinct keys its builder counted; 0: unknown
  double asked_fpr;     // 0: not recorded
  uint64_t ones;        // bits set when it was written
  uint32_t sentinels;
  uint32_t chunk_bytes;
  uint64_t chunks;
  uint64_t payload_at;
  uint64_t payload_bytes;
  uint64_t notes_bytes;
  uint64_t file_bytes;
  uint64_t damaged_chunks;   // if the payload was read, too
  uint64_t first_damage_at;  // byte offset of the first of them
  uint32_t source;           // bloomery_source; known if the file was read, not only
                             // its header
  uint32_t reserved;         // 0
} bloomery_container;

// clang-format off
#define BLOOMERY_CONTAINER_INIT                                     \
  {sizeof(bloomery_container), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  \
   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
// clang-format on

// 1: the bytes begin as a container does, whatever follows; 0: they do not; negative:
// minus the status.
// Threads: may run together with every other call.
BLOOMERY_API int bloomery_container_has_magic(const void* head, size_t size);

// The header of a container of `file_size` bytes, of which `head` holds the first 128,
// or all.
// Errors: corrupt, unsupported.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_container_inspect(const void* head, size_t size,
                                                        uint64_t file_size,
                                                        bloomery_container* container,
                                                        bloomery_error* error);

// The header of a file.
// Errors: as above, io.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_container_inspect_file(
    const char* path, bloomery_container* container, bloomery_error* error);

// Reads every byte of a file and checks every checksum.  A damaged chunk is
// not an error; it is counted in damaged_chunks.
// Errors: as inspect_file, out_of_memory.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_container_verify(const char* path,
                                                       bloomery_container* container,
                                                       bloomery_error* error);

// The container that a filter was read from.
// Errors: invalid_argument (it was not read from one).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_container(const bloomery_filter* filter,
                                                       bloomery_container* container);

BLOOMERY_C_END
