// Thousands to millions of small filters in one file: one per block of a table, per
// partition, per file.  Members are of kind block or split-block, or of one
// that is only built (BLOOMERY_CAN_BUILD); they share kind, profile and hasher; sizes
// differ.
//
// A damaged part of the file answers "possibly present".  Keys and answers are as in
// c/keys.h.
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/bytes.h>
#include <bloomery/c/container.h>
#include <bloomery/c/filter.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

typedef struct bloomery_packed bloomery_packed;

// Maps the file; costs the same for ten members and ten million.
// Errors: corrupt, unsupported, incompatible (a container of something else; a secret is
// missing or wrong), too_large, out_of_memory, io.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_packed_open(const char* path,
                                                  const bloomery_read_options* options,
                                                  bloomery_packed** set,
                                                  bloomery_error* error);

// `set` may be NULL.
// Threads: must run alone on this filter.
BLOOMERY_API void bloomery_packed_free(bloomery_packed* set);

// The number of members; 0 if `set` is NULL.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API uint64_t bloomery_packed_size(const bloomery_packed* set);

// Whether a member may contain the key: 1, 0, or minus the status (no such member).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API int bloomery_packed_may_contain(const bloomery_packed* set, uint64_t member,
                                             const void* key, size_t size);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API int bloomery_packed_may_contain_u64(const bloomery_packed* set,
                                                 uint64_t member, uint64_t number);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API int bloomery_packed_may_contain_hash(const bloomery_packed* set,
                                                  uint64_t member, uint64_t hash);

// answers[i]: 1 or 0 for member `first` + i and one key.
// Errors: invalid_argument (there are no such members).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_packed_ask_members(const bloomery_packed* set,
                                                         uint64_t first, uint64_t count,
                                                         uint64_t hash, uint8_t* answers);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_packed_hash(const bloomery_packed* set,
                                                  const void* key, size_t size,
                                                  uint64_t* hash);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_packed_hash_u64(const bloomery_packed* set,
                                                      uint64_t number, uint64_t* hash);

// Bytes of a member; 0 also if the directory is damaged, or has no such member.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API uint64_t bloomery_packed_member_bytes(const bloomery_packed* set,
                                                   uint64_t member);

// As bloomery_view_verify.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_packed_verify(const bloomery_packed* set,
                                                    uint32_t threads, uint64_t* damaged);

// As bloomery_view_unchanged.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API int bloomery_packed_unchanged(const bloomery_packed* set);

// As bloomery_view_container.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_packed_container(const bloomery_packed* set,
                                                       bloomery_container* container);

// --- writing ---

typedef struct bloomery_packed_writer bloomery_packed_writer;

// The file is put in place when `finish` returns; until then, and if it fails, the old
// one stays.
// Errors: io, out_of_memory, invalid_argument (not a regular file).
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_packed_writer_create(
    const char* path, bloomery_packed_writer** writer, bloomery_error* error);

// `writer` may be NULL.
// Threads: must run alone on this filter.
BLOOMERY_API void bloomery_packed_writer_free(bloomery_packed_writer* writer);

// Adds the next member; a reading call on `member`.
// Errors: incompatible (another kind, profile or hasher than the first; a kind that
// cannot be packed), io, out_of_memory.  After one of the last two the set cannot be
// finished.
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_packed_writer_add(bloomery_packed_writer* writer,
                                                        const bloomery_filter* member,
                                                        bloomery_error* error);

// Errors: invalid_argument (no members, already finished, sentinels given), io,
// out_of_memory.
// Threads: must run alone on this filter.
BLOOMERY_API bloomery_status bloomery_packed_writer_finish(
    bloomery_packed_writer* writer, const bloomery_write_options* options,
    bloomery_error* error);

BLOOMERY_C_END
