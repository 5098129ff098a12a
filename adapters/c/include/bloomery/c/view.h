// A filter in a mapped file, read only: ready for queries at once, whatever its size.
//
// Opening reads the header and the table of checksums.  Each chunk is verified when a
// lookup first touches it; damaged ones answer "possibly present".  Replace such files by
// saving over them, or by mv: a view keeps the file it opened.  A file that is
// overwritten in place (cp) may give false negatives, which bloomery_view_unchanged
// reports.  A file that is truncated under a view may end the process with SIGBUS; if
// that can happen, load it instead.
//
// Keys, batches and answers are as in c/keys.h.
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/bytes.h>
#include <bloomery/c/container.h>
#include <bloomery/c/info.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

typedef struct bloomery_view bloomery_view;

// Errors: corrupt, unsupported, incompatible (a secret is missing or wrong; a container
// of another system's filter, or of several), too_large, out_of_memory, io.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_view_open(const char* path,
                                                const bloomery_read_options* options,
                                                bloomery_view** view,
                                                bloomery_error* error);

// `view` may be NULL.
// Threads: must run alone on this filter.
BLOOMERY_API void bloomery_view_free(bloomery_view* view);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API int bloomery_view_may_contain(const bloomery_view* view, const void* key,
                                           size_t size);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API int bloomery_view_may_contain_u64(const bloomery_view* view,
                                               uint64_t number);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API int bloomery_view_may_contain_hash(const bloomery_view* view, uint64_t hash);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_view_may_contain_batch(const bloomery_view* view,
                                                             const void* const* keys,
                                                             const size_t* sizes,
                                                             size_t count,
                                                             uint8_t* answers);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_view_may_contain_packed(const bloomery_view* view,
                                                              const void* data,
                                                              const uint64_t* offsets,
                                                              size_t count,
                                                              uint8_t* answers);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_view_may_contain_u64_batch(
    const bloomery_view* view, const uint64_t* numbers, size_t count, uint8_t* answers);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_view_may_contain_hash_batch(
    const bloomery_view* view, const uint64_t* hashes, size_t count, uint8_t* answers);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_view_hash(const bloomery_view* view,
                                                const void* key, size_t size,
                                                uint64_t* hash);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_view_hash_u64(const bloomery_view* view,
                                                    uint64_t number, uint64_t* hash);

// Verifies with `threads` threads the chunks that have not been touched yet; lookups are
// faster afterwards.  `damaged`, which may be NULL, receives the number of damaged
// chunks.
// Errors: invalid_argument (no threads).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_view_verify(const bloomery_view* view,
                                                  uint32_t threads, uint64_t* damaged);

// 1 if the file is unchanged since it was opened, as far as its status shows; 0 if it was
// written to, or its status cannot be read.  If this returns 1, answers given before it
// come from the bytes that were opened: look up a batch, call this, use the answers.  It
// does not detect two writes within one tick of the file system's clock (up to 4 ms) of
// which the first came before the view, writes through a mapping until the system records
// their time, and changes that a network file system has not reported to this machine
// yet.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API int bloomery_view_unchanged(const bloomery_view* view);

// As bloomery_filter_info; COUNTS and RATES verify every chunk first.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_view_info(const bloomery_view* view, uint32_t parts,
                                                bloomery_info* info);

// Its header, and the damage found so far (without the offset of the first).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_view_container(const bloomery_view* view,
                                                     bloomery_container* container);

// As for bloomery_filter; each verifies every chunk first.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API double bloomery_view_expected_fpr(const bloomery_view* view, uint64_t keys);

// Threads: may run together with other reading calls on this filter.
BLOOMERY_API double bloomery_view_realised_fpr(const bloomery_view* view);

BLOOMERY_C_END
